/** A request that waits for a worker, or is on one. It is settled at most once, whatever happens to either. */
import type { Handover, Outcome } from '../../interpreter/handover.ts'

export class Job {
  readonly number: number
  readonly handover: Handover
  readonly #gone: AbortSignal
  readonly #then: (outcome: Outcome) => void
  #settled = false
  #timer: NodeJS.Timeout | undefined = undefined
  #left: (() => void) | undefined = undefined

  constructor(
    number: number,
    handover: Handover,
    gone: AbortSignal,
    then: (outcome: Outcome) => void,
  ) {
    this.number = number
    this.handover = handover
    this.#gone = gone
    this.#then = then
  }

  get isGone(): boolean {
    return this.#gone.aborted
  }

  /** Has something done when the client goes before the job is settled, in place of what was to be done before. */
  onGone(then: () => void): void {
    this.#forget()
    this.#left = then
    this.#gone.addEventListener('abort', then)
  }

  /** Has something done after these milliseconds, unless the job is settled before. */
  within(milliseconds: number, late: () => void): void {
    if (milliseconds > 0) this.#timer = setTimeout(late, milliseconds)
  }

  /** Tells what became of it; a client that has gone is told nothing. */
  settle(outcome: Outcome): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    this.#forget()
    if (!this.isGone) this.#then(outcome)
  }

  #forget(): void {
    if (this.#left !== undefined) this.#gone.removeEventListener('abort', this.#left)
    this.#left = undefined
  }
}
