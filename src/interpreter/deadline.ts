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

/** A timer for any number of entries with the same interval. */
export interface RequestTimer {
  readonly interval: number
  /** Must be called once for each entry before the entry is started. */
  readonly register: () => void
  /** Starts or restarts the interval of an entry. */
  readonly restart: (entry: TimerEntry) => void
  readonly pause: (entry: TimerEntry) => void
  /** Removes an entry. Must be called once for each call to `register`. */
  readonly unregister: (entry: TimerEntry) => void
}

/** Starts a timer that does not keep the process alive, on runtimes where timers can do so. */
const startTimer = (run: () => void, delay: number): ReturnType<typeof setTimeout> => {
  const timer = setTimeout(run, delay)
  // on other runtimes, a timer is a number
  if (typeof timer === 'object') timer.unref()
  return timer
}

/** A timer that entries share. The timer does not keep the process alive. */
export class IntervalTimer implements RequestTimer {
  readonly #interval: number
  /** The expiration time of each entry, in ascending order. */
  readonly #expirations = new Map<TimerEntry, number>()
  #size = 0
  #timer: ReturnType<typeof setTimeout> | undefined = undefined

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
    this.#timer = startTimer(this.#expire, Math.ceil(delay))
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

/** A timer that starts a timeout of its own for each entry, for runtimes where requests must not share a timeout. */
export class SeparateTimer implements RequestTimer {
  readonly interval: number
  readonly #timeouts = new Map<TimerEntry, ReturnType<typeof setTimeout>>()

  /** Creates a timer with an interval in milliseconds. */
  constructor(interval: number) {
    this.interval = interval
  }

  register(): void {}

  restart(entry: TimerEntry): void {
    this.pause(entry)
    const timeout = startTimer(() => {
      this.#timeouts.delete(entry)
      entry.onTimeout()
    }, this.interval)
    this.#timeouts.set(entry, timeout)
  }

  pause(entry: TimerEntry): void {
    clearTimeout(this.#timeouts.get(entry))
    this.#timeouts.delete(entry)
  }

  unregister(entry: TimerEntry): void {
    this.pause(entry)
  }
}

/**
 * Creates a function that returns the shared timer for a timeout in milliseconds. The function returns `undefined` for `0`, which
 * disables the timeout. If `areSeparate` is `true`, each entry of the timer has a timeout of its own.
 */
export const timerByInterval = (
  areSeparate = false,
): ((timeout: number) => RequestTimer | undefined) => {
  const timers = new Map<number, RequestTimer>()
  return (timeout) => {
    const existing = timers.get(timeout)
    if (timeout === 0 || existing !== undefined) return existing
    const timer = areSeparate ? new SeparateTimer(timeout) : new IntervalTimer(timeout)
    timers.set(timeout, timer)
    return timer
  }
}

/**
 * The deadline by which the response to one request must start. The timer starts when the object is created. It stops when the
 * response starts or the client disconnects.
 */
export class Deadline implements TimerEntry {
  readonly #timer: RequestTimer
  readonly #exchange: Pick<Exchange, 'signal' | 'onEnd'>
  readonly #onLate: () => void
  #controller: AbortController | undefined = undefined
  #isOver = false
  #isLate = false

  /** `onLate` is called once if the deadline passes. It must not throw. */
  constructor(
    timer: RequestTimer,
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
