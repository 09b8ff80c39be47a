/**
 * Continues with the result of application code: synchronously for a value, later for a promise or a fp-ts `Task`.
 * No promise is created for a value.
 */
import { isThenable } from '../body/stream/pull-iterator.ts'

/** Whether a result is a promise or a `Task`. */
export const isAsync = (result: unknown): boolean =>
  typeof result === 'function' || isThenable(result)

/**
 * Calls `then` with a value, the resolution of a promise, or that of a `Task`.
 *
 * Throws what `then` throws synchronously. Later errors, and rejections, proceed to `failed`.
 */
export const whenSettled = (
  result: unknown,
  then: (value: unknown) => void,
  failed: (error: unknown) => void,
): void => {
  const value: unknown = typeof result === 'function' ? result() : result
  if (!isThenable(value)) return then(value)
  const later = (resolved: unknown): void => {
    try {
      then(resolved)
    } catch (error) {
      failed(error)
    }
  }
  // a promise resolves to itself; any other thenable is forced to settle once
  Promise.resolve(value).then(later, failed)
}

/** Applies `proceed` to a value, or to the resolution of a promise or a `Task`. */
export const andThen = <B>(result: unknown, proceed: (value: unknown) => B): B | Promise<B> => {
  const value: unknown = typeof result === 'function' ? result() : result
  return isThenable(value) ? Promise.resolve(value).then(proceed) : proceed(value)
}
