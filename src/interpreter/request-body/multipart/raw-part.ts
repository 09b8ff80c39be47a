/**
 * Multipart content taken apart: what is between its delimiters, as it comes. What does that works with the streams of Node, so
 * the runtime has it; the engine asks its exchange.
 */
import type { Headers } from '../../../http/headers.ts'
import type { BodyStream } from '../body-stream.ts'

/** A part whose content is read before the next part is asked for, or skipped. */
export interface RawPart {
  readonly headers: Headers
  readonly content: AsyncIterable<Uint8Array>
}

export interface PartLimits {
  /** Octets of the header section of a part. */
  readonly headerSize: number
  /** Fields of a part. */
  readonly headerFields: number
}

/**
 * Takes multipart content apart. It rejects with an `HttpError` when the content is not what its boundary says, up to its last
 * octet, and with what its pieces reject with. Of what nobody asks for any more, the
 * rest is discarded. `free` is told of every piece that is taken up; who gives it reads no octets of a part any more once they
 * have asked for what follows.
 */
export type SplitParts = (
  pieces: BodyStream,
  boundary: string,
  limits: PartLimits,
  free?: BodyStream['free'],
) => AsyncGenerator<RawPart, undefined>
