/** Goes on with a result: now when it is there, later when it is promised. No promise is made for one that is there. */
import { isThenable } from '../body/stream/pull-iterator.ts'

/** Whether a result has to be asked for, or waited for. */
export const isAsync = (result: unknown): boolean =>
  typeof result === 'function' || isThenable(result)

/**
 * Calls `then` with what a result comes to: a value, what a promise resolves to, or what a `Task` does. Throws what `then`
 * throws now; what goes wrong later is errorOf to `failed`.
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
  // a promise is its own resolution; any other thenable is held to settle once
  Promise.resolve(value).then(later, failed)
}

/** Goes on with a result where it is there already, and promises to where it is promised. */
export const andThen = <B>(result: unknown, go: (value: unknown) => B): B | Promise<B> => {
  const value: unknown = typeof result === 'function' ? result() : result
  return isThenable(value) ? Promise.resolve(value).then(go) : go(value)
}
