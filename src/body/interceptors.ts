/**
 * Runs reader and writer interceptors. They run synchronously unless an interceptor or the operation returns a promise or a
 * `Task`.
 */
import * as E from 'fp-ts/lib/Either.js'
import { andThen, isPromise } from '../http/platform-value.ts'

/** A reader or writer interceptor. Calling `proceed` runs the inner interceptors and the operation. */
interface Interceptor<S, D, B> {
  readonly run: (state: S, proceed: (change?: D) => B | Promise<B>) => unknown
}

/**
 * Wraps an operation in interceptors. The first interceptor is the outermost. The argument of `proceed` is merged into the state.
 *
 * `toResult` converts the result of the operation, and of each interceptor, before the next outer interceptor receives it.
 * `onProceed` is called with the merged state each time an interceptor calls `proceed`, before the inner interceptors run.
 */
export const runInterceptors =
  <S extends object, D extends object, B>(
    interceptors: ReadonlyArray<Interceptor<S, D, B>>,
    operation: (state: S) => unknown,
    toResult: (result: unknown) => B,
    onProceed: (state: S) => void = () => undefined,
  ): ((state: S) => B | Promise<B>) =>
  (state) => {
    const runFrom = (index: number, current: S): unknown => {
      const interceptor = interceptors[index]
      return interceptor === undefined
        ? operation(current)
        : interceptor.run(current, (change) => {
            const next = { ...current, ...change }
            onProceed(next)
            const result = andThen(runFrom(index + 1, next), toResult)
            // an interceptor may ignore this promise, and an unhandled rejection would terminate the process
            if (isPromise(result)) result.then(undefined, () => undefined)
            return result
          })
    }
    return andThen(runFrom(0, state), toResult)
  }

/** An operation that returns failures instead of throwing them. */
export interface FallibleOperation<S, B, F> {
  /** Runs the operation. If it returns a `Left`, the promise that the innermost interceptor receives from `proceed` is rejected. */
  readonly run: (state: S) => Promise<E.Either<F, unknown>>
  /** Converts the result of the operation or of an interceptor before the next outer interceptor receives it. */
  readonly toResult: (result: unknown) => B
  /** Converts an exception thrown by an interceptor to a failure. */
  readonly onError: (error: unknown) => E.Either<F, never>
}

/**
 * Wraps a {@link FallibleOperation} in interceptors. Except for the handling of failures, this function behaves like {@link
 * runInterceptors}.
 */
export const runFallibleInterceptors =
  <S extends object, D extends object, B, F>(
    interceptors: ReadonlyArray<Interceptor<S, D, B>>,
    { run, toResult, onError }: FallibleOperation<S, B, F>,
  ): ((state: S) => Promise<E.Either<F, B>>) =>
  async (state) => {
    const failures = new Map<unknown, F>()
    const operation = async (current: S): Promise<unknown> => {
      const result = await run(current)
      if (E.isRight(result)) return result.right
      const error = new Error('reading or writing the entity failed')
      failures.set(error, result.left)
      throw error
    }
    try {
      return E.right(await runInterceptors(interceptors, operation, toResult)(state))
    } catch (error) {
      const failure = failures.get(error)
      return failure === undefined ? onError(error) : E.left(failure)
    }
  }
