/**
 * A request on its way through an operation. It is also the handler's context: what a handler may ask for is worked out
 * when it asks, because most never do, and members of a class cost nothing until then.
 */
import type { Context, EndpointInfo, RequestContext } from '../endpoint/context.ts'
import type { Failure } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import type { Exchange } from './exchange.ts'
import { fail } from './fail.ts'
import type { Settling } from './outcome.ts'
import type { Operation, Program } from './program.ts'
import { refuse } from './refuse.ts'
import type { Outcome } from './respond.ts'

export class Call implements Context, Settling {
  readonly #program: Program
  readonly #exchange: Exchange
  readonly #operation: Operation
  #request: RequestContext | undefined = undefined
  #id: string | undefined = undefined

  constructor(program: Program, exchange: Exchange, operation: Operation) {
    this.#program = program
    this.#exchange = exchange
    this.#operation = operation
  }

  /** Calls the handler. Its types were checked against the declarations that the input was decoded by. */
  run(input: Readonly<Record<string, unknown>>): unknown {
    return this.#operation.plan.handler(input, this)
  }

  /** Step 12: what the handler came to is put into octets, and sent. */
  replied(outcome: Outcome): void {
    this.#exchange.answer(this.#operation.respond(outcome, this.#exchange))
  }

  refused(failure: Failure): void {
    this.#exchange.answer(refuse(failure, this.#exchange, this.id))
  }

  /** Step 10. */
  failed(error: unknown): void {
    fail(error, this.#exchange, this.id, this.#program)
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID())
  }

  get request(): RequestContext {
    return (this.#request ??= requestContext(this.#exchange, () => this.id))
  }

  get endpoint(): EndpointInfo {
    const { name, method, template } = this.#operation.plan
    return { name, method, template }
  }
}

const requestContext = (exchange: Exchange, id: () => string): RequestContext => ({
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  headers: exchange.headers,
  header: (name) => Headers.combined(exchange.headers, name.toLowerCase()),
  get id() {
    return id()
  },
  get signal() {
    return exchange.signal()
  },
})
