/** Decides during an overload which requests are accepted, so that those are served soon. */
import type { LoopTurns } from './loop-turns.ts'

/** Consecutive rejections after which one request is accepted. They take about as long as one accepted request. */
const maxRejectedInRow = 64

/** The share of its time for which the loop may be idle during an overload; three times as much while requests wait. */
const maxIdle = 0.1

export class AdmissionControl {
  readonly #turns: Pick<LoopTurns, 'waitedOnConnection' | 'takeFirst'>
  /** Milliseconds of waiting from which a turn accepts only one request. From half of it, some are rejected. */
  readonly #target: number
  /** The fraction of a rejection that is due. */
  #dueRejection = 0
  #rejectedInRow = 0
  #lastRejection = 0
  /** Estimated milliseconds of work that accepted requests still need, and the time of that estimate. */
  #backlog = 0
  #backlogTime = 0
  /** Estimated milliseconds for which an accepted request keeps the loop busy. */
  #cost = 0
  /** The longest time that a request has waited on an open connection since the latest correction. */
  #longestWait = 0

  constructor(target: number, turns: Pick<LoopTurns, 'waitedOnConnection' | 'takeFirst'>) {
    this.#target = target
    this.#turns = turns
  }

  /** The time of the latest rejection, or of the beginning of the overload. */
  get lastRejection(): number {
    return this.#lastRejection
  }

  /** Begins an overload with requests that each keep the loop busy for `cost` milliseconds. */
  start(now: number, cost: number): void {
    this.#cost = cost
    this.#backlog = 0
    this.#backlogTime = now
    this.#lastRejection = now
  }

  /**
   * Returns whether to reject a request that has waited for `waited` milliseconds: none below half of the target, all above the
   * target, and a growing share in between.
   *
   * If no connections wait, the first request of a turn is accepted, so that a server is not idle between slow handlers. A server
   * that is busy with rejections alone still serves some requests.
   *
   * Handlers that use the CPU after they have waited, for example for a database, do not delay the requests of the same turn. Their
   * future work is estimated.
   */
  rejects(now: number, waited: number): boolean {
    const half = this.#target / 2
    this.#longestWait = Math.max(this.#longestWait, this.#turns.waitedOnConnection(now))
    this.#backlog = Math.max(0, this.#backlog - (now - this.#backlogTime))
    this.#backlogTime = now
    const isFirst = this.#turns.takeFirst() && this.#backlog < this.#target
    const expected = Math.max(waited, this.#backlog)
    this.#dueRejection += isFirst ? 0 : Math.min(1, Math.max(0, (expected - half) / half))
    if (this.#dueRejection < 1 || this.#rejectedInRow === maxRejectedInRow) {
      this.#rejectedInRow = 0
      this.#backlog += this.#cost
      return false
    }
    this.#dueRejection--
    this.#rejectedInRow++
    this.#lastRejection = now
    return true
  }

  /**
   * Corrects the estimated cost of a request. `idle` is the share of its time for which the loop was idle since the latest
   * correction.
   *
   * The cost is higher if requests still wait, and lower if the loop is idle. Waiting requests matter less, because requests always
   * wait for handlers that block the loop for long.
   */
  correctCost(idle: number): void {
    if (idle > 3 * maxIdle) this.#cost *= 0.8
    else if (this.#longestWait > 3 * this.#target) this.#cost *= 1.25
    else if (idle > maxIdle) this.#cost *= 0.9
    this.#longestWait = 0
  }
}
