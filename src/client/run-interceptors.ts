/** Takes a state through interceptors, the first outermost, to what they stand around; any of them may wait. */
import * as E from 'fp-ts/lib/Either.js'

interface Interceptor<S, D, B> {
  readonly run: (state: S, proceed: (change?: D) => B | Promise<B>) => unknown
}

export interface Around<S, B, F> {
  /** What they stand around; what is wrong with it is thrown at them. */
  readonly inside: (state: S) => Promise<E.Either<F, unknown>>
  /** What each of them is given of what those inside came to. */
  readonly seen: (result: unknown) => B
  /** What another error is that they let pass, or throw themselves. */
  readonly thrown: (error: unknown) => E.Either<F, never>
}

export const intercepted =
  <S extends object, D extends object, B, F>(
    interceptors: ReadonlyArray<Interceptor<S, D, B>>,
    { inside, seen, thrown }: Around<S, B, F>,
  ): ((state: S) => Promise<E.Either<F, B>>) =>
  async (state) => {
    const failures = new Map<unknown, F>()
    const from = async (index: number, at: S): Promise<B> => {
      const interceptor = interceptors[index]
      if (interceptor === undefined) {
        const result = await inside(at)
        if (E.isRight(result)) return seen(result.right)
        const error = new Error('the entity cannot be read or written')
        failures.set(error, result.left)
        throw error
      }
      const proceed = (change?: D): Promise<B> => {
        const result = from(index + 1, { ...at, ...change })
        // it need not look at what it went on to: a promise of that must not end the process
        result.catch(() => undefined)
        return result
      }
      return seen(await settled(interceptor.run(at, proceed)))
    }
    try {
      return E.right(await from(0, state))
    } catch (error) {
      const failure = failures.get(error)
      return failure === undefined ? thrown(error) : E.left(failure)
    }
  }

/** What a value, a promise or a `Task` comes to. */
export const settled = async (result: unknown): Promise<unknown> =>
  typeof result === 'function' ? result() : result
