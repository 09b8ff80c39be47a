/** How values travel as XML: functions that a representation brings along, so that only those services load them that have one. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { ReadOptions, XmlDocument, XmlError } from './xml-document.ts'
import { documentOf } from './xml-document.ts'
import type { ReadXml, WriteXml, XmlHolder, XmlOptions } from './xml-options.ts'

export interface XmlFormat {
  readonly _tag: 'Xml'
  readonly codec: Codec
  readonly document: XmlDocument
  /** The context of the application's own that it belongs to. */
  readonly context: XmlHolder | undefined
  /** Whether a function of the application's own writes, too. */
  readonly hasWriter: boolean
  readonly read: (text: string, options: ReadOptions) => Either<ReadonlyArray<XmlError>, unknown>
  /** Prepares writing; members that are omitted are as if they were not declared. */
  readonly writer: (omits: Omits) => WriteXml
  /** The same under what was said around it. */
  readonly within: (marks: XmlMarks) => XmlFormat
}

/** What was said of XML around an operation. */
export interface XmlMarks {
  /** The outermost first. */
  readonly options: ReadonlyArray<XmlOptions>
  /** The nearest context of the application's own. */
  readonly context?: XmlHolder | undefined
  /** How entities travel as XML; they do not where it is left out. */
  readonly entity?: ((codec: Codec) => XmlFormat) | undefined
}

/** Whether a member with this codec is left out. */
export type Omits = (member: Codec) => boolean

/** No member. */
export const omitsNothing: Omits = () => false

/** `own` is what the representation itself says. */
export const xmlFormat = (codec: Codec, own: XmlOptions): XmlFormat => make(codec, own, undefined)

const make = (codec: Codec, own: XmlOptions, marks: XmlMarks | undefined): XmlFormat => {
  const document = documentOf(codec)
  const { context, options = [] } = marks ?? {}
  const all = [...(context === undefined ? [] : [context.options]), ...options, own]
  return Object.freeze({
    _tag: 'Xml',
    codec,
    document,
    context,
    hasWriter: all.some(({ writer }) => writer !== undefined),
    read: reading(document, all),
    writer: (omits: Omits) => writing(document, all, omits),
    within: (around: XmlMarks) => make(codec, own, around),
  })
}

/** Reads with all that is said of it, the nearest last. */
export const reading = (
  document: Pick<XmlDocument, 'read'>,
  options: ReadonlyArray<XmlOptions>,
): XmlFormat['read'] => {
  const readers = options.flatMap(({ reader }) => (reader === undefined ? [] : [reader]))
  if (readers.length === 0) return document.read
  return (text, how) =>
    readers.reduceRight<ReadXml>(
      (read, around) => around(read),
      (inside) => document.read(inside, how),
    )(text)
}

/** Writes with all that is said of it. */
export const writing = (
  document: Pick<XmlDocument, 'writer'>,
  options: ReadonlyArray<XmlOptions>,
  omits: Omits,
): WriteXml => {
  const said = options.reduce<XmlOptions>((outside, inside) => ({ ...outside, ...inside }), {})
  const { formatted = false, declaration = true } = said
  const root = document.writer({ indentation: formatted ? '  ' : '', omits })
  // a formatted root begins on a line of its own
  const write: WriteXml = declaration
    ? (value) => `<?xml version="1.0" encoding="UTF-8"?>${root(value)}`
    : formatted
      ? (value) => root(value).slice(1)
      : root
  return options.reduceRight<WriteXml>(
    (inside, { writer }) => (writer === undefined ? inside : writer(inside)),
    write,
  )
}
