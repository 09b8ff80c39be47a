/** Reads the source of a streamed request body, and records its error, which transports do not report. */
import type { OpenStream } from '../request/written-body.ts'

export class BodySource {
  hasFailed = false
  error: unknown = undefined
  readonly #open: OpenStream
  #iterator: AsyncIterator<Uint8Array> | undefined = undefined
  #isClosed = false

  constructor(open: OpenStream) {
    this.#open = open
  }

  /** Returns a stream that reads the source on demand. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const next = await this.next()
          if (next === undefined) controller.close()
          else controller.enqueue(next)
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    )
  }

  /** Reads the next chunk; `undefined` at the end. Throws after `close`, so that an incomplete body is not sent as a complete one. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#isClosed) throw new Error('the request body is closed')
    try {
      this.#iterator ??= this.#open()[Symbol.asyncIterator]()
      const next = await this.#iterator.next()
      return next.done === true ? undefined : next.value
    } catch (error) {
      this.hasFailed = true
      this.error = error
      throw error
    }
  }

  /** Closes the source. Later reads fail. */
  close(): void {
    this.#isClosed = true
    const closing = this.#iterator?.return?.()
    closing?.then(undefined, () => undefined)
    this.#iterator = undefined
  }
}
