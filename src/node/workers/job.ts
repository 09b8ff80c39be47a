/** A request that is dispatched to a worker, or waits for one. A job settles at most once. */
import type { Exchange } from '../../interpreter/exchange.ts'
import type {
  DispatchedRequest,
  DispatchResult,
} from '../../interpreter/workers/dispatched-request.ts'

export class Job {
  readonly number: number
  readonly handover: DispatchedRequest
  readonly #signal: AbortSignal
  readonly #callback: (outcome: DispatchResult) => void
  #isDisconnected = false
  #isSettled = false
  #timer: NodeJS.Timeout | undefined = undefined
  #onAbort: (() => void) | undefined = undefined
  #onDisconnect: (() => void) | undefined = undefined

  constructor(
    number: number,
    handover: DispatchedRequest,
    exchange: Pick<Exchange, 'signal' | 'onEnd'>,
    callback: (outcome: DispatchResult) => void,
  ) {
    this.number = number
    this.handover = handover
    this.#signal = exchange.signal()
    this.#callback = callback
    exchange.onEnd(() => {
      if (this.#isSettled) return
      this.#isDisconnected = true
      this.#onDisconnect?.()
    })
  }

  /** Whether the connection was closed before the job settled. */
  get isDisconnected(): boolean {
    return this.#isDisconnected
  }

  /** Whether the client has half-closed or closed its connection. */
  get isAborted(): boolean {
    return this.#signal.aborted
  }

  /** Calls `callback` if the client half-closes its connection before the job settles. */
  onHalfClose(callback: () => void): void {
    // the signal may abort before `onEnd` reports that the connection is closed
    const onAbort = (): void =>
      queueMicrotask(() => {
        if (!this.#isDisconnected && !this.#isSettled) callback()
      })
    this.#onAbort = onAbort
    this.#signal.addEventListener('abort', onAbort)
  }

  /** Calls `callback`, instead of an earlier one, if the client disconnects before the job settles. */
  onDisconnect(callback: () => void): void {
    this.#onDisconnect = callback
  }

  /** Calls `onTimeout` after this number of milliseconds unless the job has settled; never if it is 0. */
  startTimer(milliseconds: number, onTimeout: () => void): void {
    if (milliseconds > 0) this.#timer = setTimeout(onTimeout, milliseconds)
  }

  /** Settles the job. The callback is not called if the client has disconnected. */
  settle(outcome: DispatchResult): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#timer)
    if (this.#onAbort !== undefined) this.#signal.removeEventListener('abort', this.#onAbort)
    this.#onAbort = undefined
    this.#onDisconnect = undefined
    if (!this.isDisconnected) this.#callback(outcome)
  }
}
