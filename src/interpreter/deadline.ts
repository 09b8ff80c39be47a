/**
 * The time in which an operation has to begin its response. One timer serves all requests of operations that have the same
 * time; one that is answered in time costs an entry in a map.
 */
import type { Exchange } from './exchange.ts'
import type { TimerEntry } from './interval-timer.ts'
import { IntervalTimer } from './interval-timer.ts'

/** One clock for all operations that have the same time, in milliseconds; none where it is 0. */
export const timerByInterval = (): ((time: number) => IntervalTimer | undefined) => {
  const made = new Map<number, IntervalTimer>()
  return (time) => {
    const known = made.get(time)
    if (time === 0 || known !== undefined) return known
    const clock = new IntervalTimer(time)
    made.set(time, clock)
    return clock
  }
}

/** The time of one request, from when it is made. It ends with the response, or when the client goes. */
export class Deadline implements TimerEntry {
  readonly #clock: IntervalTimer
  readonly #exchange: Pick<Exchange, 'signal' | 'onEnd'>
  readonly #late: () => void
  #controller: AbortController | undefined = undefined
  #isOver = false
  #isLate = false

  /** `late` is called when the time is over, once, and must not throw. */
  constructor(
    clock: IntervalTimer,
    exchange: Pick<Exchange, 'signal' | 'onEnd'>,
    late: () => void,
  ) {
    this.#clock = clock
    this.#exchange = exchange
    this.#late = late
    clock.register()
    clock.restart(this)
    exchange.onEnd(() => this.meet())
  }

  /** It is the client that is waited for. */
  pause(): void {
    this.#clock.pause(this)
  }

  /** The whole time is there again. */
  restart(): void {
    if (!this.#isOver) this.#clock.restart(this)
  }

  /** The response begins; says whether that is in time. */
  meet(): boolean {
    if (!this.#isOver) {
      this.#isOver = true
      this.#clock.unregister(this)
    }
    return !this.#isLate
  }

  onTimeout(): void {
    this.meet()
    this.#isLate = true
    if (this.#controller !== undefined) this.#abort(this.#controller)
    this.#late()
  }

  /** Aborts when the time is over, or the client has gone before it was answered. */
  signal(): AbortSignal {
    return (this.#controller ??= this.#watching()).signal
  }

  #watching(): AbortController {
    const controller = new AbortController()
    const gone = this.#exchange.signal()
    if (gone.aborted) controller.abort(gone.reason)
    else gone.addEventListener('abort', () => controller.abort(gone.reason), { once: true })
    if (this.#isLate) this.#abort(controller)
    return controller
  }

  #abort(controller: AbortController): void {
    const message = `the response has not begun within ${this.#clock.interval} ms`
    controller.abort(new DOMException(message, 'TimeoutError'))
  }
}
