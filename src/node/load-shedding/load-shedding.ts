/**
 * Detects an overloaded event loop, and rejects requests until the loop has recovered (load shedding).
 *
 * The loop is overloaded if requests have been waiting for longer than the limit of the delay for half a second, and its utilization exceeds
 * the limit. A single blocking handler, a garbage collection or a suspended machine makes the loop late only once. During an
 * overload, requests are accepted at the rate at which the loop can process them.
 *
 * The overload ends when no request has been rejected for a second. Some clients send the next request immediately after a response, and
 * keep the loop busy whether or not requests are rejected. Therefore, all requests are also accepted after 10 s, and after an interval that
 * doubles with each attempt. For a second after an attempt, a fifth of the delay is sufficient for an overload.
 */
import { performance } from 'node:perf_hooks'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { AcceptQueue } from './accept-queue.ts'

/** A clock for an event loop. All times are in milliseconds. */
export interface LoopClock {
  readonly now: () => number
  /** Returns the total time that the event loop has spent waiting for events. */
  readonly idle: () => number
}

const systemClock: LoopClock = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
}

/** The limits above which the event loop is considered overloaded. */
export interface OverloadLimits {
  /** Maximum waiting time of requests, in milliseconds. `0` disables the limit. */
  readonly delay: number
  /** Maximum percentage of time that the loop can be busy before it is considered overloaded. `100` disables the limit. */
  readonly utilization: number
}

/** Creates the `LoadShedding` instance of a server from the settings. Returns `undefined` if load shedding is disabled. */
export const createLoadShedding = (
  settings: Settings,
  logger: Logger,
): LoadShedding | undefined => {
  const delay = settings['fw.http.overload.max-loop-delay']
  const utilization = settings['fw.http.overload.max-loop-utilization']
  const isEnabled = settings['fw.http.overload.enabled'] && (delay > 0 || utilization < 100)
  return isEnabled ? new LoadShedding({ delay, utilization }, logger) : undefined
}

/** Time, in milliseconds, between two checks of the event loop. */
export const checkInterval = 50

/** Lateness of a check, in milliseconds, from which the loop is late. */
const maxLateness = 20

/** Time, in milliseconds, for which requests must wait for longer than the limit before others are rejected. */
const minDelayTime = 500

/** Time, in milliseconds, without a rejection after which an overload ends, and length of an attempt to accept all requests. */
const recoveryTime = 1000

/** Time, in milliseconds, from the start of an overload to the first attempt to accept all requests, and its maximum. */
const minAttemptTime = 10_000
const maxAttemptTime = 160_000

/** The fractions of time for which accepted requests can keep the loop busy during an overload: if it is on time, and if it is late. */
const maxBusy = 0.95
const maxBusyIfLate = 0.5

/** The time, in milliseconds, for which requests that are accepted in a row can keep the loop busy, unless a single one takes longer. */
const maxBurst = 10

/** Maximum number of consecutive rejections, in case that rejections alone keep the loop busy. */
const maxRejectedInRow = 64

type Queue = Pick<AcceptQueue, 'length' | 'previousLength' | 'measure'>

/** Detects overloads of one server, and rejects requests while the server is overloaded. */
export class LoadShedding {
  readonly #limits: OverloadLimits
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  readonly #clock: LoopClock
  readonly #queue: Queue
  #timer: NodeJS.Timeout | undefined = undefined

  /** The time of the last check, and the total idle time of the loop at that time. */
  #checkTime: number
  #idle: number
  /** The time of the last request or check, and the longest interval between two of them, in which a single handler may have run. */
  #latestTime: number
  #longestInterval = 0
  /** Numbers of requests, of accepted requests, and of new connections since the last check. */
  #requests = 0
  #accepted = 0
  #connections = 0

  /** The busy time of the loop, and the number of accepted requests, weighted by age. Their quotient is the cost of a request. */
  #busyTime = 0
  #busyRequests = 0

  /** The time since which requests wait for longer than the limit. */
  #delayedSince: number | undefined = undefined
  #isOverloaded = false
  /** The time at which all requests are accepted again, or at which the attempt to accept them ends. `0` if there is no overload. */
  #endTime = 0
  #attemptTime = minAttemptTime
  #lastRejection = 0
  #rejectedInRow = 0
  /** The milliseconds for which requests that are accepted next can keep the loop busy, and the time at which they were computed. */
  #budget = 0
  #budgetTime = 0
  #maxBusy = maxBusy

  constructor(
    limits: OverloadLimits,
    logger: Pick<Logger, 'warn' | 'info'>,
    clock: LoopClock = systemClock,
    queue: Queue = new AcceptQueue(),
  ) {
    this.#limits = limits
    this.#logger = logger
    this.#clock = clock
    this.#queue = queue
    this.#checkTime = this.#latestTime = clock.now()
    this.#idle = clock.idle()
  }

  /** Starts checking the event loop periodically. `ports` are the TCP ports of all listeners. */
  start(ports: ReadonlyArray<number>): void {
    this.#reset(this.#clock.now(), this.#clock.idle())
    this.#timer = setInterval(() => this.check(ports), checkInterval).unref()
  }

