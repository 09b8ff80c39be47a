/** Defines and parses the options for reconnecting to an event stream. */
import * as E from 'fp-ts/lib/Either.js'
import type { Duration } from '../../endpoint/limits.ts'
import { parseDuration } from '../policy/timer.ts'

/** Options for reconnecting to an event stream. */
export interface Reconnect {
  /** Maximum number of consecutive attempts that receive no event. Default: no limit. */
  readonly times?: number
  /**
   * Delay before an attempt, unless the stream has set a different delay with a `retry` field. A delay set by the stream is at least
   * 500 ms, as in Firefox, and at most one hour. Default: `3s`.
   *
   * After each connection that ended within 30 seconds without an event, the delay doubles, up to 30 seconds. Up to half of the delay
   * is added at random, so that clients do not reconnect at the same time.
   */
  readonly delay?: Duration
}

/**
 * Returns the delay in milliseconds before the first attempt. If an option is invalid, returns a `Left` that describes
 * the error.
 */
export const parseReconnectDelay = (reconnect: Reconnect | undefined): E.Either<string, number> => {
  if (reconnect === undefined) return defaultDelay
  if (typeof reconnect !== 'object') return E.left('must be an object')
  const { times = Infinity, delay } = reconnect
  if (!(times >= 0)) return E.left(`reconnect.times must be at least 0, got ${times}`)
  if (delay === undefined) return defaultDelay
  return E.mapLeft((error: string) => `reconnect.delay ${error}`)(parseDuration(delay))
}

const defaultDelay: E.Either<string, number> = E.right(3000)
