/** A content that is waited for: so long it may be silent, before its first piece and between two of them. */
import { systemClock } from '../policy/timer.ts'
import type { TimeLimit } from '../policy/timer.ts'

/** What a content that is silent for too long breaks off with. */
export const tooSilent: unique symbol = Symbol('too silent')

/**
 * Waits until it is told of the end. A content costs one entry in the timer that all calls have in common, which with its object
 * takes 0.4 µs: a piece is only noted, and another wait is begun when the first one is over.
 */
export class Silence {
  readonly #limit: TimeLimit
  readonly #tooLong: () => void
  /** When the last piece came. */
  #heard: number | undefined = undefined
  #cancel: () => void
  #isTooLong = false

  constructor(limit: TimeLimit, tooLong: () => void) {
    this.#limit = limit
    this.#tooLong = tooLong
    this.#cancel = limit.after(this.#over)
  }

  heard(): void {
    this.#heard = performance.now()
  }

  /** Whether it was too silent. */
  end(): boolean {
    this.#cancel()
    return this.#isTooLong
  }

  readonly #over = (): void => {
    const { milliseconds } = this.#limit
    const left = this.#heard === undefined ? 0 : this.#heard + milliseconds - performance.now()
    if (left > 0) this.#cancel = systemClock.after(Math.ceil(left), this.#over)
    else {
      this.#isTooLong = true
      this.#tooLong()
    }
  }
}
