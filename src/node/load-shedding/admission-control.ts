/**
 * Decides which requests are accepted during an overload. The aim is that accepted requests wait only briefly.
 *
 * The decision depends on how long requests have been waiting. The waiting time is derived from the turns (iterations) of the event
 * loop and from the number of connections waiting to be accepted.
 */
import { performance } from 'node:perf_hooks'
import { closeSync, openSync, readSync } from 'node:fs'

/** A clock for an event loop. All times are in milliseconds. */
export interface LoopClock {
  readonly now: () => number
  /** Returns the total time that the event loop has spent waiting for events. */
  readonly idle: () => number
  /** Returns the total CPU time of the process. */
  readonly cpu: () => number
}

export const systemClock: LoopClock = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}

/**
 * Measures how long the requests that are read in a turn (iteration) of the event loop have been waiting.
 *
 * The start of a turn is given as the busy time of the loop: `now - idle`. Consecutive turns that accept queued connections form a
 * group, because the requests on these connections have been waiting since the first turn of the group.
 */
export class LoopTurns {
  readonly #clock: LoopClock
  /** The start of the last turn that precedes the current group. */
  #before = 0
  /** The start of the current turn, or `undefined` before the first request in the turn. */
  #current: number | undefined = undefined
  /** The start of the previous turn, which can belong to the current group. */
  #previous = 0
  /**
   * The most recently read idle time of the event loop. It is read after each poll phase, and at the first request in each turn.
   */
  #idle = 0
  /** The start time of the current group, or `undefined` before its first request. */
  #groupStart: number | undefined = undefined
  /** Number of requests in the current group. */
  #requests = 0
  /** Number of connections accepted in the current turn. */
  #accepted = 0
  /** Number of connections accepted in the current group. */
  #connections = 0
  /** The value that the next call to `takeFirst` returns. */
  #isFirst = true
  #immediate: NodeJS.Immediate | undefined = undefined

  /** Whether turns that accept connections can form a group even if most requests arrive on older connections. */
  countsConnections = false

  constructor(clock: LoopClock) {
    this.#clock = clock
  }

  /**
   * Starts observing the turns of the event loop. `waited` is the time, in milliseconds, for which the requests in the current turn
   * have been waiting.
   */
  start(now: number, waited: number): void {
    this.stop()
    this.#idle = this.#clock.idle()
    this.#before = now - this.#idle - waited
    this.#previous = this.#before
    this.#current = waited > 0 ? now - this.#idle : undefined
    this.#groupStart = waited > 0 ? this.#before : undefined
    this.#requests = 0
    this.#accepted = 0
    this.#connections = 0
    this.#isFirst = waited === 0
    this.#observeTurns()
  }

  stop(): void {
    clearImmediate(this.#immediate)
  }

  /** Called when a connection is accepted. */
  onConnection(): void {
    this.#accepted++
  }

  /** Called after the poll phase of a turn. Requests that are read afterwards belong to the next turn. */
  onTurn(): void {
    const idle = this.#clock.idle()
    this.#connections += this.#accepted
    const areFew = !this.countsConnections && this.#connections * 2 < this.#requests
    const isBacklog = this.#accepted > 0 && idle === this.#idle && !areFew
    this.#previous = this.#current ?? this.#clock.now() - idle
    if (!isBacklog) {
      this.#before = this.#previous
      this.#groupStart = undefined
      this.#requests = 0
      this.#connections = 0
    }
    this.#idle = idle
    this.#current = undefined
    this.#isFirst = !isBacklog
    this.#accepted = 0
  }

  /** Records that a request is being read. Returns an upper bound, in milliseconds, for the time that the request has waited. */
  recordRequest(now: number): number {
    this.#requests++
    if (this.#current === undefined) {
      this.#idle = this.#clock.idle()
      this.#current = now - this.#idle
      this.#groupStart ??= this.#current
    }
    return now - this.#idle - this.#before
  }

  /** Returns a lower bound for the time, in milliseconds, that the requests in the current turn have been waiting. */
  minimumWait(now: number): number {
    return now - this.#idle - (this.#groupStart ?? now)
  }

  /** Returns an upper bound, in milliseconds, for the waiting time of a request on a connection that was already open. */
  connectionWait(now: number): number {
    return now - this.#idle - this.#previous
  }

  /**
   * The number of requests in the current group. The time measured by {@link minimumWait} starts with the first of these requests.
   */
  get requests(): number {
    return this.#requests
  }

  /**
   * Returns whether the current request is the first in its turn and no connections are queued. Returns `true` at most once per
   * turn.
   */
  takeFirst(): boolean {
    const isFirst = this.#isFirst
    this.#isFirst = false
    return isFirst
  }

  /**
   * Calls `onTurn` after each poll phase. The immediate is unreferenced, so that it does not prevent the loop from waiting for
   * events.
   */
  #observeTurns(): void {
    this.#immediate = setImmediate(() => {
      this.onTurn()
      this.#observeTurns()
    }).unref()
  }
}

