/**
 * Takes a request through filters, one after the other: steps 2, 5 and 6. Where none of them waits, nothing does.
 */
import { isIdentified } from '../../endpoint/authentication.ts'
import { isNext } from '../../endpoint/request-filter.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isRewrite } from '../../endpoint/pre-matching.ts'
import { isReply } from '../../endpoint/reply.ts'
import type { CompiledFilter } from './compiled-filters.ts'
import type { RequestState } from '../request-state.ts'
import { isAsync, whenSettled } from '../maybe-async.ts'
import { rewriteExchange } from './rewritten-exchange.ts'
import { unwrapResult } from './unwrap-result.ts'

/** Calls `then` when every filter has let the request pass; one that answers ends it. Throws what they throw now. */
export const runRequestFilters = <O>(
  filters: ReadonlyArray<CompiledFilter<O>>,
  state: RequestState,
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
          if (letsPass(value, filter, state) && !state.isLate)
            runRequestFilters(filters, state, operation, then, index + 1)
        },
        (error) => state.fail(error),
      )
    if (!letsPass(result, filter, state)) return
  }
  then()
}

/** Whether a request goes on after what a filter came to; if not, it is answered now. */
const letsPass = <O>(value: unknown, filter: CompiledFilter<O>, state: RequestState): boolean => {
  if (value === undefined || value === null) return true
  if (filter.index !== undefined && isNext(value)) {
    state.provide(filter.index, value.values)
    return true
  }
  if (filter.scheme !== undefined && isIdentified(value)) {
    const { principal, scheme = filter.scheme } = value
    state.authenticated = { principal, scheme }
    return true
  }
  if (filter.index === undefined && isRewrite(value)) {
    state.exchange = rewriteExchange(state.exchange, value)
    if (value.id !== undefined) state.setId(value.id)
    return true
  }
  if (isReply(value)) {
    state.respond(value, filter.encode)
    return false
  }
  if (isHttpError(value)) throw value
  const inside = unwrapResult(value)
  if (inside === undefined) throw new TypeError('a filter returned what is no reply')
  if ('error' in inside && !isReply(inside.error)) throw inside.error
  return letsPass('error' in inside ? inside.error : inside.value, filter, state)
}
