/**
 * Timers shared by many requests, and the deadline by which the response to a request must start (`fw.http.handler-timeout`).
 *
 * All operations with the same timeout share one timer. A request that meets its deadline therefore needs only a map entry
 * instead of its own timer.
 */
import type { Exchange } from './exchange.ts'

/** An entry in an {@link IntervalTimer}. */
export interface TimerEntry {
  /** Called when the interval has passed. Not called again unless the entry is restarted. */
  readonly onTimeout: () => void
}

/** A timer for any number of entries with the same interval. The timer does not keep the process alive. */
export class IntervalTimer {
  readonly #interval: number
  /** The expiration time of each entry, in ascending order. */
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

  /** Whether the underlying timer is running. */
  get isActive(): boolean {
    return this.#timer !== undefined
  }

  register(): void {
    if (this.#size++ === 0) this.#set(this.#interval)
  }

  /** Starts or restarts the interval of an entry. */
  restart(entry: TimerEntry): void {
    this.#expirations.delete(entry)
    this.#expirations.set(entry, performance.now() + this.#interval)
  }

  pause(entry: TimerEntry): void {
    this.#expirations.delete(entry)
  }

  /** Removes an entry. Must be called once for each call to `register`. */
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

/**
 * Creates a function that returns the shared timer for a timeout in milliseconds. The function returns `undefined` for `0`, which
 * disables the timeout.
 */
export const timerByInterval = (): ((timeout: number) => IntervalTimer | undefined) => {
  const timers = new Map<number, IntervalTimer>()
  return (timeout) => {
    const existing = timers.get(timeout)
    if (timeout === 0 || existing !== undefined) return existing
    const timer = new IntervalTimer(timeout)
    timers.set(timeout, timer)
    return timer
  }
}

/**
 * The deadline by which the response to one request must start. The timer starts when the object is created. It stops when the
 * response starts or the client disconnects.
 */
export class Deadline implements TimerEntry {
  readonly #timer: IntervalTimer
  readonly #exchange: Pick<Exchange, 'signal' | 'onEnd'>
  readonly #onLate: () => void
  #controller: AbortController | undefined = undefined
  #isOver = false
  #isLate = false

  /** `onLate` is called once if the deadline passes. It must not throw. */
  constructor(
    timer: IntervalTimer,
    exchange: Pick<Exchange, 'signal' | 'onEnd'>,
    onLate: () => void,
  ) {
    this.#timer = timer
    this.#exchange = exchange
    this.#onLate = onLate
    timer.register()
    timer.restart(this)
    exchange.onEnd(() => this.meet())
  }

  /** Stops the timer while the server is waiting for the request body. */
  pause(): void {
    this.#timer.pause(this)
  }

  /** Restarts the timer with the full timeout. */
  restart(): void {
    if (!this.#isOver) this.#timer.restart(this)
  }

  /** Stops the timer when the response is about to start. Returns whether the deadline has been met. */
  meet(): boolean {
    if (!this.#isOver) {
      this.#isOver = true
      this.#timer.unregister(this)
    }
    return !this.#isLate
  }

  onTimeout(): void {
    this.meet()
    this.#isLate = true
    if (this.#controller !== undefined) this.#abort(this.#controller)
    this.#onLate()
  }

  /** Returns a signal that aborts when the deadline passes or the client disconnects. */
  signal(): AbortSignal {
    return (this.#controller ??= this.#createController()).signal
  }

  #createController(): AbortController {
    const controller = new AbortController()
    const disconnect = this.#exchange.signal()
    if (disconnect.aborted) controller.abort(disconnect.reason)
    else
      disconnect.addEventListener('abort', () => controller.abort(disconnect.reason), {
        once: true,
      })
    if (this.#isLate) this.#abort(controller)
    return controller
  }

  #abort(controller: AbortController): void {
    const message = `the response did not start within ${this.#timer.interval} ms`
    controller.abort(new DOMException(message, 'TimeoutError'))
  }
}
