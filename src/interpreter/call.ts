/**
 * A request on its way through an operation. It is also the handler's context: what a handler may ask for is worked out
 * when it asks, because most never do, and members of a class cost nothing until then.
 */
import type { Context, EndpointInfo, RequestContext } from '../endpoint/context.ts'
import * as Headers from '../http/headers.ts'
import type { Exchange } from './exchange.ts'
import type { Plan } from './plan.ts'

export class Call implements Context {
  readonly #exchange: Exchange
  readonly #plan: Plan
  #request: RequestContext | undefined
  #id: string | undefined

  constructor(exchange: Exchange, plan: Plan) {
    this.#exchange = exchange
    this.#plan = plan
  }

  /** Calls the handler. Its types were checked against the declarations that the input was decoded by. */
  run(input: Readonly<Record<string, unknown>>): unknown {
    return this.#plan.handler(input, this)
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID())
  }

  get request(): RequestContext {
    return (this.#request ??= requestContext(this.#exchange, () => this.id))
  }

  get endpoint(): EndpointInfo {
    return { name: this.#plan.name, method: this.#plan.method, template: this.#plan.template }
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
