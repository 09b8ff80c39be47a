/** Takes a state through interceptors, the first outermost, to what they stand around; any of them may wait. */

interface Interceptor<S, D, B> {
  readonly run: (state: S, proceed: (change?: D) => B | Promise<B>) => unknown
}

/** `seen` is what each of them is given of what those inside came to. */
export const intercepted =
  <S extends object, D extends object, B>(
    interceptors: ReadonlyArray<Interceptor<S, D, B>>,
    inside: (state: S) => unknown,
    seen: (result: unknown) => B,
  ): ((state: S) => Promise<B>) =>
  (state) => {
    const from = async (index: number, at: S): Promise<B> => {
      const interceptor = interceptors[index]
      if (interceptor === undefined) return seen(await settled(inside(at)))
      const proceed = (change?: D): Promise<B> => {
        const result = from(index + 1, { ...at, ...change })
        // it need not look at what it went on to: a promise of that must not end the process
        result.catch(() => undefined)
        return result
      }
      return seen(await settled(interceptor.run(at, proceed)))
    }
    return from(0, state)
  }

/** What a value, a promise or a `Task` comes to. */
export const settled = async (result: unknown): Promise<unknown> =>
  typeof result === 'function' ? result() : result
