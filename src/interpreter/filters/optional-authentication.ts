/**
 * Optional authentication: where an operation permits all callers, a filter that is not proactive passes a caller whose
 * credentials it rejects with 400 or 401. That caller stays anonymous.
 */
import type { RequestFilter } from '../../endpoint/filter.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply } from '../../endpoint/reply.ts'
import { isThenable } from '../../body/stream/pull-iterator.ts'
import { unwrapResult } from './unwrap-result.ts'

/** Turns a 400 or 401 that a filter returns, throws or rejects with into no result. */
export const optionalAuthentication =
  (run: RequestFilter['run']): RequestFilter['run'] =>
  (context, needs) => {
    try {
      const result = run(context, needs)
      const value: unknown = typeof result === 'function' ? result() : result
      return isThenable(value)
        ? Promise.resolve(value).then(withoutRejection, ignoreRejection)
        : withoutRejection(value)
    } catch (error) {
      return ignoreRejection(error)
    }
  }

const withoutRejection = (value: unknown): unknown => (isRejection(value) ? undefined : value)

const ignoreRejection = (error: unknown): undefined => {
  if (!isRejection(error)) throw error
}

const isRejection = (value: unknown): boolean => {
  if (isReply(value) || isHttpError(value)) return value.status === 400 || value.status === 401
  const inner = unwrapResult(value)
  if (inner === undefined) return false
  return isRejection('error' in inner ? inner.error : inner.value)
}
