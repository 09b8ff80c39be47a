/**
 * The context of a call: what a handler, a filter or a mapper may ask for. It is worked out when it is asked for, because
 * most never is, and members of a class cost nothing until then.
 */
import type {
  Application,
  Context,
  EndpointInfo,
  RequestContext,
  ResponseContext,
  ResponseFields,
  SecurityContext,
  Surroundings,
  UriInfo,
  Logger,
} from '../../endpoint/context.ts'
import type { Links } from '../../endpoint/links.ts'
import { linksKey } from '../../endpoint/links.ts'
import * as Headers from '../../http/headers.ts'
import type { RequestInfo } from './request-info.ts'
import type { Exchange } from '../exchange.ts'
import { contextLinks } from '../links/context-links.ts'
import { loggerWithMembers } from '../../compiler/settings/logger.ts'
import { originalExchange } from '../filters/rewritten-exchange.ts'
import { LazyRequestContext } from './request-context.ts'
import { LazySecurityContext } from './security-context.ts'
import { LazyUriInfo } from './uri-info.ts'

class CallSurroundings implements Surroundings {
  readonly #call: RequestInfo
  #request: RequestContext | undefined = undefined
  #uri: UriInfo | undefined = undefined

  constructor(call: RequestInfo) {
    this.#call = call
  }

  get request(): RequestContext {
    return (this.#request ??= new LazyRequestContext(this.#call))
  }

  get uri(): UriInfo {
    return (this.#uri ??= new LazyUriInfo(this.#call))
  }

  get security(): SecurityContext {
    return new LazySecurityContext(this.#call)
  }

  get application(): Application {
    return this.#call.program.application
  }

  get response(): ResponseFields {
    const call = this.#call
    return {
      addHeader: (name, value) => {
        call.added = Headers.append(call.added, name, value)
      },
    }
  }

  get onEnd(): Surroundings['onEnd'] {
    const call = this.#call
    return (close) => call.onEnd(close)
  }

  get logger(): (category: string) => Logger {
    const call = this.#call
    const members = (): { readonly id: string } => ({ id: call.id })
    return (category) => loggerWithMembers(members, call.program.loggerOf(category))
  }

  get elapsed(): () => number {
    const call = this.#call
    return () => call.elapsed()
  }

  get [linksKey](): Links {
    return contextLinks(this.#call)
  }

  /** The call that a context is of; `undefined` for a context that is none of ours. */
  static underwayOf(context: Surroundings): RequestInfo | undefined {
    return #call in context ? context.#call : undefined
  }

  /** The exchange of a context, as it was received; `undefined` for a context that is none of ours. */
  static exchangeOf(context: Surroundings): Exchange | undefined {
    return #call in context ? originalExchange(context.#call.exchange) : undefined
  }
}

/** For the way around the engine that a runtime may offer. */
export const exchangeOf = (context: Surroundings): Exchange | undefined =>
  CallSurroundings.exchangeOf(context)

/** For the steps of the engine's own that stand among filters. */
export const requestInfoOf = (context: Surroundings): RequestInfo | undefined =>
  CallSurroundings.underwayOf(context)

/** Around a request that was matched. */
export class OperationContext extends CallSurroundings implements Context {
  readonly endpoint: EndpointInfo

  constructor(call: RequestInfo, endpoint: EndpointInfo) {
    super(call)
    this.endpoint = endpoint
  }
}

/** Around a request that has not been matched, or matched nothing. */
export class UnmatchedContext extends CallSurroundings implements ResponseContext {
  readonly endpoint = undefined
}
