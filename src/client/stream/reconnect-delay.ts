/** Delays before attempts to reconnect to an event stream. They protect services and clients from each other. */

/** Bounds of a delay that a stream sets, in milliseconds. A service must not cause thousands of requests, or end the stream for days. */
const minRetry = 500
const maxRetry = 3_600_000

/** Longest delay, in milliseconds, to which a shorter delay grows. A connection that lasts as long is stable. */
const maxBackoff = 30_000

/** Creates the delays before attempts to reconnect. Tests replace the sources of random numbers and of the time. */
export class ReconnectDelay {
  readonly #configured: number
  readonly #random: () => number
  readonly #now: () => number
  #failures = 0
  /** Time at which the open connection was opened, in milliseconds. */
  #connectedAt: number

  /** `configured` is the delay of `Reconnect` in milliseconds. */
  constructor(configured: number, random = Math.random, now = () => performance.now()) {
    this.#configured = Math.max(configured, 1)
    this.#random = random
    this.#now = now
    this.#connectedAt = now()
  }

  onConnection(): void {
    this.#connectedAt = this.#now()
  }

  onEvent(): void {
    this.#failures = 0
  }

  /** Returns the delay before the next attempt, in milliseconds. `retry` is the delay that the stream has set. */
  next(retry: number | undefined): number {
    if (this.#now() - this.#connectedAt >= maxBackoff) this.#failures = 0
    this.#connectedAt = Infinity
    const first =
      retry === undefined ? this.#configured : Math.min(Math.max(retry, minRetry), maxRetry)
    const delay = Math.min(first * 2 ** this.#failures++, Math.max(first, maxBackoff))
    // the delay is a minimum, so that the random part is added
    return delay * (1 + this.#random() / 2)
  }
}
