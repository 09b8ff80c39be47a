/** The body of a form part whose size is limited. */
import type { PartContent } from '../../platform.ts'

/** The next chunk of the body of a part. */
export type PartChunk = IteratorResult<Uint8Array, undefined>

/** The result after the last chunk. */
export const noMoreChunks: PartChunk = Object.freeze({ done: true, value: undefined })

/** A body that counts the bytes that are read. Its subclasses read the chunks. */
export abstract class LimitedContent implements PartContent {
  #remaining = Infinity
  #createError: () => Error = () => new RangeError('limit exceeded')

  abstract next(): Promise<PartChunk>
  abstract return(): Promise<PartChunk>

  limit(maximum: number, createError: () => Error): this {
    this.#remaining = maximum
    this.#createError = createError
    return this
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Counts the bytes of a chunk that is about to be read. Returns an error if they exceed the limit. */
  protected count({ length }: Uint8Array): Error | undefined {
    this.#remaining -= length
    return this.#remaining < 0 ? this.#createError() : undefined
  }
}
