/** A signal of one's own for a request that has a signal already. */
import { LightSignal } from '../light-signal.ts'
import { onAbort } from '../on-abort.ts'

export interface Aborting {
  /** Aborts when the caller's signal does, and when `abort` is called. */
  readonly signal: LightSignal
  readonly abort: (reason: unknown) => void
  /** Stops following the caller's signal. */
  readonly release: () => void
}

/**
 * Follows a signal until it is released, and then does something more. `AbortSignal.any` would follow it until a collection of garbage.
 */
export const following = (caller: AbortSignal | undefined, then = nothing): Aborting => {
  const signal = new LightSignal()
  const abort = (reason: unknown): void => signal.abort(reason)
  if (caller?.aborted === true) abort(caller.reason)
  const follow = (): void => {
    abort(caller?.reason)
    then()
  }
  return { signal, abort, release: onAbort(caller, follow) }
}

const nothing = (): void => undefined
