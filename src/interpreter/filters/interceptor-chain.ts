/**
 * Results for which somebody else has a say: interceptors, readers and writers of the application's own. They may wait, and
 * nothing waits that they do not make wait.
 */
import { andThen, whenSettled } from '../maybe-async.ts'

/** What comes to `then` or `failed`, now or later, once. It never throws what those do not throw. */
export type AsyncResult<C, A> = (
  context: C,
  then: (value: A) => void,
  failed: (error: unknown) => void,
) => void

/** What stands around something that is done with a state. */
interface Interceptor<S, D, B> {
  readonly run: (state: S, proceed: (change?: D) => B | Promise<B>) => unknown
}

/**
 * Takes a state through interceptors, the first outermost, to what they stand around. `seen` is what each of them is given
 * of what those inside came to; `entered` learns the state with which one of them goes on, before those inside do.
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
            // it need not look at what it went on to: a promise of that must not end the process
            if (result instanceof Promise) result.catch(() => undefined)
            return result
          })
    }
    return andThen(from(0, state), seen)
  }

const ignored = (): void => undefined

/** Does something whose failure, now or later, is errorOf apart from that of what comes behind it. */
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
