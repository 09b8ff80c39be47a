/**
 * The interfaces that a runtime implements for the engine, which does not import `node:` modules: files, compression and multipart
 * parsing. A program has one platform.
 */
import type { Compressors } from './response/compressors.ts'
import type { FileSystem } from './file-system.ts'
import type { TurnBudget } from './response/stream/turn-budget.ts'
import type { Headers } from '../http/headers.ts'
import type { BodyStream } from './request-body/body-stream.ts'

export interface Platform {
  readonly files: FileSystem
  /** Decompressors by content coding, in lower case. */
  readonly decompressors: ReadonlyMap<string, Decompressor>
  readonly compressors: Compressors
  readonly splitParts: SplitParts
  /** The time per turn of the event loop that all response streams share. */
  readonly turnBudget: TurnBudget
}

export type Decompressor = (coded: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** A part of a multipart body. Its body must be read before the next part is requested; otherwise it is skipped. */
export interface RawPart {
  readonly headers: Headers
  readonly body: AsyncIterable<Uint8Array>
}

export interface PartLimits {
  /** Maximum bytes of the header section of a part. */
  readonly headerSize: number
  /** Maximum number of headers of a part. */
  readonly headerCount: number
}

/**
 * Splits a multipart body into parts. Rejects with an `HttpError` for a malformed body, and with the errors of `chunks`.
 *
 * After an early `return`, the rest of the body is discarded. `free` is called with each consumed chunk. With it, the bytes of a
 * part must not be read after the next chunk has been requested.
 */
export type SplitParts = (
  chunks: BodyStream,
  boundary: string,
  limits: PartLimits,
  free?: BodyStream['free'],
) => AsyncGenerator<RawPart, undefined>
