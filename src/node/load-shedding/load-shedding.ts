/**
 * Detects an overloaded event loop, and rejects requests until the loop has recovered (load shedding).
 *
 * There are three states, with the following transitions:
 *
 * ```text
 * calm      a check every 50 ms finds that the loop was late while several requests arrived      -> alert
 * alert     after 500 ms, requests are still waiting for longer than the limit                   -> shedding
 *           a check is on time                                                                   -> calm
 * shedding  requests are rejected, depending on their waiting time (see `admission-control.ts`)
 *           no request has been rejected for a second                                            -> calm
 *           10 s have passed; the interval doubles after each attempt                            -> alert
 * ```
 *
 * Some clients send the next request immediately after a response. Such clients keep the loop busy whether or not requests are
 * rejected. Therefore, the server regularly attempts to accept all requests again. An attempt fails if requests have to wait for
 * longer than the limit.
 *
 * A single blocking handler, a garbage collection, a debugger or a suspended machine makes the loop late only once. The loop is
 * considered overloaded if it remains late while requests are waiting. It is also considered overloaded if it is never idle while
 * connections are waiting to be accepted.
 *
 * In the `calm` state, load shedding adds little to the cost of a request: one addition, and a clock reading for every eighth
 * request.
 */
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import {
  AdmissionControl,
  waitingConnections,
  LoopTurns,
  systemClock,
} from './admission-control.ts'
import type { LoopClock } from './admission-control.ts'

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

/** Maximum lateness of a check, in milliseconds. If a check is later than this, the event loop is considered late. */
const maxLateness = 20

/**
 * Minimum duration of an alert, in milliseconds, before requests are rejected. Delays at startup and during bursts of requests do
 * not count as an overload.
 */
const minAlertTime = 500

/**
 * Time, in milliseconds, by which a single turn (iteration) of the event loop must exceed the limit for shedding to start
 * immediately.
 */
const burstTime = 1000

/**
 * Number of consecutive checks that must find the loop under pressure before the length of the connection queue is also checked.
 * See `#isPressed`.
 */
const minPressedChecks = 6

/**
 * Number of consecutive checks that must find the loop under pressure before shedding starts. All checks after the first
 * `minPressedChecks` must also find a long connection queue.
 */
const maxPressedChecks = 12

/**
 * The fraction of busy time that counts as CPU time at least. Handlers that wait synchronously, for a file or a process, use no CPU time, but
 * delay other requests.
 */
const minCpuShare = 0.25

/** Time, in milliseconds, without a rejection after which the overload ends. */
const recoveryTime = 1000

/**
 * Minimum and maximum time, in milliseconds, from the start of shedding to the next attempt to accept all requests. The time starts
 * at the minimum and doubles after each attempt, up to the maximum.
 */
const minAttemptTime = 10_000
const maxAttemptTime = 160_000

/** The maximum delay, in milliseconds, for admission control if a limit is set only for the utilization. */
const defaultDelay = 250

/** Detects overloads of one server, and rejects requests while the server is overloaded. */
export class LoadShedding {
  readonly #limits: OverloadLimits
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  readonly #clock: LoopClock
  readonly #turns: LoopTurns
  readonly #admission: AdmissionControl
  readonly #countWaiting: (ports: ReadonlyArray<number>) => number
  #ports: ReadonlyArray<number> = []
  #timer: NodeJS.Timeout | undefined = undefined
  #state: 'calm' | 'alert' | 'shedding' = 'calm'
  #isLogged = false

  /** Number of requests since the last check. */
  #requests = 0
  /** Number of new connections since the last check. */
  #connections = 0
  /** The time of the last check. */
  #checkTime: number
  /** The time at which the clock was last read, either for a request or for a check. */
  #latestTime: number
  /**
   * The longest interval between two consecutive clock readings since the last check. It approximates the longest time for which a
   * single handler has blocked the loop.
   */
  #longestInterval = 0
  /** The number of consecutive checks under pressure. */
  #pressedChecks = 0
  /** The length of the connection queue at the last check under pressure, or 0 if it was not checked. */
  #waitingUnderPressure = 0
  /** The total idle time of the loop up to the last check. */
  #idleAtCheck = 0
  /** The number of connections that were waiting to be accepted at the last check. */
  #waiting = 0

  /** The time at which the alert started. */
  #alertTime = 0
  /** The total time, in milliseconds, for which the loop had been busy at the start of the alert, and the total CPU time. */
  #busyAtAlert = 0
  #cpuAtAlert = 0
  /** Number of requests since the `alert` state was entered. */
  #alertRequests = 0
  /** Whether the alert was started by an attempt to accept all requests again. */
  #isAttempt = false
  /** The time at which shedding started. */
  #sheddingTime = 0
  /** Time, in milliseconds, from the start of shedding to the next attempt to accept all requests. */
  #attemptTime = minAttemptTime

