/**
 * Load shedding: detects that the event loop has more work than time, and rejects requests until it has caught up.
 *
 * ```text
 * calm      a timer checks every 50 ms whether the loop was late while several requests came   -> alert
 * alert     half a second later, requests wait for longer than the limit (`loop-turns.ts`)     -> shedding
 *           the loop was in time again                                                          -> calm
 * shedding  requests are rejected, the more the longer they have waited (`admission-control.ts`)
 *           no request was rejected for a second                                                -> calm
 *           ten seconds have passed, and twice as many after each attempt                       -> alert
 * ```
 *
 * Clients that send the next request as soon as they have a response keep the loop busy whether or not requests are rejected.
 * So the server attempts to accept all of them again after a while: the attempt fails once requests wait for longer than the limit.
 *
 * A single handler that blocks the loop, a garbage collection, a debugger or a suspended machine make the loop late once, after
 * which it is in time again. Only a loop that stays late, with requests waiting, is overloaded; or one that is never idle while
 * connections wait to be accepted. In state calm, a request costs one addition, and every eighth one a read of the clock.
 */
import type { Server } from 'node:http'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { AdmissionControl } from './admission-control.ts'
import type { LoopClock } from './loop-turns.ts'
import { LoopTurns, systemClock } from './loop-turns.ts'
import { waitingConnections } from './waiting-connections.ts'

export interface OverloadLimits {
  /** Maximum milliseconds that requests may wait. 0 disables the limit. */
  readonly delay: number
  /** Maximum percentage of its time for which the loop may be busy. 100 disables the limit. */
  readonly utilization: number
}

/** Creates load shedding as configured; `undefined` if it is disabled. */
export const createLoadShedding = (
  settings: Settings,
  logger: Logger,
): LoadShedding | undefined => {
  const delay = settings['fw.http.overload.max-loop-delay']
  const utilization = settings['fw.http.overload.max-loop-utilization']
  const isEnabled = settings['fw.http.overload.enabled'] && (delay > 0 || utilization < 100)
  return isEnabled ? new LoadShedding({ delay, utilization }, logger) : undefined
}

/** Milliseconds between two checks. */
export const checkInterval = 50

/** Milliseconds that a check may be late before the loop counts as late. */
const maxLateness = 20

/** Minimum milliseconds of an alert before requests are rejected: a start or a burst is not an overload. */
const minAlertTime = 500

/** Milliseconds beyond the limit after which requests are rejected at once, in a turn that many requests have made that long. */
const burstTime = 1000

/**
 * Consecutive checks of a loop that is never idle and accepts connections: the number after which the queue of connections is read,
 * and the number for which the queue must be too long.
 */
const minPressedChecks = 6
const maxPressedChecks = 12

/** Milliseconds without a rejection after which the overload is over. */
const recoveryTime = 1000

/** Milliseconds of an overload until all requests are accepted for an attempt: the first time, and at most. */
const minAttemptTime = 10_000
const maxAttemptTime = 160_000

/** The delay in milliseconds on which admission control is based if only the utilization is limited. */
const defaultDelay = 250

export class LoadShedding {
  readonly #limits: OverloadLimits
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  readonly #clock: LoopClock
  readonly #turns: LoopTurns
  readonly #admission: AdmissionControl
  readonly #countWaiting: (port: number) => number
  #port = 0
  #state: 'calm' | 'alert' | 'shedding' = 'calm'
  #isLogged = false

  /** Requests and new connections since the latest check. */
  #requests = 0
  #connections = 0
  /** The time at which the latest check was due. */
  #checkTime: number
  /** The latest time that was read, and the longest interval between two: a single handler that blocked the loop. */
  #latestTime: number
  #longestInterval = 0
  /** The number of consecutive checks during which connections have waited, and the idle time of the loop at the latest check. */
  #pressedChecks = 0
  #idleAtCheck = 0
  /** The number of connections that waited to be accepted at the latest check. */
  #waiting = 0

  /** The beginning of the alert: the time, and for how long the loop had been busy until then. */
  #alertTime = 0
  #busyAtAlert = 0
  /** Requests since the alert began. */
  #alertRequests = 0
  /** Whether the alert is an attempt to accept all requests again. */
  #isAttempt = false
  /** The beginning of the overload, and the milliseconds after which an attempt to accept all requests is due. */
  #sheddingTime = 0
  #attemptTime = minAttemptTime

