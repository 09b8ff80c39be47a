/** A signal of one's own for a request that has a signal already. */
import { LightSignal } from '../light-signal.ts'

export interface Aborting {
  /** Aborts when the caller's signal does, and when `abort` is called. */
  readonly signal: LightSignal
  readonly abort: (reason: unknown) => void
  /** Stops listening to the caller's signal. */
  readonly release: () => void
}

/** Follows a signal until it is released. `AbortSignal.any` would follow it until a collection of garbage. */
export const following = (caller: AbortSignal | undefined): Aborting => {
  const signal = new LightSignal()
  if (caller === undefined)
    return {
      signal,
      abort: (reason) => signal.abort(reason),
      release: nothing,
    }
  const follow = (): void => signal.abort(caller.reason)
  if (caller.aborted) follow()
  else caller.addEventListener('abort', follow, { once: true })
  return {
    signal,
    abort: (reason) => signal.abort(reason),
    release: () => caller.removeEventListener('abort', follow),
  }
}

const nothing = (): void => undefined
