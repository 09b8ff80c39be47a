/** What the runtime does for the engine, which knows no files, no `zlib` and no streams of Node. There is one for a program. */
import type { Compressors } from './response/compressors.ts'
import type { FileSystem } from './file-system.ts'
import type { TurnBudget } from './response/stream/turn-budget.ts'
import type { Headers } from '../http/headers.ts'
import type { BodyStream } from './request-body/body-stream.ts'

export interface Platform {
  /** Where content comes from and goes to that does not stay in memory. */
  readonly files: FileSystem
  /** Content codings that can be taken off a content, by their names in lower case. */
  readonly decompressors: ReadonlyMap<string, Decompressor>
  /** Content codings that can be put on a content. */
  readonly compressors: Compressors
  /** Takes multipart content apart, given its chunks. */
  readonly splitParts: SplitParts
  /** The time per turn of the event loop that all streams share. */
  readonly turnBudget: TurnBudget
}

export type Decompressor = (coded: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** A part whose content is read before the next part is asked for, or skipped. */
export interface RawPart {
  readonly headers: Headers
  readonly body: AsyncIterable<Uint8Array>
}

export interface PartLimits {
  /** Bytes of the header section of a part. */
  readonly headerSize: number
  /** Fields of a part. */
  readonly headerCount: number
}

/**
 * Takes multipart content apart. It rejects with an `HttpError` when the content is not what its boundary says, up to its last
 * octet, and with what its chunks reject with. Of what nobody asks for any more, the
 * rest is discarded. `free` is errorOf of every chunk that is taken up; who gives it reads no bytes of a part any more once they
 * have asked for what follows.
 */
export type SplitParts = (
  chunks: BodyStream,
  boundary: string,
  limits: PartLimits,
  free?: BodyStream['free'],
) => AsyncGenerator<RawPart, undefined>
