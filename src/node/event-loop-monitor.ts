/**
 * Watches for whatever holds the event loop for too long. An answer costs one look at a clock, about 40 ns; a request that is
 * not answered at once, a second one. A timer looks between requests, so a look that comes late can only mean that nothing
 * else could run since the one before: what was just answered, or has just returned, has held the loop.
 */
import type { Server } from 'node:http'
import type { Exchange } from '../interpreter/exchange.ts'
import type { Program } from '../interpreter/program.ts'
import { select } from '../interpreter/routing/select-operation.ts'

/** What of a request says who has held the loop. */
type Culprit = Pick<Exchange, 'method' | 'path' | 'headers'>

export class EventLoopMonitor {
  readonly #program: Program
  readonly #longest: number
  readonly #interval: number
  #seen = performance.now()
  #latest: Culprit | undefined = undefined

  constructor(program: Program) {
    this.#program = program
    this.#longest = program.settings['fw.loop.stall']
    this.#interval = this.#longest / 4
  }

  /** Watches from when a server listens until it is closed. */
  start(server: Server): void {
    server.once('listening', () => {
      this.#seen = performance.now()
      const timer = setInterval(() => this.#tick(), this.#interval).unref()
      server.once('close', () => clearInterval(timer))
    })
  }

  /** Something was just done for a request. */
  record(culprit: Culprit): void {
    const held = this.#held()
    this.#latest = culprit
    if (held > 0) this.#warn(held, `${this.#nameOf(culprit)} has held the event loop`)
  }

  #tick(): void {
    const held = this.#held()
    if (held <= 0) return
    const last = this.#latest === undefined ? '' : `, last ${this.#nameOf(this.#latest)}`
    this.#warn(held, `something between two answers has held the event loop${last}`)
  }

  /** Milliseconds for which the loop was surely held, if that is too long; otherwise 0. */
  #held(): number {
    const now = performance.now()
    const held = now - this.#seen - this.#interval
    this.#seen = now
    return held >= this.#longest ? held : 0
  }

  #warn(held: number, sentence: string): void {
    this.#program.logger.warn(
      { held: Math.round(held) },
      `${sentence} for at least ${Math.round(held)} ms: work that long should be blocking, or done in pieces`,
    )
  }

  #nameOf(culprit: Culprit): string {
    const selection = select(this.#program, culprit)
    const name =
      selection._tag === 'Selected' ? selection.choice.operation.plan.name : 'no operation'
    return `${culprit.method} ${culprit.path} (${name})`
  }
}