  /** Stops checking the event loop, and ends load shedding. */
  stop(): void {
    clearInterval(this.#timer)
    this.#end()
  }

  /** Called when a connection is accepted. */
  onConnection(): void {
    this.#connections++
  }

  /** Records a request, and returns whether it must be rejected. */
  isOverloaded(): boolean {
    const now = this.#clock.now()
    this.#requests++
    this.#longestInterval = Math.max(this.#longestInterval, now - this.#latestTime)
    this.#latestTime = now
    if (!this.#isOverloaded) {
      // a single slow handler is not an overload
      const delay = now - this.#checkTime - checkInterval - this.#longestInterval
      const delayedSince = this.#delayedSince ?? this.#checkTime + checkInterval
      if (delay > maxLateness && this.#exceedsLimits(now, delay, delayedSince))
        this.#start(now, delay)
    }
    const isRejected = this.#isOverloaded && this.#shouldReject(now)
    if (!isRejected) this.#accepted++
    return isRejected
  }

  /** Checks whether the loop is late. Called by a timer. */
  check(ports: ReadonlyArray<number>): void {
    const [now, idle] = [this.#clock.now(), this.#clock.idle()]
    const passed = now - this.#checkTime
    const busy = passed - (idle - this.#idle)
    const weight = Math.exp(-passed / recoveryTime)
    this.#busyTime = this.#busyTime * weight + busy
    this.#busyRequests = this.#busyRequests * weight + this.#accepted

    const delay = Math.max(passed - checkInterval, this.#queueDelay(passed))
    const isLate = delay > maxLateness && this.#requests > 1
    if (this.#isOverloaded) this.#recover(now)
    else if (isLate && this.#exceedsLimits(now, delay, this.#delayedSince ?? now))
      this.#start(now, delay)
    else if (this.#endTime > 0 && now > this.#endTime) this.#end()
    this.#delayedSince =
      isLate && delay > this.#limits.delay ? (this.#delayedSince ?? now - passed) : undefined
    this.#maxBusy = isLate ? maxBusyIfLate : maxBusy

    const hasQueue = this.#connections > 0 && (isLate || this.#connections * 2 >= this.#requests)
    void this.#queue.measure(hasQueue ? ports : [])
    this.#reset(now, idle)
  }

  /**
   * Returns the time, in milliseconds, for which the last connection in the queue waits at the current rate of new connections. A queue
   * that becomes shorter is not an overload: many clients may have connected at once.
   */
  #queueDelay(passed: number): number {
    const { length, previousLength } = this.#queue
    const isShrinking = length < previousLength * 0.9 && !this.#isOverloaded
    return this.#connections === 0 || isShrinking ? 0 : (length * passed) / this.#connections
  }

  #exceedsLimits(now: number, delay: number, delayedSince: number): boolean {
    const { delay: maxDelay, utilization } = this.#limits
    // during an attempt
    if (this.#endTime > 0) return delay > maxDelay / 5
    const passed = now - this.#checkTime
    const busy = passed - (this.#clock.idle() - this.#idle)
    const isBusy = utilization === 100 || busy * 100 > utilization * passed
    return delay > maxDelay && now - delayedSince > minDelayTime && isBusy
  }

  /** Accepts requests as long as the loop can process them. */
  #shouldReject(now: number): boolean {
    const busyTime = this.#busyTime + now - this.#checkTime
    const cost = busyTime / Math.max(1, this.#busyRequests + this.#accepted)
    // requests that are read late have waited for too long
    const isLate = now - this.#checkTime > checkInterval + maxLateness
    const earned = isLate ? 0 : (now - this.#budgetTime) * this.#maxBusy
    this.#budget = Math.min(this.#budget + earned, isLate ? 0 : Math.max(cost, maxBurst))
    this.#budgetTime = now
    if (this.#budget < cost && this.#rejectedInRow < maxRejectedInRow) {
      this.#rejectedInRow++
      this.#lastRejection = now
      return true
    }
    this.#budget -= cost
    this.#rejectedInRow = 0
    return false
  }

  #start(now: number, delay: number): void {
    if (this.#endTime === 0)
      this.#logger.warn({ waited: Math.round(delay) }, 'Event loop overloaded, rejecting requests')
    this.#isOverloaded = true
    this.#endTime = now + this.#attemptTime
    this.#lastRejection = now
    this.#budget = 0
    this.#budgetTime = now
  }

  #recover(now: number): void {
    if (now - this.#lastRejection > recoveryTime) this.#end()
    else if (now > this.#endTime) {
      this.#isOverloaded = false
      this.#attemptTime = Math.min(maxAttemptTime, this.#attemptTime * 2)
      this.#endTime = now + recoveryTime
    }
  }

  #end(): void {
    if (this.#endTime > 0) this.#logger.info({}, 'Event loop no longer overloaded')
    this.#isOverloaded = false
    this.#endTime = 0
    this.#attemptTime = minAttemptTime
  }

  #reset(now: number, idle: number): void {
    this.#checkTime = this.#latestTime = now
    this.#idle = idle
    this.#longestInterval = 0
    this.#requests = 0
    this.#accepted = 0
    this.#connections = 0
  }
}
