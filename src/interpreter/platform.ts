/**
 * The interfaces through which the interpreter uses files, compression and multipart parsing. The runtime implements these
 * interfaces, because the interpreter does not import `node:` modules. Each program has one platform.
 */
import type { OpenHandle } from '../endpoint/file.ts'
import { ServiceUnavailable } from '../endpoint/http-error.ts'
import type { Compressors } from './response/compressors.ts'
import type { TurnBudget } from './response/stream/turn-budget.ts'
import type { Headers } from '../http/headers.ts'
import type { BodyStream } from './chunks.ts'

/** The file operations that a runtime provides. */
export interface FileSystem {
  /** Opens a file for reading. */
  readonly open: (path: string) => Promise<OpenFile>
  /** Takes over the handle of a file that the application has opened, and returns the file for reading. */
  readonly adopt: (handle: OpenHandle) => Promise<OpenFile>
  /** Creates a file for a request body, with an unpredictable name. */
  readonly create: () => Promise<NewFile>
  /**
   * Creates a temporary file, which the caller deletes at the end of the request. After a crash, the next process deletes the
   * file.
   */
  readonly createTemporary: () => Promise<NewFile>
  /** Moves a file. An existing file at `to` is replaced. */
  readonly move: (from: string, to: string) => Promise<void>
  /** Writes a file. An existing file at `path` is replaced. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
  /** Deletes a file. Succeeds even if the file does not exist. */
  readonly delete: (path: string) => Promise<void>
}

/** A file that is open for reading. `size` and `modified` describe the file at the time when it was opened. */
export interface OpenFile {
  /** The file size in bytes. */
  readonly size: number
  /** The modification time in milliseconds since 1970. May have a fractional part. */
  readonly modified: number
  /** Reads up to `length` bytes, starting at `position`. Returns an empty array at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Uint8Array>
  readonly close: () => Promise<void>
  /** Releases bytes that are no longer needed, so that their memory can be reused. */
  readonly free?: ((bytes: Uint8Array) => void) | undefined
}

/** A file that is open for writing. */
export interface NewFile {
  readonly path: string
  /** Appends bytes. The bytes must not change until the promise resolves. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Closes the file. Afterwards, the file can be read. */
  readonly close: () => Promise<void>
  /** Deletes the file, whether it is open or closed. Succeeds even if the file does not exist. */
  readonly delete: () => Promise<void>
}

/** Converts an EMFILE or ENFILE error to a 503 error with a `Retry-After` header. Returns any other error unchanged. */
export const mapOpenError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EMFILE' || code === 'ENFILE'
    ? new ServiceUnavailable('too many open files', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : error
}

/** The functions that a runtime provides to the interpreter. */
export interface Platform {
  readonly files: FileSystem
  /** The decompressor for each content coding. Content codings are in lower case. */
  readonly decompressors: ReadonlyMap<string, Decompressor>
  readonly compressors: Compressors
  readonly splitParts: SplitParts
  /** Limits the time that all response streams may use in one event-loop turn. */
  readonly turnBudget: TurnBudget
}

/** Decompresses a body that has one content coding. Rejects if the input is malformed. */
export type Decompressor = (compressed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/**
 * A part of a multipart body. The body of the part must be read before the next part is requested. Otherwise, the body is
 * skipped.
 */
export interface RawPart {
  readonly headers: Headers
  readonly body: AsyncIterable<Uint8Array>
}

/** Limits for the header section of a part. */
export interface PartLimits {
  /** Maximum size of the header section, in bytes. */
  readonly headerSize: number
  /** Maximum number of headers in the header section. */
  readonly headerCount: number
}

/**
 * Splits a multipart body into parts. Rejects with an `HttpError` if the body is malformed, and with any error from `chunks`.
 *
 * After an early `return`, the rest of the body is discarded. `free` is called with each chunk that has been consumed. If `free`
 * is given, the bytes of a part must not be read after the next chunk has been requested.
 */
export type SplitParts = (
  chunks: BodyStream,
  boundary: string,
  limits: PartLimits,
  free?: BodyStream['free'],
) => AsyncGenerator<RawPart, undefined>
