/** Clocks, durations and time limits. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { durationMillis, format } from '../../codec/duration-millis.ts'
import type { Duration } from '../../endpoint/limits.ts'
import { onAbort } from '../on-abort.ts'

/** A source of time and timers. Tests replace it to control the time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. The value is monotonic: adjusting the system time does not change it. */
  readonly now: () => number
  /** Calls `run` after the given number of milliseconds. Returns a function that cancels the timer. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

/** The clock and the timers of the platform. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, run) => {
    const due = performance.now() + milliseconds
    const expire = (): void => {
      if (performance.now() <= due + lateness) run()
      // the process was busy: a response that has arrived in the meantime is handled before the timer
      else timer = setTimeout(run, 0)
    }
    let timer = setTimeout(expire, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Milliseconds by which a timer may be late although the process is idle. */
const lateness = 5

/**
 * Waits for the given number of milliseconds. Resolves to `false` immediately if `signal` aborts. The timer and the listener are
 * always removed.
 */
export const sleep = (
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

/** Converts a duration to milliseconds. Throws a `RangeError` that starts with `name` if it is invalid. */
export const toMilliseconds = (name: string, duration: Duration): number =>
  orThrow(name, parseDuration(duration))

/** Parses a duration. `Left` describes the expected value and starts with "must". */
export const parseDuration = (duration: Duration): E.Either<string, number> =>
  pipe(
    durationMillis.decode(duration),
    E.mapLeft(() => `must be ${durationMillis.name}, got ${JSON.stringify(duration)}`),
  )

/** The maximum duration of an operation, or of a pause in a response body. */
export interface TimeLimit {
  readonly milliseconds: number
  /** The duration in its shortest form, such as `30s`. */
  readonly text: string
  /** Calls `run` when the limit has elapsed. Returns a function that cancels the timer. */
  readonly after: (run: () => void) => () => void
}

/** Creates a time limit. Throws a `RangeError` for an invalid duration and for 0. */
export const createTimeLimit = (duration: Duration, clock: Clock = systemClock): TimeLimit =>
  orThrow('timeout', timeLimitOf(duration, clock))

/** Parses the `timeout` option of a client or a call; `false` disables the limit. `Left` describes the expected value. */
export const parseTimeout = (duration: Duration | false): E.Either<string, TimeLimit | undefined> =>
  duration === false ? E.right(undefined) : timeLimitOf(duration, systemClock)

/** Returns the limit of a request: `override` if it is set, otherwise `defaultLimit`. `false` disables the limit. */
export const resolveTimeLimit = (
  override: Duration | false | undefined,
  defaultLimit: TimeLimit | undefined,
  clock?: Clock,
): TimeLimit | undefined => {
  if (override === undefined) return defaultLimit
  return override === false ? undefined : createTimeLimit(override, clock)
}

const timeLimitOf = (duration: Duration, clock: Clock): E.Either<string, TimeLimit> =>
  pipe(
    parseDuration(duration),
    E.filterOrElse(
      (milliseconds) => milliseconds > 0,
      () => 'must be greater than 0 ms',
    ),
    E.map((milliseconds) => ({
      milliseconds,
      text: format(milliseconds),
      after: (run) => clock.after(milliseconds, run),
    })),
  )

const orThrow = <A>(name: string, parsed: E.Either<string, A>): A => {
  if (E.isLeft(parsed)) throw new RangeError(`${name} ${parsed.left}`)
  return parsed.right
}
