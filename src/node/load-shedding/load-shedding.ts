/**
 * Load shedding: rejects requests while the event loop has more work than time, so that the accepted ones are answered soon.
 *
 * ```text
 * calm      a timer looks every 50 ms whether the loop was late while several requests came   -> alert
 * alert     half a second later, requests wait for longer than the limit (`loop-turns.ts`)   -> shedding
 *           the loop was in time again                                                        -> calm
 * shedding  requests are rejected, the more the longer they have waited
 *           no request was rejected for a second                                              -> calm
 *           ten seconds have passed, and twice as many after each attempt                     -> alert
 * ```
 *
 * Clients that send the next request as soon as they have a response keep the loop busy whether or not requests are rejected.
 * So the server attempts to accept all of them again after a while: the attempt fails once requests wait for longer than the limit.
 *
 * A single handler that holds the loop, a garbage collection, a debugger or a suspended machine make the loop late once, after
 * which it is in time again. Only a loop that stays late, with requests waiting, is overloaded; or one that is never idle while
 * connections wait to be accepted. In state calm, a request costs one addition, and every eighth one a look at the clock.
 */
import type { Server } from 'node:http'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { waitingConnections } from './waiting-connections.ts'
import type { LoopClock } from './loop-turns.ts'
import { LoopTurns, systemClock } from './loop-turns.ts'

export interface OverloadLimits {
  /** Milliseconds that requests may wait; 0 is no limit. */
  readonly delay: number
  /** Percent of its time that the loop may be busy; 100 is no limit. */
  readonly utilization: number
}

/** As configured; `undefined` if no request is rejected. */
export const createLoadShedding = (
  settings: Settings,
  logger: Logger,
): LoadShedding | undefined => {
  const delay = settings['fw.http.overload.max-loop-delay']
  const utilization = settings['fw.http.overload.max-loop-utilization']
  const isEnabled = settings['fw.http.overload.enabled'] && (delay > 0 || utilization < 100)
  return isEnabled ? new LoadShedding({ delay, utilization }, logger) : undefined
}

/** Milliseconds between two looks. */
export const checkInterval = 50

/** Milliseconds that a look may be late before the loop counts as late. */
const mostLate = 20

/** Milliseconds that an alert lasts at least before requests are rejected: a start or a burst is not an overload. */
const persistence = 500

/** Milliseconds beyond the limit after which requests are rejected at once, in a turn that many requests have made that long. */
const burst = 1000

/**
 * Consecutive looks at a loop that is never idle and accepts connections, after which the queue of connections is looked at, and
 * those after which it has been too long for long enough.
 */
const pressed = 6
const mostPressed = 12

/** Rejections in a row after which one request is accepted; they take about as long as one accepted request. */
const mostInRow = 64

/** Milliseconds without a rejection after which the overload is over. */
const recovery = 1000

/** Milliseconds of an overload after which all requests are accepted for an attempt: the first time, and at most. */
const firstAttempt = 10_000
const lastAttempt = 160_000

/** The share of its time that the loop may be idle during an overload; three times as much while requests wait. */
const mostIdle = 0.1

/** The delay on which the control is based where only the utilization is limited. */
const usualDelay = 250

export class LoadShedding {
  readonly #limits: OverloadLimits
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  readonly #clock: LoopClock
  readonly #turns: LoopTurns
  readonly #waitingOn: (port: number) => number
  #port = 0
  /** Milliseconds of waiting from which, during an overload, a turn accepts one request only. From half of it on, some are rejected. */
  readonly #target: number
  #state: 'calm' | 'alert' | 'shedding' = 'calm'
  #requests = 0
  /** When the latest look was, or should have been. */
  #looked: number
  /** The latest time that was read, and the longest time between two: a single handler that held the loop. */
  #latest: number
  #longestGap = 0
  /** When the alert began: the time, and for how long the loop had been busy until then. */
  #alertAt = 0
  #alertBusy = 0
  /** Connections that waited to be accepted at the latest look. */
  #waiting = 0
  /** Requests since the alert began. */
  #alertRequests = 0
  /** Whether the alert is an attempt to accept all requests again. */
  #isAttempt = false
  /** When requests began to be rejected, and the milliseconds after which an attempt to accept all of them is due. */
  #shedAt = 0
  #attemptAfter = firstAttempt
  #isLogged = false
  /** New connections since the latest look. */
  #connections = 0
  /** Consecutive looks during which connections have waited, and for how long the loop had been idle at the latest look. */
  #pressed = 0
  #idleAtLook = 0
  /** What is left of a whole rejection. */
  #due = 0
  #rejectedAt = 0
  #rejectedInRow = 0
  /** Milliseconds of work that accepted requests still have to do, by estimate, and when that was estimated. */
  #backlog = 0
  #backlogAt = 0
  /** Milliseconds that the loop is busy for one accepted request, by estimate. */
  #cost = 0
  /** The longest time that a request has waited on an open connection since the latest look. */
  #longestWait = 0

