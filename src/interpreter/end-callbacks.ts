/**
 * Runs the callbacks registered with `context.onEnd`. They run at the end of the request (step 14).
 *
 * Like nested `finally` blocks, the callbacks run in reverse order of registration. Each callback starts after the previous one
 * has finished.
 */
import type { End } from '../endpoint/context.ts'
import { isAbort } from './errors/log-errors.ts'
import type { RequestInfo } from './request-info.ts'
import { whenSettled } from '../http/platform-value.ts'

type EndCallback = (end: End) => unknown

/** The end callbacks of one request. Created when the first callback is registered. */
export class EndCallbacks {
  #state: RequestInfo
  readonly #callbacks: EndCallback[] = []
  #end: End | undefined = undefined
  #isBusy = false

  constructor(state: RequestInfo) {
    this.#state = state
    state.exchange.onEnd(() => {
      const { status, operation } = this.#state
      this.#end = { status, endpoint: operation?.endpoint, duration: this.#state.elapsed() }
      this.#runNext(this.#end)
    })
  }

  /**
   * Replaces the request state whose status is passed to the callbacks. Called after a timeout, when `state` takes over and sends
   * the response.
   */
  transferTo(state: RequestInfo): void {
    this.#state = state
  }

  /** Registers a callback. The callback runs even if the request has already ended, because it might release a resource. */
  add(callback: EndCallback): void {
    this.#callbacks.push(callback)
    if (this.#end !== undefined && !this.#isBusy) this.#runNext(this.#end)
  }

  /** Runs the most recently registered callback. An error can only be logged, because the request has already ended. */
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
