/** The time, as policies see it: so that a test can be the time. */
import { onAbort } from '../on-abort.ts'

export interface Clock {
  /** Milliseconds since the epoch. It does not jump when somebody sets the clock of the machine. */
  readonly now: () => number
  /** Runs something after so many milliseconds; what comes back prevents it. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

export const system: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Waits; `false`, at once, when the signal aborts. Neither a timer nor a listener stays behind. */
export const pause = (
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(false)
    const release = onAbort(signal, () => {
      cancel()
      resolve(false)
    })
    const cancel = clock.after(milliseconds, () => {
      release()
      resolve(true)
    })
  })
