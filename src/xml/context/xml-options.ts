/** Defines the options for reading and writing XML. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { XmlError } from './xml-binding.ts'

/** Reads a document. Returns the decoded value, or validation errors. */
export type ReadXml = (text: string) => Either<ReadonlyArray<XmlError>, unknown>

/** Writes a value as a document. */
export type WriteXml = (value: unknown) => string

/**
 * Options that XML representations and their enclosing scopes can declare.
 *
 * For `formatted` and `declaration`, the innermost scope takes precedence. The functions `reader` and `writer` are composed,
 * starting with the innermost.
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
   * The wrapper receives complete values. If the codec has secured fields, a `writer` is therefore a configuration error
   * (FW-FIELD-003), unless `secureSerialization(false)` is declared.
   */
  readonly writer?: (write: WriteXml) => WriteXml
}

/** The properties of an XML context that representations use. */
export interface XmlContextBase {
  readonly options: XmlOptions
  /** Whether a codec belongs to the context. */
  readonly holds: (codec: unknown) => boolean
}
