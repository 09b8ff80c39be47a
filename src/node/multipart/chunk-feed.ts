/** Passes the chunks of a multipart body to its parser on demand. */
import type { BodyStream } from '../../interpreter/chunks.ts'
import type { Demand } from './part-body.ts'
import type { PartParser } from './part-parser.ts'

/**
 * Maximum number of bytes that are parsed at once. This also limits the number of parts that are parsed before the first of them
 * can be read or rejected.
 */
const maxChunkSize = 64 * 1024

/** The receiver of a feed's events. */
export interface FeedEvents {
  /** Called when all chunks have been received, unless the feed was discarded before. */
  readonly onEnd: () => void
  /** Called if a chunk cannot be received, or if the parser throws. */
  readonly fail: (error: unknown) => void
}

/** Parses chunks while a reader is waiting for data. */
export class ChunkFeed implements Demand {
  readonly #chunks: BodyStream
  readonly #parser: PartParser
  readonly #free: BodyStream['free']
  readonly #events: FeedEvents
  #isRequested = false
  #isDiscarded = false
  /** Whether a chunk is being received or parsed, or all chunks have been received. */
  #isBusy = false
  #chunk: Uint8Array | undefined = undefined
  /** Number of bytes of the chunk that have been parsed. */
  #parsed = 0

  constructor(
    chunks: BodyStream,
    parser: PartParser,
    free: BodyStream['free'],
    events: FeedEvents,
  ) {
    this.#chunks = chunks
    this.#parser = parser
    this.#free = free
    this.#events = events
  }

  request(): void {
    this.#isRequested = true
    if (!this.#isBusy) this.#advance()
  }

  satisfy(): void {
    this.#isRequested = false
  }

  /** Receives and discards the remaining chunks, because another request may follow. */
  discard(): void {
    if (this.#isDiscarded) return
    this.#isDiscarded = true
    this.#chunk = undefined
    if (!this.#isBusy) this.#advance()
  }

  #advance(): void {
    this.#isBusy = true
    while (this.#isRequested && this.#chunk !== undefined) this.#parseNext(this.#chunk)
    if (this.#isRequested || this.#isDiscarded) this.#chunks.next().then(this.#receive, this.#fail)
    else this.#isBusy = false
  }

  #parseNext(chunk: Uint8Array): void {
    const start = this.#parsed
    if (start >= chunk.length) {
      this.#chunk = undefined
      this.#free?.(chunk)
      return
    }
    this.#parsed = start + maxChunkSize
    this.#parser.parse(sliceOf(chunk, start, Math.min(this.#parsed, chunk.length)))
  }

  readonly #receive = ({ done, value }: IteratorResult<Uint8Array, undefined>): void => {
    try {
      if (done !== true) {
        if (!this.#isDiscarded) this.#chunk = value
        this.#parsed = 0
        this.#advance()
      } else if (!this.#isDiscarded) this.#events.onEnd()
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #fail = (error: unknown): void => this.#events.fail(error)
}

/** Returns a chunk, or a part of it, without copying it. */
const sliceOf = (chunk: Uint8Array, start: number, end: number): Buffer =>
  start === 0 && end === chunk.length && Buffer.isBuffer(chunk)
    ? chunk
    : Buffer.from(chunk.buffer, chunk.byteOffset + start, end - start)
