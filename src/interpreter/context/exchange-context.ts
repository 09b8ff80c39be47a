/**
 * The `context` object for handlers, filters and mappers.
 *
 * The members are class getters, each of which computes its value on access. Most members are never used, and an unused getter
 * costs nothing per request.
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
import type { TreeOperations } from '../../endpoint/tree/tree-operations.ts'
import { operationsKey } from '../../endpoint/tree/tree-operations.ts'
import type { Providers } from '../../endpoint/providers.ts'
import { providersKey } from '../../endpoint/providers.ts'
import * as Headers from '../../http/headers.ts'
import type { RequestInfo } from '../request-info.ts'
import type { SelectedResponse } from '../routing/select-representation.ts'
import type { Exchange } from '../exchange.ts'
import { contextProviders } from './context-providers.ts'
import { treeOperations } from './tree-operations.ts'
import { contextLinks } from '../response/links.ts'
import { loggerWithMembers } from '../../compiler/settings/logger.ts'
import { originalExchange } from '../rewritten-exchange.ts'
import { LazyRequestContext, LazySecurityContext, LazyUriInfo } from './request-context.ts'

/** Implements `context.response`. Its method can be destructured, like those of the request. */
class LazyResponseFields implements ResponseFields {
  readonly #state: RequestInfo

  constructor(state: RequestInfo) {
    this.#state = state
  }

  get contentType(): string | undefined {
    return this.#selected?.contentType
  }

  get language(): string | undefined {
    return this.#selected?.language
  }

  get addHeader(): ResponseFields['addHeader'] {
    const state = this.#state
    return (name, value) => {
      state.addedHeaders = Headers.append(state.addedHeaders, name, value)
    }
  }

  get #selected(): SelectedResponse | undefined {
    const { operation, exchange } = this.#state
    return operation?.selectResponse(exchange.headers)
  }
}

abstract class BaseContext implements CommonContext {
  abstract readonly endpoint: EndpointInfo | undefined
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
    return new LazyResponseFields(this.#state)
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

  get [operationsKey](): TreeOperations {
    const state = this.#state
    return treeOperations(state, this.endpoint, (other) => new OperationContext(state, other))
  }

  get [providersKey](): Providers {
    const state = this.#state
    const { operation, program } = state
    return contextProviders({
      chain: operation?.plan.chain ?? program.root,
      settings: program.settings,
      writeContext: state,
      context: state.context,
      readingContext: operation && state.contextOf(operation),
    })
  }

  /** Returns the request state of a context, or `undefined` if the context was not created by the framework. */
  static stateOf(context: CommonContext): RequestInfo | undefined {
    return #state in context ? context.#state : undefined
  }

  /**
   * Returns the original exchange of a context, before any rewriting. Returns `undefined` if the context was not created by the
   * framework.
   */
  static exchangeOf(context: CommonContext): Exchange | undefined {
    return #state in context ? originalExchange(context.#state.exchange) : undefined
  }
}

/** Returns the original exchange of a context, before any rewriting. Runtimes use it to access the native request. */
export const exchangeOf = (context: CommonContext): Exchange | undefined =>
  BaseContext.exchangeOf(context)

/** Returns the request information of a context. Used by built-in filters. */
export const requestInfoOf = (context: CommonContext): RequestInfo | undefined =>
  BaseContext.stateOf(context)

/** The context of a request that matches an operation. */
export class OperationContext extends BaseContext implements Context {
  readonly endpoint: EndpointInfo

  constructor(state: RequestInfo, endpoint: EndpointInfo) {
    super(state)
    this.endpoint = endpoint
  }
}

/** The context of a request that has not been matched yet or does not match any operation. */
export class UnmatchedContext extends BaseContext implements ResponseContext {
  readonly endpoint = undefined
}
