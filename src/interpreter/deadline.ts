/**
 * The deadline by which an operation must begin its response (`fw.http.handler-timeout`). All requests of operations with the
 * same timeout share one timer, so a request that is answered in time costs one entry in a map.
 */
import type { Exchange } from './exchange.ts'
import type { TimerEntry } from './interval-timer.ts'
import { IntervalTimer } from './interval-timer.ts'

/** Returns a function that returns the shared timer of a timeout in milliseconds, or `undefined` for 0 (no timeout). */
export const timerByInterval = (): ((timeout: number) => IntervalTimer | undefined) => {
  const timers = new Map<number, IntervalTimer>()
  return (timeout) => {
    const known = timers.get(timeout)
    if (timeout === 0 || known !== undefined) return known
    const timer = new IntervalTimer(timeout)
    timers.set(timeout, timer)
    return timer
  }
}

/** The deadline of one request. It starts with its creation and ends with the response or a disconnect. */
export class Deadline implements TimerEntry {
  readonly #timer: IntervalTimer
  readonly #exchange: Pick<Exchange, 'signal' | 'onEnd'>
  readonly #onLate: () => void
  #controller: AbortController | undefined = undefined
  #isOver = false
  #isLate = false

  /** `onLate` is called once, when the time is over. It must not throw. */
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

  /** Stops the timer while the server waits for the request body. */
  pause(): void {
    this.#timer.pause(this)
  }

  /** Starts the timer again with the full timeout. */
  restart(): void {
    if (!this.#isOver) this.#timer.restart(this)
  }

  /** Ends the deadline because the response begins. Returns whether that is in time. */
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

  /** Returns a signal that aborts when the time is over or the client disconnects. */
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
    const message = `the response did not begin within ${this.#timer.interval} ms`
    controller.abort(new DOMException(message, 'TimeoutError'))
  }
}
