/**
 * Runs request filters in order (pipeline steps 2, 5 and 6). The filters run synchronously unless a filter returns a promise or a
 * `Task`.
 */
import { isAuthenticationResult } from '../../endpoint/authentication.ts'
import { isNext, isRewrite } from '../../endpoint/request-filter.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply } from '../../endpoint/reply.ts'
import type { CompiledFilter } from './compiled-filters.ts'
import type { Exchange } from '../exchange.ts'
import type { AuthenticatedPrincipal, NeededValues, RequestInfo } from '../request-info.ts'
import type { EncodeResponse, ResponseValue } from '../response/encode-response.ts'
import * as RequestTarget from '../../http/request-target.ts'
import { isAsync, whenSettled, isObject } from '../../http/platform-value.ts'
import { rewriteExchange } from '../rewritten-exchange.ts'
import { unwrapResult } from './compiled-filters.ts'

/** The part of the request state that request filters change. */
export interface FilteredRequest extends RequestInfo {
  exchange: Exchange
  authenticated: AuthenticatedPrincipal | undefined
  /** Whether the deadline has passed, and the response has been sent. */
  readonly isLate: boolean
  /** Stores the values provided by the filter with the given index. */
  readonly provide: (index: number, values: NeededValues) => void
  readonly setId: (id: string) => void
  readonly respond: (response: ResponseValue, encode: EncodeResponse) => void
  readonly fail: (error: unknown) => void
}

/** Runs filters and calls `then` if no filter responds. Errors thrown synchronously by filters are not caught. */
export const runRequestFilters = <O>(
  filters: ReadonlyArray<CompiledFilter<O>>,
  state: FilteredRequest,
  operation: O,
  then: () => void,
  from = 0,
): void => {
  for (let index = from; index < filters.length; index++) {
    const filter = filters[index]
    if (filter === undefined) break
    const result = filter.run(state, operation)
    if (isAsync(result))
      return whenSettled(
        result,
        (value) => {
          if (continues(value, filter, state) && !state.isLate)
            runRequestFilters(filters, state, operation, then, index + 1)
        },
        (error) => state.fail(error),
      )
    if (!continues(result, filter, state)) return
  }
  then()
}

/** Applies the result of a filter. Returns `true` if the request continues, or `false` if the filter has responded. */
const continues = <O>(
  value: unknown,
  filter: CompiledFilter<O>,
  state: FilteredRequest,
): boolean => {
  if (value === undefined || value === null) {
    checkGiven(filter.gives, undefined)
    return true
  }
  if (filter.index !== undefined && isNext(value)) {
    checkGiven(filter.gives, value.values)
    state.provide(filter.index, value.values)
    return true
  }
  if (filter.scheme !== undefined && isAuthenticationResult(value)) {
    const { principal, scheme = filter.scheme } = value
    state.authenticated = { principal, scheme }
    return true
  }
  if (filter.index === undefined && isRewrite(value)) {
    state.exchange = rewriteExchange(
      state.exchange,
      value,
      RequestTarget.grammarOf(state.program.settings['fw.http.strict-target']),
    )
    if (value.id !== undefined) state.setId(value.id)
    return true
  }
  if (isReply(value)) {
    state.respond(value, filter.encode)
    return false
  }
  if (isHttpError(value)) throw value
  const inner = unwrapResult(value)
  if (inner === undefined)
    throw new TypeError('a request filter must return a reply, the result of next(…), or nothing')
  if ('error' in inner && !isReply(inner.error)) throw inner.error
  return continues('error' in inner ? inner.error : inner.value, filter, state)
}

/** Throws an error unless a filter has filled its slots. A value may be `undefined` if the type of its slot allows it. */
const checkGiven = (gives: CompiledFilter<never>['gives'], values: unknown): void => {
  for (const [local, { key }] of gives)
    if (!isObject(values) || !(local in values))
      throw new TypeError(
        `missing value for the slot ${JSON.stringify(key)}: a filter that declares gives must return next({ ${local}: … })`,
      )
}
