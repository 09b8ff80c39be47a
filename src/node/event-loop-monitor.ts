/**
 * Warns when the event loop is blocked for too long, and names the operation.
 *
 * A response costs one read of the clock, about 40 ns; a request that is not responded to at once costs a second one. A timer runs
 * between requests. If a check is late, nothing else has run since the previous one, so the code that has just returned has blocked
 * the loop.
 */
import type { Server } from 'node:http'
import type { Exchange } from '../interpreter/exchange.ts'
import type { Program } from '../interpreter/program.ts'
import { selectOperation } from '../interpreter/routing/select-operation.ts'

/** The parts of an exchange that identify its operation. */
type RequestLine = Pick<Exchange, 'method' | 'path' | 'headers'>

export class EventLoopMonitor {
  readonly #program: Program
  readonly #threshold: number
  readonly #interval: number
  #latestCheck = performance.now()
  #latestRequest: RequestLine | undefined = undefined

  constructor(program: Program) {
    this.#program = program
    this.#threshold = program.settings['fw.loop.stall']
    this.#interval = this.#threshold / 4
  }

  /** Monitors the event loop from when a server listens until it is closed. */
  start(server: Server): void {
    server.once('listening', () => {
      this.#latestCheck = performance.now()
      const timer = setInterval(() => this.#tick(), this.#interval).unref()
      server.once('close', () => clearInterval(timer))
    })
  }

  /** Called when code has run for a request. */
  record(request: RequestLine): void {
    const blocked = this.#blockedTime()
    this.#latestRequest = request
    if (blocked > 0) this.#warn(blocked, `${this.#nameOf(request)} blocked the event loop`)
  }

  #tick(): void {
    const blocked = this.#blockedTime()
    if (blocked <= 0) return
    const latest =
      this.#latestRequest === undefined
        ? ''
        : `, last response: ${this.#nameOf(this.#latestRequest)}`
    this.#warn(blocked, `Event loop blocked between two responses${latest}`)
  }

  /** Returns the minimum number of milliseconds for which the loop was blocked; 0 if they are below the threshold. */
  #blockedTime(): number {
    const now = performance.now()
    const blocked = now - this.#latestCheck - this.#interval
    this.#latestCheck = now
    return blocked >= this.#threshold ? blocked : 0
  }

  #warn(blocked: number, description: string): void {
    this.#program.logger.warn(
      { held: Math.round(blocked) },
      `${description} for at least ${Math.round(blocked)} ms: declare the operation blocking, or split the work`,
    )
  }

  #nameOf(request: RequestLine): string {
    const selection = selectOperation(this.#program, request)
    const name =
      selection._tag === 'Selected' ? selection.choice.operation.plan.name : 'no operation'
    return `${request.method} ${request.path} (${name})`
  }
}
