/**
 * Measures how long requests wait for the event loop: the time for which the loop was busy since the previous turn began, because
 * requests that arrived earlier were handled in that turn. Time in which the loop waited for events does not count.
 *
 * Node.js accepts one connection per turn, and requests on connections that are not accepted yet are invisible. So consecutive
 * turns that have each accepted a connection, without any idle time, count as one turn. If most requests came on connections that
 * had been accepted before, they do so only while the number of waiting connections grows.
 */
import { performance } from 'node:perf_hooks'

/** The clock of an event loop, in milliseconds. */
export interface LoopClock {
  readonly now: () => number
  /** The total time for which the loop has waited for events. */
  readonly idle: () => number
}

export const systemClock: LoopClock = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
}

/** Times of turns are the busy time of the loop at their beginning: `now - idle`. */
export class LoopTurns {
  readonly #clock: LoopClock
  /** The beginnings of the previous and the current turn; `undefined` before the first request of the current one. */
  #before = 0
  #current: number | undefined = undefined
  /** The beginning of the previous turn, even if both count as one. */
  #previous = 0
  #idle = 0
  /** The beginning of the first of the turns that count as one, and their requests. */
  #begin: number | undefined = undefined
  #requests = 0
  /** Connections accepted in this turn, and in all turns that count as one. */
  #accepted = 0
  #connections = 0
  #isFirst = true
  #immediate: NodeJS.Immediate | undefined = undefined

  /** Whether turns that have accepted a connection count as one even if most requests came on earlier connections. */
  countsConnections = false

  constructor(clock: LoopClock) {
    this.#clock = clock
  }

  /** Starts to follow turns, within a turn whose requests have waited for `waited` milliseconds. */
  start(now: number, waited: number): void {
    this.stop()
    this.#idle = this.#clock.idle()
    this.#before = now - this.#idle - waited
    this.#previous = this.#before
    this.#current = waited > 0 ? now - this.#idle : undefined
    this.#begin = waited > 0 ? this.#before : undefined
    this.#requests = 0
    this.#accepted = 0
    this.#connections = 0
    this.#isFirst = waited === 0
    this.#follow()
  }

  stop(): void {
    clearImmediate(this.#immediate)
  }

  /** Called when a connection is accepted. */
  connected(): void {
    this.#accepted++
  }

  /** Called when a turn has polled for events: the next requests belong to the next turn. */
  turned(): void {
    const idle = this.#clock.idle()
    this.#connections += this.#accepted
    const areFew = !this.countsConnections && this.#connections * 2 < this.#requests
    const isBacklog = this.#accepted > 0 && idle === this.#idle && !areFew
    this.#previous = this.#current ?? this.#clock.now() - idle
    if (!isBacklog) {
      this.#before = this.#previous
      this.#begin = undefined
      this.#requests = 0
      this.#connections = 0
    }
    this.#idle = idle
    this.#current = undefined
    this.#isFirst = !isBacklog
    this.#accepted = 0
  }

  /** Counts a request that arrives now, and returns the milliseconds for which it may have waited. */
  waited(now: number): number {
    this.#requests++
    if (this.#current === undefined) {
      this.#idle = this.#clock.idle()
      this.#current = now - this.#idle
      this.#begin ??= this.#current
    }
    return now - this.#idle - this.#before
  }

  /** Minimum milliseconds for which all requests that arrive now have waited. */
  waitedAtLeast(now: number): number {
    return now - this.#idle - (this.#begin ?? now)
  }

  /** Milliseconds for which a request that arrives now may have waited on a connection that was accepted before. */
  waitedOnConnection(now: number): number {
    return now - this.#idle - this.#previous
  }

  /** The number of requests that were counted in the time of {@link waitedAtLeast}. */
  get requests(): number {
    return this.#requests
  }

  /** Whether this is the first request of a turn, and no connections wait. Returns true once per turn. */
  takeFirst(): boolean {
    const isFirst = this.#isFirst
    this.#isFirst = false
    return isFirst
  }

  /** An immediate without a reference runs after each poll for events, and does not prevent the loop from waiting for them. */
  #follow(): void {
    this.#immediate = setImmediate(() => {
      this.turned()
      this.#follow()
    }).unref()
  }
}
