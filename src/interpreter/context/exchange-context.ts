/**
 * The `context` object for handlers, filters and mappers. Members are computed on first use, because most members are never used.
 * The members are class getters, which cost nothing per request.
 */
import type {
  Application,
  Context,
  EndpointInfo,
  RequestContext,
  ResponseContext,
  ResponseFields,
  SecurityContext,
  CommonContext,
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
import { LazyRequestContext, LazySecurityContext, LazyUriInfo } from './request-context.ts'

class BaseContext implements CommonContext {
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

  get onEnd(): CommonContext['onEnd'] {
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

  /** Returns the request state behind a context, or `undefined` if the framework did not create the context. */
  static stateOf(context: CommonContext): RequestInfo | undefined {
    return #state in context ? context.#state : undefined
  }

  /**
   * Returns the exchange behind a context, before any rewriting. Returns `undefined` if the framework did not create the context.
   */
  static exchangeOf(context: CommonContext): Exchange | undefined {
    return #state in context ? originalExchange(context.#state.exchange) : undefined
  }
}

/** Returns the exchange behind a context, before any rewriting. A runtime gets the native request from this exchange. */
export const exchangeOf = (context: CommonContext): Exchange | undefined =>
  BaseContext.exchangeOf(context)

/** Returns the request information behind a context. Built-in filters use this function. */
export const requestInfoOf = (context: CommonContext): RequestInfo | undefined =>
  BaseContext.stateOf(context)

/** The context for a request that matches an operation. */
export class OperationContext extends BaseContext implements Context {
  readonly endpoint: EndpointInfo

  constructor(state: RequestInfo, endpoint: EndpointInfo) {
    super(state)
    this.endpoint = endpoint
  }
}

/** The context for a request that has not been matched yet or that matches no operation. */
export class UnmatchedContext extends BaseContext implements ResponseContext {
  readonly endpoint = undefined
}
