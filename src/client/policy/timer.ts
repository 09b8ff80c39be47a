/** Provides clocks, durations, time limits, and callbacks for abort signals. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { durationMillis, format } from '../../codec/duration-millis.ts'
import type { Duration } from '../../endpoint/limits.ts'

/** The callbacks for a signal, and the single listener that calls them. */
interface Subscription {
  readonly callbacks: Set<() => void>
  readonly listener: () => void
}

const subscriptions = new WeakMap<AbortSignal, Subscription>()

/**
 * Calls `callback` once when the signal aborts. If the signal has already aborted, `callback` is never called. Returns
 * a function that removes the callback. When the last callback is removed, the listener is removed from the signal.
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

/** A source of time and timers. Tests replace the clock to control the time. */
export interface Clock {
  /**
   * Returns the time in milliseconds since the Unix epoch. The time is monotonic: adjusting the system time does not
   * affect it.
   */
  readonly now: () => number
  /** Calls `run` after the given number of milliseconds. Returns a function that cancels the timer. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

/** The clock that uses the time and the timers of the platform. */
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

/** Maximum time, in milliseconds, that a timer may be late in an idle process. */
const lateness = 5

/**
 * Waits for the given number of milliseconds, and resolves to `true`. If `signal` aborts, resolves to `false`
 * immediately. The timer and the listener are always removed.
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
 * Converts a duration to milliseconds. If the duration is invalid, throws a `RangeError` whose message starts with
 * `name`.
 */
export const toMilliseconds = (name: string, duration: Duration): number =>
  orThrow(name, parseDuration(duration))

/** Parses a duration to milliseconds. `Left` describes the expected value and starts with "must". */
export const parseDuration = (duration: Duration): E.Either<string, number> =>
  pipe(
    durationMillis.decode(duration),
    E.mapLeft(() => `must be ${durationMillis.name}, got ${JSON.stringify(duration)}`),
  )

/** The maximum duration of an operation, or the maximum pause in a response body. */
export interface TimeLimit {
  readonly milliseconds: number
  /** The duration in its shortest form, such as `30s`. */
  readonly text: string
  /** Calls `run` when the limit has elapsed. Returns a function that cancels the timer. */
  readonly after: (run: () => void) => () => void
}

/** Creates a time limit. Throws a `RangeError` if the duration is invalid or 0. */
export const createTimeLimit = (duration: Duration, clock: Clock = systemClock): TimeLimit =>
  orThrow('timeout', timeLimitOf(duration, clock))

/**
 * Parses the `timeout` option of a client or a call. `false` disables the limit and results in `undefined`. `Left`
 * describes the expected value.
 */
export const parseTimeout = (duration: Duration | false): E.Either<string, TimeLimit | undefined> =>
  duration === false ? E.right(undefined) : timeLimitOf(duration, systemClock)

/**
 * Returns the time limit for a request: `override` if it is set, otherwise `defaultLimit`. If `override` is `false`,
 * returns `undefined`, which means no limit.
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
