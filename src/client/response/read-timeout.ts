/** Limits how long a response body may pause, before its first chunk and between two chunks. */
import type { TimeLimit } from '../policy/timer.ts'

/** The error of a response body that paused for longer than the limit. */
export const idleTooLong: unique symbol = Symbol('idle too long')

/** A timer that runs from its creation until `stop` is called. */
export class ReadTimeout {
  readonly #limit: TimeLimit
  readonly #onExpired: () => void
  #cancel: () => void
  #isExpired = false

  /** `onExpired` is called once if the limit elapses. */
  constructor(limit: TimeLimit, onExpired: () => void) {
    this.#limit = limit
    this.#onExpired = onExpired
    this.#cancel = limit.after(this.#expire)
  }

  /** Restarts the timer after a chunk. */
  restart(): void {
    this.#cancel()
    this.#cancel = this.#limit.after(this.#expire)
  }

  /** Stops the timer. Returns whether the limit has elapsed. */
  stop(): boolean {
    this.#cancel()
    return this.#isExpired
  }

  readonly #expire = (): void => {
    this.#isExpired = true
    this.#onExpired()
  }
}
