/**
 * Runs the callbacks that `context.onEnd` registers for a request (step 14). The callbacks run like nested `finally` blocks: the
 * callback that was registered last runs first. Each callback waits for the previous callback to finish.
 */
import type { End } from '../endpoint/context.ts'
import { isAbort } from './errors/log-errors.ts'
import type { RequestInfo } from './context/request-info.ts'
import { whenSettled } from '../body/maybe-async.ts'

type EndCallback = (end: End) => unknown

/** The end callbacks for one request. Created when the first callback is registered. */
export class EndCallbacks {
  #state: RequestInfo
  readonly #callbacks: EndCallback[] = []
  #end: End | undefined = undefined
  #isBusy = false

  constructor(state: RequestInfo) {
    this.#state = state
    state.elapsed()
    state.exchange.onEnd(() => {
      const { status, operation } = this.#state
      this.#end = { status, endpoint: operation?.endpoint, duration: this.#state.elapsed() }
      this.#runNext(this.#end)
    })
  }

  /** Reports the status of `state` from now on, because `state` responds after a timeout. */
  transferTo(state: RequestInfo): void {
    this.#state = state
  }

  /** Registers a callback. After the end of the request, the callback runs immediately, so that no resource stays open. */
  add(callback: EndCallback): void {
    this.#callbacks.push(callback)
    if (this.#end !== undefined && !this.#isBusy) this.#runNext(this.#end)
  }

  /**
   * Runs the callback that was registered last. An error in the callback can only be logged, because the response is complete.
   */
  #runNext(end: End): void {
    const callback = this.#callbacks.pop()
    this.#isBusy = callback !== undefined
    if (callback === undefined) return
    const failed = (error: unknown): void => {
      const { program, exchange, id } = this.#state
      const level = isAbort(error, () => exchange.signal()) ? 'debug' : 'error'
      program.logger[level]({ id, err: error }, 'An onEnd callback failed')
      this.#runNext(end)
    }
    try {
      whenSettled(callback(end), () => this.#runNext(end), failed)
    } catch (error) {
      failed(error)
    }
  }
}
