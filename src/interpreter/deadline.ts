/** The deadline by which the response to a request must start (`fw.http.handler-timeout`). */
import type { Exchange } from './exchange.ts'
import type { Timer } from './event-loop.ts'
import { startTimer } from './event-loop.ts'

/**
 * The deadline by which the response to one request must start. The timer starts when the object is created. It stops when the
 * response starts or the client disconnects.
 */
export class Deadline {
  readonly #timeout: number
  readonly #exchange: Pick<Exchange, 'signal' | 'onEnd'>
  readonly #onLate: () => void
  #timer: Timer | undefined = undefined
  #controller: AbortController | undefined = undefined
  #isOver = false
  #isLate = false

  /** `timeout` is in milliseconds. `onLate` is called once if the deadline passes. It must not throw. */
  constructor(timeout: number, exchange: Pick<Exchange, 'signal' | 'onEnd'>, onLate: () => void) {
    this.#timeout = timeout
    this.#exchange = exchange
    this.#onLate = onLate
    this.restart()
    exchange.onEnd(() => this.meet())
  }

  /** Stops the timer while the server is waiting for the request body. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Restarts the timer with the full timeout. */
  restart(): void {
    if (this.#isOver) return
    this.pause()
    this.#timer = startTimer(() => this.#expire(), this.#timeout)
  }

  /** Stops the timer when the response is about to start. Returns whether the deadline has been met. */
  meet(): boolean {
    this.#isOver = true
    this.pause()
    return !this.#isLate
  }

  /** Returns a signal that aborts when the deadline passes or the client disconnects. */
  signal(): AbortSignal {
    return (this.#controller ??= this.#createController()).signal
  }

  #expire(): void {
    this.#isOver = true
    this.#isLate = true
    if (this.#controller !== undefined) this.#abort(this.#controller)
    this.#onLate()
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
    const message = `the response did not start within ${this.#timeout} ms`
    controller.abort(new DOMException(message, 'TimeoutError'))
  }
}
