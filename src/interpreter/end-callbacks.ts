/**
 * The callbacks of a request that `context.onEnd` registers: step 14. They run like nested `finally` blocks: the last one that
 * was registered runs first, and each one waits for the one before it.
 */
import type { End } from '../endpoint/context.ts'
import { isAbort } from './errors/client-disconnect.ts'
import type { RequestInfo } from './context/request-info.ts'
import { whenSettled } from './maybe-async.ts'

type EndCallback = (end: End) => unknown

/** The callbacks of one request. Created when the first one is registered. */
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

  /** Reports the status of `state` from now on, because it responds after a timeout. */
  transferTo(state: RequestInfo): void {
    this.#state = state
  }

  /** Registers a callback. After the end of the request it runs at once, so that no resource stays open. */
  add(callback: EndCallback): void {
    this.#callbacks.push(callback)
    if (this.#end !== undefined && !this.#isBusy) this.#runNext(this.#end)
  }

  /** Runs the last callback. Its error can only be logged: the response is complete. */
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