/**
 * Maximum number of bytes read from a file in `/proc/net`. The beginning of a file is sufficient, because Linux lists listening
 * sockets first.
 */
const maxBytes = 64 * 1024

/**
 * Returns the number of connections waiting to be accepted on any of the ports. Always returns `0` on systems other than Linux.
 *
 * ```text
 *   sl  local_address rem_address   st tx_queue rx_queue
 *    0: 0100007F:1F90 00000000:0000 0A 00000000:0000000C    st 0A: listening; rx_queue: number of waiting connections
 * ```
 *
 * @see https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html
 */
export const waitingConnections = (ports: ReadonlyArray<number>): number =>
  ports.reduce(
    (count, port) =>
      count + Math.max(queueLength('/proc/net/tcp', port), queueLength('/proc/net/tcp6', port)),
    0,
  )

const queueLength = (path: string, port: number): number => {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  const listening = new RegExp(
    `^ *\\d+: [0-9A-F]+:${local} [0-9A-F]+:0000 0A [0-9A-F]+:([0-9A-F]+)`,
    'm',
  )
  const [, length = '0'] = listening.exec(readBeginning(path)) ?? []
  return Number.parseInt(length, 16)
}

/** Returns the beginning of a file, or an empty string if the file cannot be read. */
const readBeginning = (path: string): string => {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const bytes = Buffer.alloc(maxBytes)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, maxBytes, null))
  } catch {
    return ''
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Maximum number of consecutive rejections. Rejecting this many requests takes about as long as processing one request. */
const maxRejectedInRow = 64

/**
 * Fraction of time spent idle above which the estimated cost of a request is reduced. If requests have been waiting for a long
 * time, this limit is three times as high.
 */
const maxIdle = 0.1

/** Accepts or rejects requests during an overload. */
export class AdmissionControl {
  readonly #turns: Pick<LoopTurns, 'connectionWait' | 'takeFirst'>
  /**
   * Waiting time, in milliseconds, above which at most one request is accepted per turn. Above half of this time, some requests are
   * rejected.
   */
  readonly #target: number
  /** The accumulated rejection rate. A request is rejected when the accumulated rate reaches 1. */
  #dueRejection = 0
  #rejectedInRow = 0
  #lastRejection = 0
  /** Estimated time, in milliseconds, that the loop still needs to process accepted requests. */
  #backlog = 0
  /** The time at which `#backlog` was last estimated. */
  #backlogTime = 0
  /** Estimated time, in milliseconds, for which an accepted request keeps the loop busy. */
  #cost = 0
  /** The longest waiting time, in milliseconds, of a request on an already open connection since the last correction. */
  #longestWait = 0

  constructor(target: number, turns: Pick<LoopTurns, 'connectionWait' | 'takeFirst'>) {
    this.#target = target
    this.#turns = turns
  }

  /** The time of the last rejection, or the start of the overload if no request has been rejected. */
  get lastRejection(): number {
    return this.#lastRejection
  }

  /** Starts an overload period. `cost` is the estimated time, in milliseconds, for which each request keeps the loop busy. */
  start(now: number, cost: number): void {
    this.#cost = cost
    this.#backlog = 0
    this.#backlogTime = now
    this.#lastRejection = now
  }

  /**
   * Returns whether to reject a request that has been waiting for `waited` milliseconds. The rejection rate is 0 if the request has
   * waited for less than half of the target time, and 1 if it has waited for longer than the target time. Between these limits, the
   * rate increases linearly.
   *
   * If no connections are queued, the first request in a turn does not increase the accumulated rejection rate, unless too much
   * work remains. Without this exception, the server could be idle between slow handlers. After 64 consecutive rejections, one
   * request is accepted, so that the server never rejects all requests.
   *
   * A handler can wait, for example for a database, and use the CPU in a later turn. The waiting times of requests read in the
   * current turn do not include this CPU time. For this reason, the rate depends on the estimated remaining work for accepted
   * requests if this work takes longer than `waited`.
   */
  shouldReject(now: number, waited: number): boolean {
    const half = this.#target / 2
    this.#longestWait = Math.max(this.#longestWait, this.#turns.connectionWait(now))
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
   * Corrects the estimated cost of a request. `idle` is the fraction of time for which the loop has been idle since the last
   * correction.
   *
   * Long waiting times increase the cost, and idle time decreases it. A large fraction of idle time takes precedence over long
   * waiting times, because waiting times are always long if individual handlers block the loop for a long time.
   */
  correctCost(idle: number): void {
    if (idle > 3 * maxIdle) this.#cost *= 0.8
    else if (this.#longestWait > 3 * this.#target) this.#cost *= 1.25
    else if (idle > maxIdle) this.#cost *= 0.9
    this.#longestWait = 0
  }
}
