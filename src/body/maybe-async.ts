/**
 * Continues with the result of application code. For a plain value, the continuation runs synchronously and no promise is
 * created. For a promise or an fp-ts `Task`, the continuation runs after the promise has settled.
 */

/** Whether a value is a promise or another thenable. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Whether a result is a promise or a `Task`. */
export const isAsync = (result: unknown): boolean =>
  typeof result === 'function' || isThenable(result)

/**
 * Calls `then` with a plain value, or with the value that a promise or a `Task` resolves to.
 *
 * If `then` is called synchronously, errors from `then` are thrown to the caller. Rejections and later errors are passed to
 * `failed`.
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

/** Returns a plain value, or the value that a promise or a `Task` resolves to. */
export const settle = async (result: unknown): Promise<unknown> =>
  typeof result === 'function' ? result() : result

/** Applies `proceed` to a plain value, or to the value that a promise or a `Task` resolves to. */
export const andThen = <B>(result: unknown, proceed: (value: unknown) => B): B | Promise<B> => {
  const value: unknown = typeof result === 'function' ? result() : result
  return isThenable(value) ? Promise.resolve(value).then(proceed) : proceed(value)
}

/**
 * A function that passes its result to `then` or its error to `failed`, exactly once, synchronously or later. Throws only errors
 * that the two callbacks throw.
 */
export type AsyncResult<C, A> = (
  context: C,
  then: (value: A) => void,
  failed: (error: unknown) => void,
) => void

/**
 * Calls `run`, and passes the result to `then` or the error to `failed`. If `then` is called synchronously, errors from `then`
 * are thrown to the caller.
 */
export const attempt = (
  run: () => unknown,
  then: (value: unknown) => void,
  failed: (error: unknown) => void,
): void => {
  let result: unknown
  try {
    result = run()
  } catch (error) {
    return failed(error)
  }
  whenSettled(result, then, failed)
}
