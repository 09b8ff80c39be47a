/** How long something may take or be silent. */
import * as E from 'fp-ts/lib/Either.js'
import { format } from '../../codec/duration-millis.ts'
import type { Clock } from './timer.ts'
import { system } from './timer.ts'
import { commonTimer } from './common-timer.ts'
import type { Duration } from '../../endpoint/limits.ts'
import { millisOf } from './duration.ts'

export interface Limit {
  readonly milliseconds: number
  /** In words, such as `30s`. */
  readonly text: string
  /** Runs something when the time is up; what comes back prevents it. */
  readonly after: (run: () => void) => () => void
}

/** Throws a `RangeError` for what is no duration, or none at all. */
export const limitOf = (duration: Duration, clock: Clock = system): Limit => {
  const milliseconds = millisOf('a timeout', duration)
  if (milliseconds === 0) throw new RangeError('a timeout is more than 0 ms')
  const after = (run: () => void): (() => void) => clock.after(milliseconds, run)
  return { milliseconds, text: format(milliseconds), after }
}

/** The same for what happens often. */
export const frequent = (limit: Limit): Limit => ({
  ...limit,
  after: commonTimer(limit.milliseconds),
})

/** What a client or a call says, or in words what is wrong with it. */
export const limitSaid = (duration: Duration | false): E.Either<string, Limit | undefined> =>
  duration === false
    ? E.right(undefined)
    : E.tryCatch(
        () => limitOf(duration),
        (error) => (error instanceof Error ? error.message : String(error)),
      )

/** That of a request that says another one, or none. */
export const limitFor = (
  own: Duration | false | undefined,
  usual: Limit | undefined,
  clock?: Clock,
): Limit | undefined => {
  if (own === undefined) return usual
  return own === false ? undefined : limitOf(own, clock)
}
