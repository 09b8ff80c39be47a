/** Sources as they are sent: octets, asked for one piece at a time. */
import type { PullIterator } from '../../body/stream/pull-iterator.ts'
import type { Framing } from '../../body/stream/framings.ts'
import { openSource } from '../../body/stream/open-source.ts'

/** Opens a source when it is iterated. It is left when nobody asks any more, also while it waits. */
export const piecesOf = (source: unknown, framing: () => Framing): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => new Pieces(openSource(source), framing()),
})

type Result = IteratorResult<Uint8Array, undefined>

const encoder = new TextEncoder()
const over: Result = { done: true, value: undefined }

class Pieces implements AsyncIterator<Uint8Array, undefined> {
  readonly #source: PullIterator
  readonly #framing: Framing
  #isOver = false

  constructor(source: PullIterator, framing: Framing) {
    this.#source = source
    this.#framing = framing
  }

  async next(): Promise<Result> {
    while (!this.#isOver) {
      const { done, value } = await this.#source.next()
      if (this.#isOver) break
      if (done === true) this.#isOver = true
      const octets = octetsOf(done === true ? this.#framing.end : this.#framing.write(value))
      // an empty piece is none, and ends the content where pieces are chunks
      if (octets.length > 0) return { done: false, value: octets }
    }
    return over
  }

  async return(): Promise<Result> {
    if (!this.#isOver) {
      this.#isOver = true
      await this.#source.return?.()
    }
    return over
  }
}

const octetsOf = (written: string | Uint8Array): Uint8Array =>
  typeof written === 'string' ? encoder.encode(written) : written
