/** The source of a body that is sent in pieces. What goes wrong with it is known here: who sends says no more than that it failed. */
import type { OpenPieces } from './body-content.ts'

export class BodySource {
  hasFailed = false
  error: unknown = undefined
  readonly #open: OpenPieces
  #pieces: AsyncIterator<Uint8Array> | undefined = undefined
  #isLeft = false

  constructor(open: OpenPieces) {
    this.#open = open
  }

  /** Its octets; a piece is asked for when somebody wants it. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const next = await this.next()
          if (next === undefined) controller.close()
          else controller.enqueue(next)
        },
        cancel: () => this.leave(),
      },
      { highWaterMark: 0 },
    )
  }

  /** The next piece, `undefined` behind the last one. Who asks once it was left is told so: a part is never taken for the whole. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#isLeft) throw new Error('nobody sends it any more')
    try {
      this.#pieces ??= this.#open()[Symbol.asyncIterator]()
      const next = await this.#pieces.next()
      return next.done === true ? undefined : next.value
    } catch (error) {
      this.hasFailed = true
      this.error = error
      throw error
    }
  }

  /** Nobody asks any more; who does, opens nothing again. */
  leave(): void {
    this.#isLeft = true
    const left = this.#pieces?.return?.()
    left?.then(undefined, () => undefined)
    this.#pieces = undefined
  }
}
