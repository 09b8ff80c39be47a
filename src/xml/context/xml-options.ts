/** Options to read and write XML. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { XmlError } from './xml-binding.ts'

/** Reads a document. Returns the value, or validation errors. */
export type ReadXml = (text: string) => Either<ReadonlyArray<XmlError>, unknown>

/** Writes the document of a value. */
export type WriteXml = (value: unknown) => string

/**
 * Options of XML representations and of the scopes that enclose them.
 *
 * For properties, the innermost scope takes precedence. Functions are composed, the innermost first.
 */
export interface XmlOptions {
  /** Whether elements are on separate lines, indented by two spaces. Default: `false`. */
  readonly formatted?: boolean
  /** Whether documents begin with an XML declaration. The encoding is always UTF-8. Default: `true`. */
  readonly declaration?: boolean
  /** Wraps the function that reads documents. */
  readonly reader?: (read: ReadXml) => ReadXml
  /**
   * Wraps the function that writes documents.
   *
   * It receives complete values. For a codec with secured fields it is therefore a configuration error (FW-FIELD-003), unless
   * `secureSerialization(false)` is declared.
   */
  readonly writer?: (write: WriteXml) => WriteXml
}

/** The part of an XML context that representations use. */
export interface XmlContextBase {
  readonly options: XmlOptions
  /** Whether a codec belongs to the context. */
  readonly holds: (codec: unknown) => boolean
}
