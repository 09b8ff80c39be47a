/** Calls that do not wait for ever. */
import * as E from 'fp-ts/lib/Either.js'
import { format } from '../../codec/duration-millis.ts'
import type { Policy } from '../exchange.ts'
import { following } from './aborting.ts'
import type { Clock } from './clock.ts'
import { system } from './clock.ts'
import type { Duration } from './duration.ts'
import { millisOf } from './duration.ts'
import { timedOut } from './failing.ts'
import type { Outcome } from './outcome.ts'
import { discard } from './outcome.ts'
import { policy } from './policy.ts'
import type { Watched } from './watched.ts'
import { watched } from './watched.ts'

export interface TimeoutOptions {
  /**
   * What has to be there in time: the `head` of the response, which is what is waited for unless it is said, or all of its
   * `content`.
   */
  readonly covers?: 'head' | 'content'
  /** The system's unless it is said. */
  readonly clock?: Clock
}

/**
 * Gives `TimedOut` where a response is not there in time, and aborts the request. Around a `retry` it bounds all tries
 * together with the waits between them, within it each of them. Content that comes too late breaks off with that error. Throws a
 * `RangeError` for what is no duration, or none at all.
 */
export const timeout = (
  duration: Duration,
  { covers = 'head', clock = system }: TimeoutOptions = {},
): Policy => {
  const limit = millisOf('a timeout', duration)
  if (limit === 0) throw new RangeError('a timeout is more than 0 ms')
  return policy((next) => (request) => () => {
    const aborting = following(request.signal)
    const sent = next({ ...request, signal: aborting.signal })
    return new Promise((resolve, reject) => {
      let isLate = false
      let content: Watched | undefined
      const cancel = clock.after(limit, () => {
        isLate = true
        const failure = timedOut(request, format(limit))
        resolve(E.left(failure))
        content?.break(failure)
        aborting.abort(failure)
        aborting.release()
      })
      const over = (): void => {
        cancel()
        aborting.release()
      }
      const settle = (outcome: Outcome): void => {
        if (isLate) return discard(outcome)
        if (covers === 'head') cancel()
        const body = E.isRight(outcome) ? outcome.right.body : null
        const isWatched = covers === 'content' || request.signal !== undefined
        if (E.isLeft(outcome) || body === null || !isWatched) {
          over()
          return resolve(outcome)
        }
        content = watched(body, { over })
        resolve(E.right({ ...outcome.right, body: content.body }))
      }
      sent().then(settle, (error: unknown) => {
        over()
        reject(error)
      })
    })
  })
}

/** How long a client waits for the head of a response when nobody says otherwise. How long it connects is up to `fetch`. */
export const usualTimeout = '30s'
