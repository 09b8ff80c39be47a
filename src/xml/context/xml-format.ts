/**
 * Defines the format of XML representations, and its options. The functions that read and write XML are accessed only through the
 * format, so programs that do not use XML do not load these functions.
 */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { DocumentBinding, XmlReadOptions, XmlError } from './xml-binding.ts'
import { bindingOf } from './xml-binding.ts'

/** Reads a document. Returns the decoded value or the validation errors. */
export type ReadXml = (text: string) => Either<ReadonlyArray<XmlError>, unknown>

/** Writes a value as an XML document. */
export type WriteXml = (value: unknown) => string

/**
 * Options for XML representations, which can also be declared by enclosing scopes.
 *
 * For `formatted` and `declaration`, the innermost scope takes precedence. The `reader` and `writer` functions of all
 * scopes are applied, starting with the innermost.
 */
export interface XmlOptions {
  /** Whether elements are written on separate lines and indented by two spaces. Default: `false`. */
  readonly formatted?: boolean
  /** Whether documents begin with an XML declaration. The encoding is always UTF-8. Default: `true`. */
  readonly declaration?: boolean
  /** Wraps the function that reads documents. */
  readonly reader?: (read: ReadXml) => ReadXml
  /**
   * Wraps the function that writes documents.
   *
   * The wrapper receives complete values, including secured fields. Combining `writer` with secured fields is therefore
   * a configuration error (FW-FIELD-003), unless `secureSerialization(false)` is declared.
   */
  readonly writer?: (write: WriteXml) => WriteXml
}

/** The part of an XML context that representations use. */
export interface XmlContextBase {
  readonly options: XmlOptions
  /** Whether a codec belongs to the context. */
  readonly holds: (codec: unknown) => boolean
}

/** The format of an XML representation, including the options declared by the enclosing scopes. */
export interface XmlFormat {
  readonly _tag: 'Xml'
  readonly codec: Codec
  readonly binding: DocumentBinding
  /** The XML context declared by an enclosing scope, or `undefined` if no scope declares one. */
  readonly context: XmlContextBase | undefined
  /** Whether the representation or an enclosing scope declares a custom `writer`. */
  readonly hasWriter: boolean
  readonly read: (text: string, options: XmlReadOptions) => Either<ReadonlyArray<XmlError>, unknown>
  /** Creates a function that writes documents. Members for which `isOmitted` returns `true` are omitted. */
  readonly writer: (isOmitted: IsOmitted) => WriteXml
  /** Returns a copy of the format that also applies the options declared by the enclosing scopes. */
  readonly inScope: (scope: XmlScope) => XmlFormat
}

/** The XML settings declared by the scopes that enclose an operation. */
export interface XmlScope {
  /** The declared options, starting with the outermost scope. */
  readonly options: ReadonlyArray<XmlOptions>
  /** The XML context. If multiple scopes declare one, the innermost scope takes precedence. */
  readonly context?: XmlContextBase | undefined
  /** Creates the XML format for an entity. `undefined` if entities cannot be represented as XML. */
  readonly entity?: ((codec: Codec) => XmlFormat) | undefined
}

/** Whether a member with the given codec is omitted. */
export type IsOmitted = (member: Codec) => boolean

/** A predicate that omits no members. */
export const omitsNone: IsOmitted = () => false

/** Creates the XML format for a codec, with the options declared by the representation. */
export const xmlFormat = (codec: Codec, representationOptions: XmlOptions): XmlFormat =>
  documentFormat(bindingOf(codec), representationOptions)

/** Creates the XML format for a binding, with the options declared by the representation and by the enclosing scopes. */
export const documentFormat = (
  binding: DocumentBinding,
  representationOptions: XmlOptions,
  scope?: XmlScope,
): XmlFormat => {
  const { options = [] } = scope ?? {}
  const context = binding.usesContext ? scope?.context : undefined
  const all = [
    ...(context === undefined ? [] : [context.options]),
    ...options,
    representationOptions,
  ]
  return Object.freeze({
    _tag: 'Xml',
    codec: binding.codec,
    binding,
    context,
    hasWriter: all.some(({ writer }) => writer !== undefined),
    read: readWith(binding, all),
    writer: (isOmitted: IsOmitted) => writeWith(binding, all, isOmitted),
    inScope: (enclosing: XmlScope) => documentFormat(binding, representationOptions, enclosing),
  })
}

/** Creates a function that reads documents. `options` contains the options of each scope, outermost first. */
export const readWith = (
  binding: Pick<DocumentBinding, 'read'>,
  options: ReadonlyArray<XmlOptions>,
): XmlFormat['read'] => {
  const readers = options.flatMap(({ reader }) => (reader === undefined ? [] : [reader]))
  if (readers.length === 0) return binding.read
  return (text, readOptions) =>
    readers.reduceRight<ReadXml>(
      (read, wrap) => wrap(read),
      (inner) => binding.read(inner, readOptions),
    )(text)
}

/** Creates a function that writes documents. `options` contains the options of each scope, outermost first. */
export const writeWith = (
  binding: Pick<DocumentBinding, 'writer'>,
  options: ReadonlyArray<XmlOptions>,
  isOmitted: IsOmitted,
): WriteXml => {
  const merged = options.reduce<XmlOptions>((outer, inner) => ({ ...outer, ...inner }), {})
  const { formatted = false, declaration = true } = merged
  const root = binding.writer({ indentation: formatted ? '  ' : '', isOmitted })
  // a formatted root element begins with a line break
  const write: WriteXml = declaration
    ? (value) => `<?xml version="1.0" encoding="UTF-8"?>${root(value)}`
    : formatted
      ? (value) => root(value).slice(1)
      : root
  return options.reduceRight<WriteXml>(
    (inner, { writer }) => (writer === undefined ? inner : writer(inner)),
    write,
  )
}
