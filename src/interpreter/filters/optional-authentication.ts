/** Filters that refuse nobody: whom one would refuse with 400 or 401 goes on as somebody who is not known. */
import type { RequestFilter } from '../../endpoint/filter.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply } from '../../endpoint/reply.ts'
import { isThenable } from '../../body/thenable.ts'
import { unwrapped } from './run-request-filters.ts'

/** Takes the refusals off what a filter comes to, in whichever way it refuses. */
export const lenient =
  (run: RequestFilter['run']): RequestFilter['run'] =>
  (context, needs) => {
    try {
      const result = run(context, needs)
      const value: unknown = typeof result === 'function' ? result() : result
      return isThenable(value) ? Promise.resolve(value).then(accepted, passedOver) : accepted(value)
    } catch (error) {
      return passedOver(error)
    }
  }

const accepted = (value: unknown): unknown => (isRefusal(value) ? undefined : value)

const passedOver = (error: unknown): undefined => {
  if (!isRefusal(error)) throw error
}

const isRefusal = (value: unknown): boolean => {
  if (isReply(value) || isHttpError(value)) return value.status === 400 || value.status === 401
  const inside = unwrapped(value)
  if (inside === undefined) return false
  return isRefusal('error' in inside ? inside.error : inside.value)
}
