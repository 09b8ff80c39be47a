/** Defines the options for reading and writing XML. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { XmlError } from './xml-binding.ts'

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
