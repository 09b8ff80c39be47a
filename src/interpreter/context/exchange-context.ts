/**
 * The `context` of handlers, filters and mappers. Its members are computed on first use, because most are never used. They are
 * getters of a class, which cost nothing per request.
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
import { contextLinks } from '../links/visible-links.ts'
import { loggerWithMembers } from '../../compiler/settings/logger.ts'
import { originalExchange } from '../filters/rewritten-exchange.ts'
import { LazyRequestContext } from './request-context.ts'
import { LazySecurityContext } from './security-context.ts'
import { LazyUriInfo } from './uri-info.ts'

class BaseContext implements Surroundings {
  readonly #state: RequestInfo
  #request: RequestContext | undefined = undefined
  #uri: UriInfo | undefined = undefined

  constructor(state: RequestInfo) {
    this.#state = state
  }

  get request(): RequestContext {
    return (this.#request ??= new LazyRequestContext(this.#state))
  }

  get uri(): UriInfo {
    return (this.#uri ??= new LazyUriInfo(this.#state))
  }

  get security(): SecurityContext {
    return new LazySecurityContext(this.#state)
  }

  get application(): Application {
    return this.#state.program.application
  }

  get response(): ResponseFields {
    const state = this.#state
    return {
      addHeader: (name, value) => {
        state.addedHeaders = Headers.append(state.addedHeaders, name, value)
      },
    }
  }

  get onEnd(): Surroundings['onEnd'] {
    const state = this.#state
    return (close) => state.onEnd(close)
  }

  get logger(): (category: string) => Logger {
    const state = this.#state
    const members = (): { readonly id: string } => ({ id: state.id })
    return (category) => loggerWithMembers(members, state.program.loggerOf(category))
  }

  get elapsed(): () => number {
    const state = this.#state
    return () => state.elapsed()
  }

  get [linksKey](): Links {
    return contextLinks(this.#state)
  }

  /** Returns the state of a context; `undefined` for a context that the framework did not create. */
  static underwayOf(context: Surroundings): RequestInfo | undefined {
    return #state in context ? context.#state : undefined
  }

  /** Returns the exchange of a context, before rewriting; `undefined` for a context that the framework did not create. */
  static exchangeOf(context: Surroundings): Exchange | undefined {
    return #state in context ? originalExchange(context.#state.exchange) : undefined
  }
}

/** For runtimes that give access to their native request. */
export const exchangeOf = (context: Surroundings): Exchange | undefined =>
  BaseContext.exchangeOf(context)

/** For built-in filters. */
export const requestInfoOf = (context: Surroundings): RequestInfo | undefined =>
  BaseContext.underwayOf(context)

/** The context of a request that matches an operation. */
export class OperationContext extends BaseContext implements Context {
  readonly endpoint: EndpointInfo

  constructor(state: RequestInfo, endpoint: EndpointInfo) {
    super(state)
    this.endpoint = endpoint
  }
}

/** The context of a request before matching, or without a match. */
export class UnmatchedContext extends BaseContext implements ResponseContext {
  readonly endpoint = undefined
}
