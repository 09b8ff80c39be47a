/**
 * Logs a warning if the event loop has been blocked for longer than `fw.loop.stall`. The warning names the operation that ran last.
 *
 * The clock is checked before and after each operation, after each response, and by a timer between requests. A check takes about 40 ns.
 * If a check after an operation is late, the operation must have blocked the loop, because no other check has run in the meantime. If a
 * check before an operation is late, other code has blocked the loop, such as the parsing of many requests.
 */
import { performance } from 'node:perf_hooks'
import type { Exchange } from '../interpreter/exchange.ts'
import type { Program } from '../interpreter/program.ts'
import { selectOperation } from '../interpreter/routing/select-operation.ts'

/** The properties of an exchange that determine which operation is selected. */
type RequestLine = Pick<Exchange, 'method' | 'path' | 'headers'>

export class EventLoopMonitor {
  readonly #program: Program
  readonly #threshold: number
  readonly #interval: number
  #latestCheck = performance.now()
  #latestRequest: RequestLine | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(program: Program) {
    this.#program = program
    this.#threshold = program.settings['fw.loop.stall']
    this.#interval = this.#threshold / 4
  }

  /** Starts monitoring the event loop. */
  start(): void {
    this.#latestCheck = performance.now()
    this.#timer = setInterval(() => this.check(), this.#interval).unref()
  }

  /** Stops monitoring the event loop. */
  stop(): void {
    clearInterval(this.#timer)
  }

  /** Logs a warning if the code that has just run for `request` blocked the event loop. */
  record(request: RequestLine): void {
    const blocked = this.#blockedTime()
    this.#latestRequest = request
    if (blocked > 0)
      this.#warn(
        blocked,
        `${this.#nameOf(request)} blocked the event loop`,
        'declare the operation as blocking, or split up the work',
      )
  }

  /** Logs a warning if code that belongs to no operation has blocked the event loop. Called before an operation runs. */
  check(): void {
    const blocked = this.#blockedTime()
    if (blocked <= 0) return
    const time =
      this.#latestRequest === undefined
        ? 'before the first response'
        : `after the response to ${this.#nameOf(this.#latestRequest)}`
    this.#warn(
      blocked,
      `Code that ran ${time} blocked the event loop`,
      'if it belongs to an operation, declare the operation as blocking, or split up the work',
    )
  }

  /**
   * Returns a lower bound, in milliseconds, for the time the event loop was blocked. Returns `0` if the bound is below the
   * threshold.
   */
  #blockedTime(): number {
    const now = performance.now()
    const blocked = now - this.#latestCheck - this.#interval
    this.#latestCheck = now
    return blocked >= this.#threshold ? blocked : 0
  }

  #warn(blocked: number, description: string, remedy: string): void {
    this.#program.logger.warn(
      { held: Math.round(blocked) },
      `${description} for at least ${Math.round(blocked)} ms: ${remedy}`,
    )
  }

  #nameOf(request: RequestLine): string {
    const selection = selectOperation(this.#program, request)
    const name =
      selection._tag === 'Selected' ? selection.choice.operation.plan.name : 'no operation'
    return `${request.method} ${request.path} (${name})`
  }
}
