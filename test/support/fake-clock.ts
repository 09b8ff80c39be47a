/** A clock that a test moves on, and that knows what it still has to do. */
import type { Clock } from '../../src/client/policy/timer.ts'

export interface FakeClock extends Clock {
  /** Moves on, and does what is due on the way; what follows from each of it happens before the next. */
  readonly advance: (milliseconds: number) => Promise<void>
  /** How many timers run. */
  readonly timerCount: () => number
}

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
        const [next] = [...due].toSorted((one, other) => one.at - other.at)
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

/** Resolves when everything that can happen without a timer has happened. */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
