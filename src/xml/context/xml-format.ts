/**
 * Defines the format of XML representations. The format contains the functions that read and write XML, so that programs that do
 * not use XML do not load them.
 */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { XmlReadOptions, XmlBinding, XmlError } from './xml-binding.ts'
import { bindingOf } from './xml-binding.ts'
import type { ReadXml, WriteXml, XmlContextBase, XmlOptions } from './xml-options.ts'

/** The format of an XML representation, including the options that the enclosing scopes declare. */
export interface XmlFormat {
  readonly _tag: 'Xml'
  readonly codec: Codec
  readonly binding: XmlBinding
  /** The XML context that the application declares for the enclosing scopes. */
  readonly context: XmlContextBase | undefined
  /** Whether any of the options declares a custom writer. */
  readonly hasWriter: boolean
  readonly read: (text: string, options: XmlReadOptions) => Either<ReadonlyArray<XmlError>, unknown>
  /** Creates a function that writes documents. Members for which `isOmitted` returns `true` are omitted. */
  readonly writer: (isOmitted: IsOmitted) => WriteXml
  /** Returns the same format with the options that a scope declares. */
  readonly inScope: (scope: XmlScope) => XmlFormat
}

/** The XML settings that the scopes around an operation declare. */
export interface XmlScope {
  /** The options that the scopes declare, starting with the outermost scope. */
  readonly options: ReadonlyArray<XmlOptions>
  /** The XML context. If several scopes declare a context, the innermost scope takes precedence. */
  readonly context?: XmlContextBase | undefined
  /** Creates the XML format for an entity. Missing if entities are not available as XML. */
  readonly entity?: ((codec: Codec) => XmlFormat) | undefined
}

/** Whether a member with this codec is omitted. */
export type IsOmitted = (member: Codec) => boolean

/** The predicate that omits no members. */
export const omitsNone: IsOmitted = () => false

/** Creates the XML format for a codec, with the options that the representation declares. */
export const xmlFormat = (codec: Codec, representationOptions: XmlOptions): XmlFormat =>
  create(codec, representationOptions, undefined)

const create = (
  codec: Codec,
  representationOptions: XmlOptions,
  scope: XmlScope | undefined,
): XmlFormat => {
  const binding = bindingOf(codec)
  const { context, options = [] } = scope ?? {}
  const all = [
    ...(context === undefined ? [] : [context.options]),
    ...options,
    representationOptions,
  ]
  return Object.freeze({
    _tag: 'Xml',
    codec,
    binding,
    context,
    hasWriter: all.some(({ writer }) => writer !== undefined),
    read: readWith(binding, all),
    writer: (isOmitted: IsOmitted) => writeWith(binding, all, isOmitted),
    inScope: (enclosing: XmlScope) => create(codec, representationOptions, enclosing),
  })
}

/** Creates the function that reads documents. `options` starts with the outermost options. */
export const readWith = (
  binding: Pick<XmlBinding, 'read'>,
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

/** Creates the function that writes documents. `options` starts with the outermost options. */
export const writeWith = (
  binding: Pick<XmlBinding, 'writer'>,
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
