/** The format of XML representations. Contains the functions that read and write, so that programs without XML do not load them. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { ReadOptions, XmlBinding, XmlError } from './xml-binding.ts'
import { bindingOf } from './xml-binding.ts'
import type { ReadXml, WriteXml, XmlContextBase, XmlOptions } from './xml-options.ts'

/** The format of an XML representation, with the options of its scopes. */
export interface XmlFormat {
  readonly _tag: 'Xml'
  readonly codec: Codec
  readonly binding: XmlBinding
  /** The XML context that the application declares for it. */
  readonly context: XmlContextBase | undefined
  /** Whether the options contain a custom writer. */
  readonly hasWriter: boolean
  readonly read: (text: string, options: ReadOptions) => Either<ReadonlyArray<XmlError>, unknown>
  /** Creates a function that writes documents without the omitted members. */
  readonly writer: (isOmitted: IsOmitted) => WriteXml
  /** Returns the same format with the options of a scope. */
  readonly inScope: (scope: XmlScope) => XmlFormat
}

/** The XML settings of the scopes that enclose an operation. */
export interface XmlScope {
  /** The options of the scopes, the outermost first. */
  readonly options: ReadonlyArray<XmlOptions>
  /** The XML context of the innermost scope that declares one. */
  readonly context?: XmlContextBase | undefined
  /** Creates the XML format of entities. Missing if entities are not available as XML. */
  readonly entity?: ((codec: Codec) => XmlFormat) | undefined
}

/** Whether a member with this codec is omitted. */
export type IsOmitted = (member: Codec) => boolean

/** Omits no member. */
export const omitsNone: IsOmitted = () => false

/** Creates the format of a codec. `own` are the options of the representation itself. */
export const xmlFormat = (codec: Codec, own: XmlOptions): XmlFormat => create(codec, own, undefined)

const create = (codec: Codec, own: XmlOptions, scope: XmlScope | undefined): XmlFormat => {
  const binding = bindingOf(codec)
  const { context, options = [] } = scope ?? {}
  const all = [...(context === undefined ? [] : [context.options]), ...options, own]
  return Object.freeze({
    _tag: 'Xml',
    codec,
    binding,
    context,
    hasWriter: all.some(({ writer }) => writer !== undefined),
    read: readWith(binding, all),
    writer: (isOmitted: IsOmitted) => writeWith(binding, all, isOmitted),
    inScope: (enclosing: XmlScope) => create(codec, own, enclosing),
  })
}

/** Creates the function that reads documents with the given options, the outermost first. */
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

/** Creates the function that writes documents with the given options, the outermost first. */
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
