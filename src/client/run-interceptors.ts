/** Runs reader and writer interceptors. Each may return a value, a promise or a `Task`. */
import * as E from 'fp-ts/lib/Either.js'

interface Interceptor<S, D, B> {
  readonly run: (state: S, proceed: (change?: D) => B | Promise<B>) => unknown
}

/** The operation that interceptors wrap. */
export interface Intercepted<S, B, F> {
  /** The innermost operation. Interceptors see a `Left` as an exception. */
  readonly inner: (state: S) => Promise<E.Either<F, unknown>>
  /** Converts the result of an interceptor or of the operation for the next outer interceptor. */
  readonly toResult: (result: unknown) => B
  /** Converts an exception of an interceptor. */
  readonly onError: (error: unknown) => E.Either<F, never>
}

/** Composes interceptors, the first outermost. `proceed` merges its argument into the state. */
export const runInterceptors =
  <S extends object, D extends object, B, F>(
    interceptors: ReadonlyArray<Interceptor<S, D, B>>,
    { inner, toResult, onError }: Intercepted<S, B, F>,
  ): ((state: S) => Promise<E.Either<F, B>>) =>
  async (state) => {
    const failures = new Map<unknown, F>()
    const runFrom = async (index: number, current: S): Promise<B> => {
      const interceptor = interceptors[index]
      if (interceptor === undefined) {
        const result = await inner(current)
        if (E.isRight(result)) return toResult(result.right)
        const error = new Error('reading or writing the entity failed')
        failures.set(error, result.left)
        throw error
      }
      const proceed = (change?: D): Promise<B> => {
        const result = runFrom(index + 1, { ...current, ...change })
        // an interceptor may ignore this promise: its rejection must not end the process
        result.catch(() => undefined)
        return result
      }
      return toResult(await settle(interceptor.run(current, proceed)))
    }
    try {
      return E.right(await runFrom(0, state))
    } catch (error) {
      const failure = failures.get(error)
      return failure === undefined ? onError(error) : E.left(failure)
    }
  }

/** Resolves a value, a promise or a `Task`. */
export const settle = async (result: unknown): Promise<unknown> =>
  typeof result === 'function' ? result() : result
