/**
 * Refuses requests while the event loop has more to do than it can, so that the others are answered in time. The loop is
 * looked at now and then: each look at a loop that is overloaded raises the share of requests that is refused, each at one that
 * has room lowers it, and between the two it stays.
 *
 * Why a share and not all or none: to refuse everything would leave the loop idle, and to accept everything again would
 * overload it, in turns.
 */
import type { Server } from 'node:http'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Logger } from '../interpreter/logger.ts'
import type { Settings } from '../interpreter/settings.ts'

export interface OverloadLimits {
  /** Milliseconds that the loop may be late; 0 is no limit. */
  readonly delay: number
  /** Percent of its time that the loop may be busy; 100 is no limit. */
  readonly utilization: number
}

/** What was seen of the loop since the look before. */
export interface Seen {
  /** Milliseconds that the latest hundredth of its timers were late. */
  readonly delay: number
  /** Percent of the time in which it was busy. */
  readonly utilization: number
}

/** As the settings say; `undefined` where nothing is refused. */
export const overloadOf = (settings: Settings, logger: Logger): Overload | undefined =>
  settings['fw.http.overload.enabled']
    ? new Overload(
        {
          delay: settings['fw.http.overload.max-loop-delay'],
          utilization: settings['fw.http.overload.max-loop-utilization'],
        },
        logger,
      )
    : undefined

/** Milliseconds between two looks. */
const interval = 250
/** What a look changes about the share; and the largest, so that a server whose refusals alone keep it busy still answers some. */
const step = 0.25
const largest = 0.875
/** The parts of the limits below which the loop has room. */
const roomOfDelay = 0.5
const roomOfUtilization = 0.9

export class Overload {
  readonly #limits: OverloadLimits
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  #share = 0
  /** What is left of a whole refusal. */
  #due = 0
  #looked: number

  constructor(
    limits: OverloadLimits,
    logger: Pick<Logger, 'warn' | 'info'>,
    now: number = performance.now(),
  ) {
    this.#limits = limits
    this.#logger = logger
    this.#looked = now
  }

  /** Looks from when a server listens until it is closed. */
  start(server: Server): void {
    server.once('listening', () => {
      const delays = monitorEventLoopDelay({ resolution: 10 })
      let before = performance.eventLoopUtilization()
      delays.enable()
      this.#looked = performance.now()
      const timer = setInterval(() => {
        const after = performance.eventLoopUtilization()
        const { utilization } = performance.eventLoopUtilization(after, before)
        // what is measured is the time between two timers, so their distance is in it
        this.look({ delay: delays.percentile(99) / 1e6 - 10, utilization: utilization * 100 })
        before = after
        delays.reset()
      }, interval).unref()
      server.once('close', () => {
        clearInterval(timer)
        delays.disable()
      })
    })
  }

  /** The loop was looked at. */
  look(seen: Seen, now: number = performance.now()): void {
    const before = this.#share
    this.#looked = now
    if (this.#isOver(seen)) this.#share = Math.min(largest, before + step)
    else if (this.#hasRoom(seen)) this.#share = Math.max(0, before - step)
    if (before === 0 && this.#share > 0) this.#begin(seen)
    if (before > 0 && this.#share === 0) this.#end()
  }

  /**
   * Whether the request that has come is refused. In a turn of the loop that has lasted for too long already, each is: it has
   * waited, and those behind it wait.
   */
  sheds(now: number = performance.now()): boolean {
    const { delay } = this.#limits
    if (delay > 0 && now - this.#looked > interval + delay) return true
    if (this.#share === 0) return false
    this.#due += this.#share
    if (this.#due < 1) return false
    this.#due--
    return true
  }

  #isOver({ delay, utilization }: Seen): boolean {
    const most = this.#limits
    return (most.delay > 0 && delay > most.delay) || utilization > most.utilization
  }

  #hasRoom({ delay, utilization }: Seen): boolean {
    const most = this.#limits
    return (
      (most.delay === 0 || delay <= most.delay * roomOfDelay) &&
      (most.utilization === 100 || utilization <= most.utilization * roomOfUtilization)
    )
  }

  #begin({ delay, utilization }: Seen): void {
    this.#logger.warn(
      { delay: Math.round(delay), utilization: Math.round(utilization) },
      'The event loop has more to do than it can: requests are refused.',
    )
  }

  #end(): void {
    this.#logger.info({}, 'The event loop has room again.')
  }
}
