/**
 * Calls a function provided by the application. Returns `undefined` if the function throws, for example for an unexpected
 * value.
 */
export const tryCall = <A>(run: () => A): { readonly value: A } | undefined => {
  try {
    return { value: run() }
  } catch {
    return undefined
  }
}
