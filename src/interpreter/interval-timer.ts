/**
 * Calls those who have waited for an interval. There is one timer for all of them: everybody waits for the same time, so whoever
 * began first is due first. It is set while somebody is there, and does not keep a process alive.
 */

export interface TimerEntry {
  /** The interval is over. It is not called again unless it waits again. */
  readonly onTimeout: () => void
}

export class IntervalTimer {
  readonly #interval: number
  /** When each is due; the first of them first. */
  readonly #due = new Map<TimerEntry, number>()
  #present = 0
  #timer: NodeJS.Timeout | undefined = undefined

  /** The interval is in milliseconds. */
  constructor(interval: number) {
    this.#interval = interval
  }

  get interval(): number {
    return this.#interval
  }

  /** How many are there, whether they wait or not. */
  get size(): number {
    return this.#present
  }

  /** Whether its timer is set. */
  get isActive(): boolean {
    return this.#timer !== undefined
  }

  register(): void {
    if (this.#present++ === 0) this.#set(this.#interval)
  }

  /** Waits from now on, whatever was before. */
  restart(one: TimerEntry): void {
    this.#due.delete(one)
    this.#due.set(one, performance.now() + this.#interval)
  }

  pause(one: TimerEntry): void {
    this.#due.delete(one)
  }

  /** Has to be called once for each that has entered. */
  unregister(one: TimerEntry): void {
    this.#due.delete(one)
    if (--this.#present > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #set(delay: number): void {
    // somebody who was called may have been the last to leave, and somebody else have entered
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#ring, Math.ceil(delay)).unref()
  }

  readonly #ring = (): void => {
    const now = performance.now()
    let next = now + this.#interval
    for (const [one, at] of this.#due) {
      if (at > now) {
        next = at
        break
      }
      this.#due.delete(one)
      one.onTimeout()
    }
    if (this.#present > 0) this.#set(next - now)
  }
}
