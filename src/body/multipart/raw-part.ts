/** The parts of a multipart body: what each parser provides, and what servers and clients read. */
import * as O from 'fp-ts/lib/Option.js'
import type { Headers } from '../../http/headers.ts'
import type { PartHead } from '../../http/part-headers.ts'
import { parsePartHead } from '../../http/part-headers.ts'

/**
 * A part of a multipart body. If the body of the part has not been read completely when the next part is requested, the remaining
 * bytes are skipped.
 */
export interface RawPart {
  readonly headers: Headers
  readonly body: PartContent
}

/** The bytes of a part. */
export interface PartContent extends AsyncIterableIterator<Uint8Array> {
  /**
   * Sets the maximum number of bytes. Reading fails with the error that `createError` returns as soon as the limit is exceeded. Must be
   * called before the first read.
   */
  readonly limit: (maximum: number, createError: () => Error) => this
}

/** Limits for the header section of a part. */
export interface PartLimits {
  /** Maximum size of the header section, in bytes. */
  readonly headerSize: number
  /** Name of the limit on the size in error messages. */
  readonly headerSizeName: string
  /** Maximum number of headers in the header section. */
  readonly headerCount: number
  /** Name of the limit on the number of headers in error messages. */
  readonly headerCountName: string
  /** Charset of header sections that are not valid UTF-8. Default: `utf-8`. */
  readonly headerCharset?: string
}

/** Creates the errors with which reading fails. */
export interface PartErrors {
  /** Creates an error for a malformed body. */
  readonly malformed: (detail: string) => Error
  /** Creates an error for a header section above a limit. */
  readonly tooLarge: (detail: string) => Error
}

/** Receives the parts of a body from a parser. Its methods throw if a part is malformed. */
export interface PartReceiver {
  /** Begins a part. The bytes of the part begin with the line break after the delimiter. */
  readonly begin: () => void
  /** Receives bytes of the part: of its header section, the empty line, or its body. */
  readonly add: (bytes: Uint8Array) => void
  /** Ends the part. */
  readonly end: () => void
}

/** A parser of one body, which finds the delimiters between the parts. */
export interface PartParser {
  /**
   * Parses the next bytes. Bytes that the receiver gets may share memory with them. Throws an error for text after a delimiter, and the
   * errors of the receiver.
   */
  readonly write: (bytes: Uint8Array) => void
  /** Whether the closing delimiter has been found. */
  readonly isComplete: boolean
}

/** Creates a parser. `invalidDelimiter` creates the error for text after a delimiter. */
export type CreateParser = (
  boundary: string,
  receiver: PartReceiver,
  invalidDelimiter: () => Error,
) => PartParser

/** Interprets the headers of a form part. Throws an error if the part has no name. */
export const partHead = (headers: Headers, { malformed }: PartErrors): PartHead => {
  const head = parsePartHead(headers)
  if (O.isNone(head)) throw malformed('part with a missing name or a malformed Content-Disposition')
  return head.value
}
