/** Defines the options for XML documents of no known shape, and the members that represent attributes and text. */
import type { XmlOptions } from '../context/xml-format.ts'
import { isNcName } from '../xml-names.ts'

/**
 * Options for XML documents of no known shape: `xml(t.unknown)` and `xml(t.UnknownRecord)`.
 *
 * The names are those of `fast-xml-parser`. The defaults are the same too, except that attributes are read by default.
 */
export interface UntypedXmlOptions extends XmlOptions {
  /** Prefix of the members that represent attributes. Must not begin with a letter or `_`. Default: `@_`. */
  readonly attributeNamePrefix?: string
  /**
   * Name of the member that represents the text of an element with attributes or child elements. Must not begin with a letter, `_`
   * or `attributeNamePrefix`. Default: `#text`.
   */
  readonly textNodeName?: string
  /** Whether attributes and namespace declarations are dropped when a document is read. Default: `false`. */
  readonly ignoreAttributes?: boolean
  /** Whether namespace prefixes and declarations are dropped when a document is read. Default: `false`. */
  readonly removeNSPrefix?: boolean
  /**
   * Whether the text of elements becomes a number or a boolean. Text that would change if it were written as a number, such as
   * `007` or `1.50`, remains a string. Default: `true`.
   */
  readonly parseTagValue?: boolean
  /** Whether attribute values are converted in the same way. Default: `false`. */
  readonly parseAttributeValue?: boolean
  /** Whether white space at the start and end of text and attribute values is removed. Default: `true`. */
  readonly trimValues?: boolean
  /** Whether each element becomes an object, even if it contains only text. Default: `false`. */
  readonly alwaysCreateTextNode?: boolean
  /**
   * Whether an element becomes an array even if it occurs only once. `path` contains the names of the element and its ancestors,
   * starting with the root element. By default, only repeated elements become arrays.
   */
  readonly isArray?: (name: string, path: ReadonlyArray<string>) => boolean
  /**
   * The class `XMLParser` of `fast-xml-parser`. On Node.js, the package is loaded when the first document is read. Other platforms,
   * such as browsers, cannot load packages on demand, so the class must be passed.
   */
  readonly XMLParser?: XmlParserClass
}

/** A class such as `XMLParser` of `fast-xml-parser`. */
export interface XmlParserClass {
  new (options: ParserSettings): { readonly parse: (text: string) => unknown }
}

/** The options that are passed to `fast-xml-parser`. */
export interface ParserSettings extends Required<
  Omit<UntypedXmlOptions, keyof XmlOptions | 'isArray' | 'XMLParser'>
> {
  readonly attributesGroupName: string
  readonly isArray: (
    name: string,
    path: unknown,
    isLeaf: boolean | undefined,
    isAttribute: boolean | undefined,
  ) => boolean
  readonly tagValueProcessor: (name: string, text: string) => unknown
  readonly attributeValueProcessor: (name: string, text: string) => unknown
  readonly entityDecoder: {
    readonly decode: (text: string) => string
    readonly reset: () => void
    readonly setExternalEntities: () => void
    readonly addInputEntities: () => void
    readonly setXmlVersion: () => void
  }
  readonly onDangerousProperty: (name: string) => string
  readonly jPath: false
  readonly maxNestedTags: number
}

/** The names of the members that represent attributes and text. */
export interface MemberNames {
  readonly attributeNamePrefix: string
  readonly textNodeName: string
}

/**
 * Returns the names of the members that represent attributes and text. Throws a `TypeError` if they could be confused with each
 * other or with the names of elements.
 */
export const memberNames = ({
  attributeNamePrefix = '@_',
  textNodeName = '#text',
}: UntypedXmlOptions): MemberNames => {
  if (!isDistinct(attributeNamePrefix))
    throw new TypeError(
      `invalid attributeNamePrefix ${JSON.stringify(attributeNamePrefix)}: must not begin like an element name`,
    )
  if (!isDistinct(textNodeName) || textNodeName.startsWith(attributeNamePrefix))
    throw new TypeError(
      `invalid textNodeName ${JSON.stringify(textNodeName)}: must not begin like an element name or an attribute`,
    )
  return { attributeNamePrefix, textNodeName }
}

/** Whether no name of an element begins with the first character of a string. */
const isDistinct = (text: string): boolean => {
  const [first] = text
  return first !== undefined && first !== ':' && !isNcName(first)
}

/** The names of members that could be used to modify prototypes. */
export const forbiddenNames: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
])
