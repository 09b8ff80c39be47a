/** How documents are read and written where it is not as usual. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { XmlError } from './xml-document.ts'

/** Reads a document: what is wrong with it, or the value. */
export type ReadXml = (text: string) => Either<ReadonlyArray<XmlError>, unknown>

/** Writes a document. */
export type WriteXml = (value: unknown) => string

/** Properties, and functions put around reading and writing. What is said nearer wins; functions add up, the nearest inside. */
export interface XmlOptions {
  /** Whether elements stand on lines of their own, indented by two spaces; `false` by default. */
  readonly formatted?: boolean
  /** Whether documents begin with an XML declaration, which says UTF-8, the only encoding; `true` by default. */
  readonly declaration?: boolean
  /** What reads, given what does otherwise. */
  readonly reader?: (read: ReadXml) => ReadXml
  /**
   * What writes, given what does otherwise. It is given values as they are: around a codec with secured members it is a
   * mistake (FW-FIELD-003), unless `secureSerialization(false)` says that nothing is secured.
   */
  readonly writer?: (write: WriteXml) => WriteXml
}

/** A context, as far as it concerns others: the codecs that it is of, and how it reads and writes them. */
export interface XmlHolder {
  readonly options: XmlOptions
  readonly holds: (codec: unknown) => boolean
}
