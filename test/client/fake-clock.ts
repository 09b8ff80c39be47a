/** A clock that a test advances. */
import type { Clock } from '../../src/client/timer.ts'

/** A clock whose time advances only by `advance`. */
export interface FakeClock extends Clock {
  /** Advances the time and runs due timers in order, each followed by all pending microtasks. */
  readonly advance: (milliseconds: number) => Promise<void>
  /** Returns the number of active timers. */
  readonly timerCount: () => number
}

/** Creates a clock that starts at `start`, in milliseconds since the epoch. */
export const fakeClock = (start = 1_700_000_000_000): FakeClock => {
  let now = start
  const due = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    now: () => now,
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run }
      due.add(timer)
      return () => void due.delete(timer)
    },
    advance: async (milliseconds) => {
      const end = now + milliseconds
      await flushPromises()
      for (;;) {
        const [next] = [...due].toSorted((a, b) => a.at - b.at)
        if (next === undefined || next.at > end) break
        due.delete(next)
        now = next.at
        next.run()
        await flushPromises()
      }
      now = end
    },
    timerCount: () => due.size,
  }
}

/** Resolves after all pending microtasks and immediates. */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
