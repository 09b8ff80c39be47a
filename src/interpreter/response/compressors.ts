/** The compressors that a runtime provides. The interpreter decides what to compress and does not depend on `zlib`. */
import type { ContentCoding } from '../../http/content-coding.ts'

/** The supported content codings. */
export type Compressors = ReadonlyMap<ContentCoding, Compressor>

/** Compresses bodies with one content coding. */
export interface Compressor {
  /** Compresses a complete body: synchronously if it is small, otherwise without blocking the event loop. */
  readonly compress: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
  /** Starts to compress a body in chunks. */
  readonly start: () => Compression
}

/** The compression of one body in chunks. A rejected promise ends it. */
export interface Compression {
  /**
   * Compresses a chunk and flushes the compressor, so that the client can decompress everything written so far.
   * Must not be called again before its promise has settled.
   */
  readonly write: (chunk: string | Uint8Array) => Promise<Uint8Array>
  /** Returns the bytes that follow the last chunk. */
  readonly end: () => Promise<Uint8Array>
  /** Releases the compressor, before or after its end. Never throws. */
  readonly close: () => void
}

/** No compressors, for runtimes without compression. */
export const noCompressors: Compressors = new Map()
