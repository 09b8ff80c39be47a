/** Provides a clock, time limits, and functions that parse durations and observe abort signals. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { durationMillis, format } from '../codec/duration-millis.ts'
import type { Duration } from '../endpoint/limits.ts'

/** Callbacks for a signal, and the single listener that calls them. */
interface Subscription {
  readonly callbacks: Set<() => void>
  readonly listener: () => void
}

const subscriptions = new WeakMap<AbortSignal, Subscription>()

/**
 * Calls `callback` once when the signal is aborted. If the signal is already aborted, `callback` is never called.
 *
 * Returns a function that removes the callback. Removing the last callback also removes the listener from the signal.
 */
export const onAbort = (signal: AbortSignal | undefined, callback: () => void): (() => void) => {
  if (signal === undefined || signal.aborted) return ignore
  const { callbacks, listener } = subscriptions.get(signal) ?? subscribe(signal)
  callbacks.add(callback)
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return
    signal.removeEventListener('abort', listener)
    subscriptions.delete(signal)
  }
}

const ignore = (): void => undefined

const subscribe = (signal: AbortSignal): Subscription => {
  const callbacks = new Set<() => void>()
  const listener = (): void => {
    // a callback that an earlier callback has removed is not called
    for (const callback of callbacks) {
      callbacks.delete(callback)
      callback()
    }
  }
  const subscription = { callbacks, listener }
  subscriptions.set(signal, subscription)
  signal.addEventListener('abort', listener, { once: true })
  return subscription
}

/** A source of time and timers. Tests replace the clock to control time. */
export interface Clock {
  /**
   * Returns the time in milliseconds since the Unix epoch. The time is monotonic and is not affected by adjustments of
   * the system clock.
   */
  readonly now: () => number
  /** Calls `run` after the given number of milliseconds. Returns a function that cancels the timer. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

/** Clock that uses the time and timers of the platform. */
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

/**
 * Maximum lateness of a timer in an idle process, in milliseconds. A timer that fires later indicates a busy process.
 */
const lateness = 5

/**
 * Waits for the given number of milliseconds and resolves to `true`. Resolves to `false` as soon as `signal` is
 * aborted. In both cases, removes the timer and the abort callback.
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

/**
 * Converts a duration to milliseconds. Throws a `RangeError` if the duration is invalid. The error message starts with
 * `name`.
 */
export const toMilliseconds = (name: string, duration: Duration): number =>
  orThrow(name, parseDuration(duration))

/**
 * Parses a duration and returns the number of milliseconds. If the duration is invalid, returns a `Left` that describes
 * the expected value. The description starts with "must".
 */
export const parseDuration = (duration: Duration): E.Either<string, number> =>
  pipe(
    durationMillis.decode(duration),
    E.mapLeft(() => `must be ${durationMillis.name}, got ${JSON.stringify(duration)}`),
  )

/** A maximum duration, for example, for a whole operation or for the wait for the next chunk of a response body. */
export interface TimeLimit {
  readonly milliseconds: number
  /** Duration in the largest unit, up to hours, that divides it exactly, such as `30s`. */
  readonly text: string
  /** Calls `run` when the limit has elapsed. Returns a function that cancels the timer. */
  readonly after: (run: () => void) => () => void
}

/** Creates a time limit. Throws a `RangeError` if the duration is invalid or 0. */
export const createTimeLimit = (duration: Duration, clock: Clock = systemClock): TimeLimit =>
  orThrow('timeout', timeLimitOf(duration, clock))

/**
 * Parses the `timeout` option of a client or a call. Returns `undefined` for `false`, which disables the limit. If the
 * duration is invalid, returns a `Left` that describes the expected value.
 */
export const parseTimeout = (duration: Duration | false): E.Either<string, TimeLimit | undefined> =>
  duration === false ? E.right(undefined) : timeLimitOf(duration, systemClock)

/**
 * Returns the time limit for a request: `override` if it is set, and `defaultLimit` otherwise. If `override` is
 * `false`, the limit is disabled and `undefined` is returned.
 */
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
