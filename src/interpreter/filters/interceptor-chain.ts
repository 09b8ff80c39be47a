/** Runs interceptors, readers and writers of the application. They run synchronously unless one of them returns a promise. */
import { andThen, whenSettled } from '../maybe-async.ts'

/** A result that is passed to `then` or `failed` once, synchronously or later. Throws only what these callbacks throw. */
export type AsyncResult<C, A> = (
  context: C,
  then: (value: A) => void,
  failed: (error: unknown) => void,
) => void

/** A function that wraps an operation on a state. */
interface Interceptor<S, D, B> {
  readonly run: (state: S, proceed: (change?: D) => B | Promise<B>) => unknown
}

/**
 * Runs interceptors around `inside`, the first one outermost.
 *
 * `seen` converts the inner result to the one that each interceptor receives. `entered` is called with the state with which an
 * interceptor proceeds, before the inner ones run.
 */
export const runInterceptors =
  <S extends object, D extends object, B>(
    interceptors: ReadonlyArray<Interceptor<S, D, B>>,
    inside: (state: S) => unknown,
    seen: (result: unknown) => B,
    entered: (state: S) => void = ignored,
  ): ((state: S) => B | Promise<B>) =>
  (state) => {
    const from = (index: number, at: S): unknown => {
      const interceptor = interceptors[index]
      return interceptor === undefined
        ? inside(at)
        : interceptor.run(at, (change) => {
            const next = { ...at, ...change }
            entered(next)
            const result = andThen(from(index + 1, next), seen)
            // an interceptor may ignore the promise, whose rejection must not end the process
            if (result instanceof Promise) result.catch(() => undefined)
            return result
          })
    }
    return andThen(from(0, state), seen)
  }

const ignored = (): void => undefined

/** Calls `act`, and passes its result or error on. Errors of `then` do not go to `failed`. */
export const attempt = (
  act: () => unknown,
  then: (value: unknown) => void,
  failed: (error: unknown) => void,
): void => {
  let result: unknown
  try {
    result = act()
  } catch (error) {
    return failed(error)
  }
  whenSettled(result, then, failed)
}
