/**
 * Handles the results of application code. A result is a plain value, a promise or an fp-ts `Task`.
 *
 * A plain value is handled synchronously, without creating a promise. A `Task` is run, and the promise that it returns is handled
 * like any other promise.
 */
import { isThenable } from '../http/platform-value.ts'

/** Whether a result is a promise or a `Task`. */
export const isAsync = (result: unknown): boolean =>
  typeof result === 'function' || isThenable(result)

/**
 * Calls `then` with the value of `result`, which can be a plain value, a promise or a `Task`.
 *
 * If `then` is called synchronously, its errors are thrown to the caller. Errors thrown by a later call to `then` are passed to
 * `failed`, as are rejections.
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
  // `Promise.resolve` returns a promise unchanged, and ensures that any other thenable settles only once
  Promise.resolve(value).then(later, failed)
}

/** Converts a plain value, a promise or a `Task` to a promise. */
export const settle = async (result: unknown): Promise<unknown> =>
  typeof result === 'function' ? result() : result

/** Calls `proceed` with the value of `result`, which can be a plain value, a promise or a `Task`. */
export const andThen = <B>(result: unknown, proceed: (value: unknown) => B): B | Promise<B> => {
  const value: unknown = typeof result === 'function' ? result() : result
  return isThenable(value) ? Promise.resolve(value).then(proceed) : proceed(value)
}
