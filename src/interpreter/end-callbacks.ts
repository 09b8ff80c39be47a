/**
 * What is to be done when a request has ended: step 14. It nests like blocks of `finally`: what was registered last is done
 * first, and the next when that is done.
 */
import type { End } from '../endpoint/context.ts'
import { isAbort } from './errors/client-disconnect.ts'
import type { RequestInfo } from './context/request-info.ts'
import { whenSettled } from './maybe-async.ts'

type EndCallback = (end: End) => unknown

/** The end of one request, made when the first function is registered for it. */
export class EndCallbacks {
  #state: RequestInfo
  readonly #closers: EndCallback[] = []
  #end: End | undefined = undefined
  #isBusy = false

  constructor(state: RequestInfo) {
    this.#state = state
    state.elapsed()
    state.exchange.onEnd(() => {
      const { status, operation } = this.#state
      this.#end = { status, endpoint: operation?.endpoint, duration: this.#state.elapsed() }
      this.#close(this.#end)
    })
  }

  /** Tells of a state that answers in place of the one before. */
  transferTo(state: RequestInfo): void {
    this.#state = state
  }

  /** Has something done at the end; now when that has been, so that nothing stays open. */
  add(close: EndCallback): void {
    this.#closers.push(close)
    if (this.#end !== undefined && !this.#isBusy) this.#close(this.#end)
  }

  /** Nobody waits for it any more, so what goes wrong is only logged. */
  #close(end: End): void {
    const close = this.#closers.pop()
    this.#isBusy = close !== undefined
    if (close === undefined) return
    const failed = (error: unknown): void => {
      const { program, exchange, id } = this.#state
      const level = isAbort(error, () => exchange.signal()) ? 'debug' : 'error'
      program.logger[level]({ id, err: error }, 'Something failed at the end of a request.')
      this.#close(end)
    }
    try {
      whenSettled(close(end), () => this.#close(end), failed)
    } catch (error) {
      failed(error)
    }
  }
}