  constructor(
    limits: OverloadLimits,
    logger: Pick<Logger, 'warn' | 'info'>,
    clock: LoopClock = systemClock,
    countWaiting: (port: number) => number = waitingConnections,
  ) {
    this.#limits = limits
    this.#logger = logger
    this.#clock = clock
    this.#turns = new LoopTurns(clock)
    this.#admission = new AdmissionControl(
      (limits.delay === 0 ? defaultDelay : limits.delay) / 25,
      this.#turns,
    )
    this.#countWaiting = countWaiting
    this.#checkTime = clock.now()
    this.#latestTime = this.#checkTime
  }

  /** Checks the loop from when a server listens until it is closed. */
  start(server: Server): void {
    server.once('listening', () => {
      const address = server.address()
      this.#port = typeof address === 'object' && address !== null ? address.port : 0
      this.#resetCheck(this.#clock.now())
      server.on('connection', () => this.connected())
      const timer = setInterval(() => this.check(), checkInterval).unref()
      server.once('close', () => {
        clearInterval(timer)
        this.#calm()
      })
    })
  }

  /** Called when a connection is accepted. */
  connected(): void {
    this.#connections++
    this.#turns.connected()
  }

  /** Called when a turn of the event loop has polled for events. */
  turned(): void {
    this.#turns.turned()
  }

  /** Checks whether the loop is late. Called by a timer. */
  check(): void {
    const now = this.#clock.now()
    const lateness = now - this.#checkTime - checkInterval
    const isLate = lateness > maxLateness && this.#requests > 1
    if (this.#state === 'shedding')
      this.#admission.correctCost(
        (this.#clock.idle() - this.#idleAtCheck) / (now - this.#checkTime),
      )
    this.#pressedChecks = this.#isPressed(now) ? this.#pressedChecks + 1 : 0
    if (this.#state === 'calm' && isLate) this.#alert(now)
    else if (this.#state === 'alert') {
      // if no connection was accepted, none waits
      const waiting = this.#connections === 0 ? 0 : this.#countWaiting(this.#port)
      this.#turns.countsConnections = waiting > 0 && waiting >= this.#waiting
      this.#waiting = waiting
      const isTooEarly = this.#isAttempt && now - this.#alertTime < recoveryTime
      if (!isLate && !isTooEarly) this.#calm()
      else if (isLate && this.#limits.delay === 0 && this.#isBusy(now)) this.#shed(now, lateness)
    } else if (this.#state === 'shedding') this.#recover(now)
    if (this.#state !== 'shedding' && this.#pressedChecks >= maxPressedChecks) {
      if (this.#state === 'calm') this.#alert(now)
      this.#shed(now, lateness)
    }
    this.#resetCheck(now)
  }

  /** Counts a request. Returns whether it must be rejected. */
  isOverloaded(): boolean {
    this.#requests++
    if (this.#state === 'calm') return this.#requests % 8 === 0 && this.#isBurst()
    this.#alertRequests++
    const now = this.#clock.now()
    const waited = this.#turns.waited(now)
    const { delay } = this.#limits
    const isLong = this.#isAttempt || now - this.#alertTime >= minAlertTime
    const isLate = isLong && delay > 0 && this.#turns.waitedAtLeast(now) > delay
    if (this.#state === 'alert' && isLate && this.#isBusy(now) && !this.#isPause(now))
      this.#shed(now, waited)
    return this.#state === 'shedding' && this.#admission.rejects(now, waited)
  }

  /** Whether many requests came at once, not counting the longest time that one of them has taken. */
  #isBurst(): boolean {
    const now = this.#clock.now()
    this.#longestInterval = Math.max(this.#longestInterval, now - this.#latestTime)
    this.#latestTime = now
    const { delay } = this.#limits
    const lateness = now - this.#checkTime - checkInterval - this.#longestInterval
    if (delay === 0 || lateness <= delay + burstTime) return false
    this.#alert(now, lateness)
    this.#shed(now, lateness)
    return true
  }

  /** Whether the loop has been busier than the limit since the alert began. */
  #isBusy(now: number): boolean {
    const { utilization } = this.#limits
    const busy = now - this.#clock.idle() - this.#busyAtAlert
    return utilization === 100 || busy * 100 > utilization * (now - this.#alertTime)
  }

  /** Whether connections may wait to be accepted: the loop was never idle since the latest check, and most requests needed one. */
  #isPressed(now: number): boolean {
    const { delay, utilization } = this.#limits
    const passed = now - this.#checkTime
    const idle = this.#clock.idle()
    const busy = passed - (idle - this.#idleAtCheck)
    this.#idleAtCheck = idle
    // few connections are no reason to reject requests, even if they wait long because of many requests
    const areFew = this.#connections === 0 || this.#connections * 2 < this.#requests
    if (utilization === 100 || busy * 100 <= utilization * passed || areFew) return false
    if (this.#pressedChecks < minPressedChecks) return true
    return (this.#countWaiting(this.#port) * passed) / this.#connections > delay
  }

  /** Whether requests have waited because the process was paused: as many requests usually take less time. */
  #isPause(now: number): boolean {
    return this.#turns.requests * this.#costSinceAlert(now) <= this.#limits.delay
  }

  /** Milliseconds that the loop was busy for each request since the alert began, during which none was rejected. */
  #costSinceAlert(now: number): number {
    return this.#alertRequests === 0
      ? 0
      : (now - this.#clock.idle() - this.#busyAtAlert) / this.#alertRequests
  }

  /** Ends an overload after a second without rejections, or attempts to end it after a longer time. */
  #recover(now: number): void {
    if (now - this.#admission.lastRejection > recoveryTime) this.#calm()
    else if (now - this.#sheddingTime > this.#attemptTime) {
      this.#attemptTime = Math.min(maxAttemptTime, this.#attemptTime * 2)
      this.#alert(now)
      this.#isAttempt = true
    }
  }

  #alert(now: number, waited = 0): void {
    this.#state = 'alert'
    this.#alertTime = now
    this.#isAttempt = false
    this.#busyAtAlert = now - this.#clock.idle()
    this.#alertRequests = 0
    this.#turns.countsConnections = false
    this.#waiting = this.#connections === 0 ? 0 : this.#countWaiting(this.#port)
    this.#turns.start(now, waited)
  }

  #shed(now: number, waited: number): void {
    this.#state = 'shedding'
    this.#sheddingTime = now
    this.#turns.countsConnections = true
    this.#admission.start(now, this.#costSinceAlert(now))
    if (this.#isLogged) return
    this.#isLogged = true
    this.#logger.warn({ waited: Math.round(waited) }, 'Event loop overloaded, rejecting requests')
  }

  #calm(): void {
    this.#state = 'calm'
    this.#attemptTime = minAttemptTime
    this.#turns.stop()
    if (!this.#isLogged) return
    this.#isLogged = false
    this.#logger.info({}, 'Event loop no longer overloaded')
  }

  #resetCheck(now: number): void {
    this.#checkTime = now
    this.#latestTime = now
    this.#longestInterval = 0
    this.#requests = 0
    this.#connections = 0
  }
}
