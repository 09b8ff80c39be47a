/** A signal of one's own for a request that has a signal already. */

export interface Aborting {
  /** Aborts when the caller's signal does, and when `abort` is called. */
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** Stops listening to the caller's signal. */
  readonly release: () => void
}

/** Follows a signal until it is released. `AbortSignal.any` would follow it until a collection of garbage. */
export const following = (caller: AbortSignal | undefined): Aborting => {
  const controller = new AbortController()
  if (caller === undefined)
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      release: nothing,
    }
  const follow = (): void => controller.abort(caller.reason)
  if (caller.aborted) follow()
  else caller.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => caller.removeEventListener('abort', follow),
  }
}

const nothing = (): void => undefined
