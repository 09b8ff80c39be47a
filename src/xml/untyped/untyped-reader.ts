/**
 * Reads XML documents of no known shape as the plain objects that `fast-xml-parser` makes of them.
 *
 * `fast-xml-parser` accepts malformed documents, so each document is first checked by the XML parser of this package. What the two
 * parsers would read differently is removed (processing instructions and comments), normalized (line breaks in tags) or rejected
 * (names with characters that are white space in JavaScript, but not in XML). Both resolve references in the same way.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { MissingFeatureError } from '../../codec/missing-feature.ts'
import { canLoadModules, loadPackage } from '../../packages/load-package.ts'
import type { XmlError } from '../context/xml-binding.ts'
import type { Element } from '../reading/element.ts'
import { elementPaths, resolveReferences } from '../reading/element.ts'
import { parse } from '../reading/parser.ts'
import type { ParserSettings, UntypedXmlOptions, XmlParserClass } from './untyped-options.ts'
import { forbiddenNames, memberNames } from './untyped-options.ts'
import { isObject } from '../../http/platform-value.ts'

/** Reads a document whose elements are nested at most `depth` levels deep. */
export type ReadUntyped = (text: string, depth: number) => Either<ReadonlyArray<XmlError>, unknown>

/** Creates a function that reads documents. The first call loads `fast-xml-parser`. */
export const untypedReader = (options: UntypedXmlOptions): ReadUntyped => {
  const settings = parserSettings(options)
  let parser: InstanceType<XmlParserClass> | undefined
  return (text, depth) => {
    const root = parse(text, depth)
    if (E.isLeft(root)) return E.left([{ path: '/', message: root.left }])
    const errors = nameErrors(root.right, settings)
    if (errors.length > 0) return E.left(errors)
    const plain = withoutDifferences(text)
    if (plain === undefined)
      return E.left([{ path: '/', message: 'unsupported character in a name' }])
    parser ??= new (options.XMLParser ?? loadParser())(settings)
    return E.right(ungrouped(parser.parse(plain)))
  }
}

/** `require` in the published files; see `load-package.ts`. */
declare const requireBundled: (name: 'fast-xml-parser') => { readonly XMLParser: XmlParserClass }

const loadParser = (): XmlParserClass => {
  if (!canLoadModules())
    throw new MissingFeatureError(
      'missing fast-xml-parser: import XMLParser from it, and pass it as an option: xml(t.unknown, { XMLParser })',
    )
  return loadPackage('fast-xml-parser', () => requireBundled('fast-xml-parser')).XMLParser
}

const parserSettings = (options: UntypedXmlOptions): ParserSettings => {
  const { parseTagValue = true, parseAttributeValue = false, isArray } = options
  return {
    ...memberNames(options),
    attributesGroupName: attributeGroup,
    ignoreAttributes: options.ignoreAttributes ?? false,
    removeNSPrefix: options.removeNSPrefix ?? false,
    trimValues: options.trimValues ?? true,
    alwaysCreateTextNode: options.alwaysCreateTextNode ?? false,
    // values are converted below
    parseTagValue: false,
    parseAttributeValue: false,
    tagValueProcessor: (_, text) => (parseTagValue ? toScalar(text) : text),
    attributeValueProcessor: (_, text) => (parseAttributeValue ? toScalar(text) : text),
    isArray: (name, path, _, isAttribute) =>
      isAttribute !== true && isArray !== undefined && isArray(name, namesIn(path)),
    entityDecoder: {
      decode: (text) => resolveReferences(text) ?? text,
      reset: ignore,
      setExternalEntities: ignore,
      addInputEntities: ignore,
      setXmlVersion: ignore,
    },
    // names such as `toString` would be changed
    onDangerousProperty: (name) => name,
    // paths as text would take quadratic time for long names
    jPath: false,
    maxNestedTags: Infinity,
  }
}

const ignore = (): void => {}

/**
 * The member in which `fast-xml-parser` groups the attributes of an element. Without a group, it lists all attributes of an element
 * for each of its texts: an element with 11,000 attributes and 25,000 texts (200 KB) would take a minute.
 */
const attributeGroup = '<attributes>'

/** Replaces each group of attributes with its members. */
const ungrouped = (value: unknown): unknown => {
  if (t.UnknownArray.is(value)) value.forEach(ungrouped)
  else if (isRecord(value)) {
    const attributes = value[attributeGroup]
    if (attributes !== undefined) {
      delete value[attributeGroup]
      Object.assign(value, attributes)
    }
    for (const key of Object.keys(value)) ungrouped(value[key])
  }
  return value
}

const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value)

/** Returns the names in a path of `fast-xml-parser`. */
const namesIn = (path: unknown): ReadonlyArray<string> =>
  isObject(path) && 'toArray' in path && typeof path.toArray === 'function' ? path.toArray() : []

const number = /^-?\d+(?:\.\d+)?$/

/** Converts text to a number or a boolean if writing this value results in the same text. */
const toScalar = (text: string): unknown => {
  if (text === 'true') return true
  if (text === 'false') return false
  return number.test(text) && String(Number(text)) === text ? Number(text) : text
}

/** Returns an error for each element whose name or attributes cannot be represented as members of an object. */
const nameErrors = (
  root: Element,
  { ignoreAttributes, removeNSPrefix }: ParserSettings,
): ReadonlyArray<XmlError> => {
  const messages = new Map<Element, string>()
  const visit = (element: Element): void => {
    const { local, attributes, children } = element
    if (forbiddenNames.has(local)) messages.set(element, 'unsupported element name')
    else if (
      removeNSPrefix &&
      !ignoreAttributes &&
      new Set(attributes.map((attribute) => attribute.local)).size < attributes.length
    )
      messages.set(element, 'attributes must have different names without their prefixes')
    children.forEach(visit)
  }
  visit(root)
  if (messages.size === 0) return []
  const paths = elementPaths(root, new Set(messages.keys()))
  return Array.from(messages, ([element, message]) => ({
    path: paths.get(element) ?? '/',
    message,
  }))
}

/** Matches the parts of a well-formed document that begin with `<`, except for end tags. */
const markup =
  /<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->|<\?[^]*?\?>|<[^!?/][^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/g

/** Matches the characters that are white space in JavaScript, but allowed in XML names. */
const whiteSpaceInNames = /[\u1680\uFEFF]/

/**
 * Removes what the two parsers read differently from a well-formed document. Returns `undefined` if a tag contains characters that
 * `fast-xml-parser` does not support in names.
 */
const withoutDifferences = (text: string): string | undefined => {
  let isSupported = true
  const hasWhiteSpace = whiteSpaceInNames.test(text)
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(markup, (token) => {
      if (token.startsWith('<![')) return token
      if (token.startsWith('<!') || token.startsWith('<?')) return ''
      if (hasWhiteSpace && whiteSpaceInNames.test(token.replace(/"[^"]*"|'[^']*'/g, '')))
        isSupported = false
      // white space in attribute values is normalized (XML, 3.3.3)
      return token.replace(/[\t\n]/g, ' ')
    })
    .trim()
  return isSupported ? plain : undefined
}
