/**
 * Interfaces for the compressors provided by a runtime. The interpreter decides what to compress and does not depend on `zlib`.
 */
import type { ContentCoding } from '../http/quality.ts'

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