  constructor(
    limits: OverloadLimits,
    logger: Pick<Logger, 'warn' | 'info'>,
    clock: LoopClock = systemClock,
    countWaiting: (ports: ReadonlyArray<number>) => number = waitingConnections,
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

  /** Starts checking the event loop periodically. `ports` are the TCP ports of all listeners. */
  start(ports: ReadonlyArray<number>): void {
    this.#ports = ports
    this.#resetCheck(this.#clock.now())
    this.#timer = setInterval(() => this.check(), checkInterval).unref()
  }

  /** Stops checking the event loop, and ends load shedding. */
  stop(): void {
    clearInterval(this.#timer)
    this.#calm()
  }

  /** Called when a connection is accepted. */
  onConnection(): void {
    this.#connections++
    this.#turns.onConnection()
  }

  /** Called after the poll phase of each turn of the event loop. */
  onTurn(): void {
    this.#turns.onTurn()
  }

  /** Checks whether the loop is late, and updates the state. Called by a timer. */
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
      // without new connections, the queue is empty
      const waiting = this.#connections === 0 ? 0 : this.#countWaiting(this.#ports)
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

  /** Records a request, and returns whether it must be rejected. */
  isOverloaded(): boolean {
    this.#requests++
    if (this.#state === 'calm') return this.#requests % 8 === 0 && this.#isBurst()
    this.#alertRequests++
    const now = this.#clock.now()
    const waited = this.#turns.recordRequest(now)
    const { delay } = this.#limits
    const isLong = this.#isAttempt || now - this.#alertTime >= minAlertTime
    const isLate = isLong && delay > 0 && this.#turns.minimumWait(now) > delay
    if (this.#state === 'alert' && isLate && this.#isBusy(now) && !this.#isPause(now))
      this.#shed(now, waited)
    return this.#state === 'shedding' && this.#admission.shouldReject(now, waited)
  }

  /**
   * Starts shedding if a burst of requests delays the loop. Returns whether shedding was started. The longest time taken by a
   * single request is subtracted from the delay, because a single slow handler is not an overload.
   */
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

  /** Whether the utilization of the loop since the start of the alert exceeds the limit. Always `true` if the limit is 100%. */
  #isBusy(now: number): boolean {
    const { utilization } = this.#limits
    const passed = now - this.#alertTime
    return utilization === 100 || this.#busySinceAlert(now) * 100 > utilization * passed
  }

  /**
   * Whether the loop is under pressure. This is the case if the utilization of the loop since the last check exceeds the limit, and
   * many requests have arrived on new connections. After `minPressedChecks` consecutive checks under pressure, the connection queue
   * must also be long.
   */
  #isPressed(now: number): boolean {
    const { delay, utilization } = this.#limits
    const passed = now - this.#checkTime
    const idle = this.#clock.idle()
    const busy = passed - (idle - this.#idleAtCheck)
    this.#idleAtCheck = idle
    // with few new connections, requests are not rejected, even if these connections have been waiting for a long time
    const areFew = this.#connections === 0 || this.#connections * 2 < this.#requests
    const before = this.#waitingUnderPressure
    this.#waitingUnderPressure = 0
    if (utilization === 100 || busy * 100 <= utilization * passed || areFew) return false
    if (this.#pressedChecks < minPressedChecks) return true
    const waiting = this.#countWaiting(this.#ports)
    this.#waitingUnderPressure = waiting
    // the queue of clients that connect at once only becomes shorter
    const isShrinking = waiting + this.#connections / 2 < before
    return !isShrinking && (waiting * passed) / this.#connections > delay
  }

  /**
   * Whether requests have been waiting only because the process was paused, or other processes were running on the same core. This is
   * assumed if the estimated CPU time of the requests does not exceed the limit.
   */
  #isPause(now: number): boolean {
    const cpu = this.#clock.cpu() - this.#cpuAtAlert
    const share = Math.min(1, Math.max(minCpuShare, cpu / this.#busySinceAlert(now)))
    return this.#turns.requests * this.#costSinceAlert(now) * share <= this.#limits.delay
  }

  /** Returns the average time, in milliseconds, that the loop has been busy per request since the start of the alert. */
  #costSinceAlert(now: number): number {
    return this.#alertRequests === 0 ? 0 : this.#busySinceAlert(now) / this.#alertRequests
  }

  #busySinceAlert(now: number): number {
    return now - this.#clock.idle() - this.#busyAtAlert
  }

  /**
   * Ends load shedding after a second without rejections. Otherwise, attempts to accept all requests again once `#attemptTime` has
   * elapsed.
   */
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
    this.#cpuAtAlert = this.#clock.cpu()
    this.#alertRequests = 0
    this.#turns.countsConnections = false
    this.#waiting = this.#connections === 0 ? 0 : this.#countWaiting(this.#ports)
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
