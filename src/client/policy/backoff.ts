/** How long to wait before the next try: longer each time, up to a limit, and not at the same moment as everybody else. */
import type { Duration } from '../../endpoint/limits.ts'
import { millisOf } from './duration.ts'

export interface BackoffOptions {
  /** Before the first try that is not the first of all; `100ms` unless it is said. */
  readonly first?: Duration
  /** By how much each wait is longer than the one before; 2 unless it is said, at least 1. */
  readonly factor?: number
  /** No wait is longer; `10s` unless it is said. */
  readonly max?: Duration
  /** The share of each wait that is left to chance, from 0 to 1; 0.5 unless it is said. */
  readonly jitter?: number
}

/** Milliseconds before a try, from 0 on; chance is a number from 0 up to 1. */
export type Backoff = (again: number, chance: number) => number

/** Throws a `RangeError` for numbers out of their range. */
export const backoffOf = ({
  first = '100ms',
  factor = 2,
  max = '10s',
  jitter = 0.5,
}: BackoffOptions = {}): Backoff => {
  const shortest = millisOf('backoff.first', first)
  const longest = millisOf('backoff.max', max)
  if (!(factor >= 1)) throw new RangeError('backoff.factor is at least 1')
  if (!(jitter >= 0 && jitter <= 1)) throw new RangeError('backoff.jitter is a share from 0 to 1')
  return (again, chance) => {
    // a factor to a high power is infinite, which the limit is less than; times 0 it would be no number
    const full = shortest === 0 ? 0 : Math.min(longest, shortest * factor ** again)
    return full * (1 - jitter * chance)
  }
}
