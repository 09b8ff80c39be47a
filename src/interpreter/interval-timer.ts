/**
 * A timer for many entries that all wait for the same interval, such as the timeout of an operation.
 * Since the intervals are equal, entries time out in the order in which they started: entry `setTimeout` serves all of them. It is
 * set while entries are registered, and does not keep the process alive.
 */

export interface TimerEntry {
  /** Called when the interval is over. Not called again unless the entry is restarted. */
  readonly onTimeout: () => void
}

export class IntervalTimer {
  readonly #interval: number
  /** The times at which the entries time out, the earliest first. */
  readonly #expirations = new Map<TimerEntry, number>()
  #size = 0
  #timer: NodeJS.Timeout | undefined = undefined

  /** Creates a timer with an interval in milliseconds. */
  constructor(interval: number) {
    this.#interval = interval
  }

  get interval(): number {
    return this.#interval
  }

  /** The number of registered entries, including paused ones. */
  get size(): number {
    return this.#size
  }

  /** Whether the underlying timer is set. */
  get isActive(): boolean {
    return this.#timer !== undefined
  }

  register(): void {
    if (this.#size++ === 0) this.#set(this.#interval)
  }

  /** Starts the interval of an entry, or starts it again. */
  restart(entry: TimerEntry): void {
    this.#expirations.delete(entry)
    this.#expirations.set(entry, performance.now() + this.#interval)
  }

  pause(entry: TimerEntry): void {
    this.#expirations.delete(entry)
  }

  /** Removes an entry. Must be called once for each call of `register`. */
  unregister(entry: TimerEntry): void {
    this.#expirations.delete(entry)
    if (--this.#size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #set(delay: number): void {
    // an `onTimeout` callback may have unregistered the last entry and registered another entry
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#expire, Math.ceil(delay)).unref()
  }

  readonly #expire = (): void => {
    const now = performance.now()
    let next = now + this.#interval
    for (const [entry, at] of this.#expirations) {
      if (at > now) {
        next = at
        break
      }
      this.#expirations.delete(entry)
      entry.onTimeout()
    }
    if (this.#size > 0) this.#set(next - now)
  }
}