  constructor(
    limits: OverloadLimits,
    logger: Pick<Logger, 'warn' | 'info'>,
    clock: LoopClock = systemClock,
    waitingOn: (port: number) => number = waitingConnections,
  ) {
    this.#limits = limits
    this.#logger = logger
    this.#clock = clock
    this.#turns = new LoopTurns(clock)
    this.#waitingOn = waitingOn
    this.#target = (limits.delay === 0 ? usualDelay : limits.delay) / 25
    this.#looked = clock.now()
    this.#latest = this.#looked
  }

  /** Looks from when a server listens until it is closed. */
  start(server: Server): void {
    server.once('listening', () => {
      const address = server.address()
      this.#port = typeof address === 'object' && address !== null ? address.port : 0
      this.#reset(this.#clock.now())
      server.on('connection', () => this.connected())
      const timer = setInterval(() => this.check(), checkInterval).unref()
      server.once('close', () => {
        clearInterval(timer)
        this.#calm()
      })
    })
  }

  /** A connection was accepted. */
  connected(): void {
    this.#connections++
    this.#turns.connected()
  }

  /** Looks whether the loop is late. Called by a timer. */
  check(): void {
    const now = this.#clock.now()
    const late = now - this.#looked - checkInterval
    const isCongested = late > mostLate && this.#requests > 1
    if (this.#state === 'shedding') this.#correctCost(now)
    this.#pressed = this.#isPressed(now) ? this.#pressed + 1 : 0
    if (this.#state === 'calm' && isCongested) this.#alert(now)
    else if (this.#state === 'alert') {
      // where none was accepted, none waits
      const waiting = this.#connections === 0 ? 0 : this.#waitingOn(this.#port)
      this.#turns.countsConnections = waiting > 0 && waiting >= this.#waiting
      this.#waiting = waiting
      const isTooEarly = this.#isAttempt && now - this.#alertAt < recovery
      if (!isCongested && !isTooEarly) this.#calm()
      else if (isCongested && this.#limits.delay === 0 && this.#isBusy(now)) this.#shed(now, late)
    } else if (this.#state === 'shedding') this.#recover(now)
    if (this.#state !== 'shedding' && this.#pressed >= mostPressed) {
      if (this.#state === 'calm') this.#alert(now)
      this.#shed(now, late)
    }
    this.#reset(now)
  }

  /** Whether the request that has come is to be rejected. */
  isOverloaded(): boolean {
    this.#requests++
    if (this.#state === 'calm') return this.#requests % 8 === 0 && this.#isBurst()
    this.#alertRequests++
    const now = this.#clock.now()
    const waited = this.#turns.waited(now)
    const { delay } = this.#limits
    const isLong = this.#isAttempt || now - this.#alertAt >= persistence
    const isLate = isLong && delay > 0 && this.#turns.waitedAtLeast(now) > delay
    if (this.#state === 'alert' && isLate && this.#isBusy(now) && !this.#isPause(now))
      this.#shed(now, waited)
    return this.#state === 'shedding' && this.#rejects(now, waited)
  }

  /** A turn of the event loop has polled for events. */
  turned(): void {
    this.#turns.turned()
  }

  /**
   * Rejects none below half of the target, all above it, and a growing share between them. If no connections wait, the first
   * request of a turn is accepted, so that a server is not idle between slow handlers. A server that rejections alone keep busy
   * still answers some requests.
   *
   * Handlers that use the processor after they have waited, for example for a database, do not delay the requests of the same
   * turn. The work that they are going to do is estimated.
   */
  #rejects(now: number, waited: number): boolean {
    const half = this.#target / 2
    this.#longestWait = Math.max(this.#longestWait, this.#turns.waitedOnConnection(now))
    this.#backlog = Math.max(0, this.#backlog - (now - this.#backlogAt))
    this.#backlogAt = now
    const isFirst = this.#turns.takeFirst() && this.#backlog < this.#target
    const expected = Math.max(waited, this.#backlog)
    this.#due += isFirst ? 0 : Math.min(1, Math.max(0, (expected - half) / half))
    if (this.#due < 1 || this.#rejectedInRow === mostInRow) {
      this.#rejectedInRow = 0
      this.#backlog += this.#cost
      return false
    }
    this.#due--
    this.#rejectedInRow++
    this.#rejectedAt = now
    return true
  }

  /**
   * Corrects the cost of a request. If requests still wait, it is higher; if the loop is idle, it is lower. The first matters less
   * than the second, because requests always wait for handlers that hold the loop for long.
   */
  #correctCost(now: number): void {
    const idle = (this.#clock.idle() - this.#idleAtLook) / (now - this.#looked)
    if (idle > 3 * mostIdle) this.#cost *= 0.8
    else if (this.#longestWait > 3 * this.#target) this.#cost *= 1.25
    else if (idle > mostIdle) this.#cost *= 0.9
    this.#longestWait = 0
  }

  /** Whether many requests came at once, not counting the longest time that one of them has taken. */
  #isBurst(): boolean {
    const now = this.#clock.now()
    this.#longestGap = Math.max(this.#longestGap, now - this.#latest)
    this.#latest = now
    const { delay } = this.#limits
    const late = now - this.#looked - checkInterval - this.#longestGap
    if (delay === 0 || late <= delay + burst) return false
    this.#alert(now, late)
    this.#shed(now, late)
    return true
  }

  /** Whether the loop has been busier than it may be since the alert began. */
  #isBusy(now: number): boolean {
    const { utilization } = this.#limits
    const busy = now - this.#clock.idle() - this.#alertBusy
    return utilization === 100 || busy * 100 > utilization * (now - this.#alertAt)
  }

  /** Whether connections may wait to be accepted: the loop was never idle since the latest look, and most requests needed one. */
  #isPressed(now: number): boolean {
    const { delay, utilization } = this.#limits
    const passed = now - this.#looked
    const idle = this.#clock.idle()
    const busy = passed - (idle - this.#idleAtLook)
    this.#idleAtLook = idle
    // few connections are no reason to reject requests, however long they wait behind many requests
    const areFew = this.#connections === 0 || this.#connections * 2 < this.#requests
    if (utilization === 100 || busy * 100 <= utilization * passed || areFew) return false
    if (this.#pressed < pressed) return true
    return (this.#waitingOn(this.#port) * passed) / this.#connections > delay
  }

  /** Whether requests have waited because the process was paused: as many requests do not usually take that long. */
  #isPause(now: number): boolean {
    return this.#turns.requests * this.#costSinceAlert(now) <= this.#limits.delay
  }

  /** Milliseconds that the loop was busy for each request since the alert began, in which none was rejected. */
  #costSinceAlert(now: number): number {
    return this.#alertRequests === 0
      ? 0
      : (now - this.#clock.idle() - this.#alertBusy) / this.#alertRequests
  }

  /** Ends an overload after a second without rejections, and attempts to end it after a longer time. */
  #recover(now: number): void {
    if (now - this.#rejectedAt > recovery) this.#calm()
    else if (now - this.#shedAt > this.#attemptAfter) {
      this.#attemptAfter = Math.min(lastAttempt, this.#attemptAfter * 2)
      this.#alert(now)
      this.#isAttempt = true
    }
  }

  #alert(now: number, waited = 0): void {
    this.#state = 'alert'
    this.#alertAt = now
    this.#isAttempt = false
    this.#alertBusy = now - this.#clock.idle()
    this.#alertRequests = 0
    this.#turns.countsConnections = false
    this.#waiting = this.#connections === 0 ? 0 : this.#waitingOn(this.#port)
    this.#turns.start(now, waited)
  }

  #shed(now: number, waited: number): void {
    this.#state = 'shedding'
    this.#shedAt = now
    this.#turns.countsConnections = true
    this.#cost = this.#costSinceAlert(now)
    this.#backlog = 0
    this.#backlogAt = now
    this.#rejectedAt = now
    if (this.#isLogged) return
    this.#isLogged = true
    this.#logger.warn({ waited: Math.round(waited) }, 'Event loop overloaded, rejecting requests')
  }

  #calm(): void {
    this.#state = 'calm'
    this.#attemptAfter = firstAttempt
    this.#turns.stop()
    if (!this.#isLogged) return
    this.#isLogged = false
    this.#logger.info({}, 'Event loop no longer overloaded')
  }

  #reset(now: number): void {
    this.#looked = now
    this.#latest = now
    this.#longestGap = 0
    this.#requests = 0
    this.#connections = 0
  }
}
