/** The body of a part, which is read while the multipart body is received. */
import type { PartContent } from './raw-part.ts'

type PartChunk = IteratorResult<Uint8Array, undefined>

const noMoreChunks: PartChunk = Object.freeze({ done: true, value: undefined })

/** The multipart body of a part. */
export interface ReceiveMore {
  /** Receives and parses more of the multipart body. Called when all chunks of the part have been read. */
  readonly receiveMore: () => Promise<void>
}

/** The body of one part. The parser adds chunks, and the reader of the part iterates over them. */
export class PartBody implements PartContent {
  readonly #source: ReceiveMore
  #chunks: Uint8Array[] = []
  #hasEnded = false
  #remaining = Infinity
  #createError: () => Error = () => new RangeError('limit exceeded')
  #error: Error | undefined = undefined

  constructor(source: ReceiveMore) {
    this.#source = source
  }

  limit(maximum: number, createError: () => Error): this {
    this.#remaining = maximum
    this.#createError = createError
    return this
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<PartChunk> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error
      const value = this.#chunks.shift()
      if (value !== undefined) return this.#count(value)
      if (this.#hasEnded) return noMoreChunks
      await this.#source.receiveMore()
    }
  }

  return(): Promise<PartChunk> {
    this.drop()
    return Promise.resolve(noMoreChunks)
  }

  add(chunk: Uint8Array): void {
    if (!this.#hasEnded && chunk.length > 0) this.#chunks.push(chunk)
  }

  end(): void {
    this.#hasEnded = true
  }

  /** Discards the rest of the body. */
  drop(): void {
    this.#hasEnded = true
    this.#chunks = []
  }

  /** Counts the bytes of a chunk. If they exceed the limit, drops the body and throws the error. */
  #count(value: Uint8Array): PartChunk {
    this.#remaining -= value.length
    if (this.#remaining >= 0) return { done: false, value }
    this.drop()
    this.#error = this.#createError()
    throw this.#error
  }
}
