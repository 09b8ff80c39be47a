/**
 * The interfaces through which the interpreter accesses files, compression and multipart parsing. They are implemented by the
 * runtime, because the interpreter does not import `node:` modules.
 */
import type { OpenHandle } from '../endpoint/file.ts'
import type { PartLimits, RawPart } from '../body/multipart/raw-part.ts'
import { ServiceUnavailable } from '../endpoint/http-error.ts'
import type { TurnBudget } from './turn-budget.ts'
import type { ContentCoding } from '../http/quality.ts'
import type { BodyStream } from './chunks.ts'
import { codeOf } from '../http/platform-value.ts'

/** The file operations provided by a runtime. */
export interface FileSystem {
  /**
   * Whether the runtime has no files, so that uploaded files are held in memory and all other operations reject. Default: `false`.
   */
  readonly isMissing?: boolean
  /** Opens a file for reading. */
  readonly open: (path: string) => Promise<OpenFile>
  /** Takes ownership of a file handle opened by the application, and returns the file for reading. */
  readonly adopt: (handle: OpenHandle) => Promise<OpenFile>
  /** Creates a file in which a request body is stored. The file name is unpredictable. */
  readonly create: () => Promise<NewFile>
  /**
   * Creates a temporary file. The caller must delete the file at the end of the request. If the process crashes, the next process
   * deletes the file.
   */
  readonly createTemporary: () => Promise<NewFile>
  /** Moves a file. An existing file at `to` is replaced. */
  readonly move: (from: string, to: string) => Promise<void>
  /** Writes a file. An existing file at `path` is replaced. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
  /** Deletes a file. Succeeds even if the file does not exist. */
  readonly delete: (path: string) => Promise<void>
}

/** A file that is open for reading. `size` and `modified` describe the file at the time it was opened. */
export interface OpenFile {
  /** The file size in bytes. */
  readonly size: number
  /** The modification time in milliseconds since the Unix epoch. The value can have a fractional part. */
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
  /** Appends bytes. The bytes must not be modified until the promise resolves. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Closes the file. Afterwards, the file can be opened for reading. */
  readonly close: () => Promise<void>
  /** Deletes the file, whether it is open or closed. Succeeds even if the file does not exist. */
  readonly delete: () => Promise<void>
}

/** Converts an `EMFILE` or `ENFILE` error to a 503 error with a `Retry-After` header. Returns any other error unchanged. */
export const mapOpenError = (error: unknown): unknown => {
  const code = codeOf(error)
  return code === 'EMFILE' || code === 'ENFILE'
    ? new ServiceUnavailable('too many open files', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : error
}

/** The objects and functions that a runtime provides to the interpreter. */
export interface Platform {
  readonly files: FileSystem
  /** The decompressors, keyed by content coding in lower case. */
  readonly decompressors: ReadonlyMap<string, Decompressor>
  readonly compressors: Compressors
  readonly splitParts: SplitParts
  /** Limits the total time that response streams may use in each event-loop turn. */
  readonly turnBudget: TurnBudget
}

/** Decompresses a body that has a single content coding. Reading the result fails if the body is malformed. */
export type Decompressor = (compressed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/**
 * Splits a multipart body into parts. Rejects with an `HttpError` if the body is malformed. Errors from `chunks` are propagated.
 *
 * If iteration ends early, the rest of the body is discarded. If `free` is given, it is called with each chunk after the chunk has
 * been consumed. The caller must then read the bytes of a part before it requests the next chunk.
 */
export type SplitParts = (
  chunks: BodyStream,
  boundary: string,
  limits: PartLimits,
  free?: BodyStream['free'],
) => AsyncGenerator<RawPart, undefined>

/** The compressor for each supported content coding. */
export type Compressors = ReadonlyMap<ContentCoding, Compressor>

/** Compresses bodies with one content coding. */
export interface Compressor {
  /**
   * Compresses a complete body. A small body is compressed synchronously. A larger body is compressed without blocking the event
   * loop.
   */
  readonly compress: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
  /** Starts the compression of a body that is sent in chunks. Omitted if the runtime cannot flush compressed data. */
  readonly start?: () => Compression
}

/** Compresses one body in chunks. If `write` or `end` rejects, the body cannot be compressed any further. */
export interface Compression {
  /**
   * Compresses a chunk and flushes the compressor. The client can therefore decompress the chunk as soon as it arrives. This
   * method must not be called again until the returned promise has settled.
   */
  readonly write: (chunk: string | Uint8Array) => Promise<Uint8Array>
  /** Ends the compression and returns the remaining bytes. */
  readonly end: () => Promise<Uint8Array>
  /** Releases the compressor. May be called before or after `end`. Never throws. */
  readonly close: () => void
}

/** An empty map, for runtimes that do not support compression. */
export const noCompressors: Compressors = new Map()
