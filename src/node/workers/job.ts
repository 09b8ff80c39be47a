/** A request that waits for a worker, or is on one. It is settled at most once, whatever happens to either. */
import type { Exchange } from '../../interpreter/exchange.ts'
import type { Handover, Outcome } from '../../interpreter/workers/dispatched-request.ts'

export class Job {
  readonly number: number
  readonly handover: Handover
  readonly #signal: AbortSignal
  readonly #then: (outcome: Outcome) => void
  #isGone = false
  #settled = false
  #timer: NodeJS.Timeout | undefined = undefined
  #aborted: (() => void) | undefined = undefined
  #left: (() => void) | undefined = undefined

  constructor(
    number: number,
    handover: Handover,
    exchange: Pick<Exchange, 'signal' | 'onEnd'>,
    then: (outcome: Outcome) => void,
  ) {
    this.number = number
    this.handover = handover
    this.#signal = exchange.signal()
    this.#then = then
    exchange.onEnd(() => {
      if (this.#settled) return
      this.#isGone = true
      this.#left?.()
    })
  }

  /** Whether the connection was closed before the job was settled. */
  get isDisconnected(): boolean {
    return this.#isGone
  }

  /** Whether the client has half-closed its connection, or closed it. */
  get isAborted(): boolean {
    return this.#signal.aborted
  }

  /** Calls `then` when the client half-closes its connection before the job is settled. */
  onHalfClose(then: () => void): void {
    // the signal may abort before `onEnd` reports that the connection is closed
    const aborted = (): void =>
      queueMicrotask(() => {
        if (!this.#isGone && !this.#settled) then()
      })
    this.#aborted = aborted
    this.#signal.addEventListener('abort', aborted)
  }

  /** Has something done when the client goes before the job is settled, in place of what was to be done before. */
  onDisconnect(then: () => void): void {
    this.#left = then
  }

  /** Has something done after these milliseconds, unless the job is settled before. */
  startTimer(milliseconds: number, late: () => void): void {
    if (milliseconds > 0) this.#timer = setTimeout(late, milliseconds)
  }

  /** Tells what became of it; a client that has gone is told nothing. */
  settle(outcome: Outcome): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    if (this.#aborted !== undefined) this.#signal.removeEventListener('abort', this.#aborted)
    this.#aborted = undefined
    this.#left = undefined
    if (!this.isDisconnected) this.#then(outcome)
  }
}
