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
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, timeout } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const slow = pipe(
 *   path('/slow'),
 *   get(),
 *   produces(text),
 *   handle(() => new Promise<string>(() => undefined)),
 * )
 * const api = routes({ slow })
 * const hasty = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [timeout('20ms')],
 * })
 * const answer = await hasty.slow()()
 *
 * assert.ok(E.isLeft(answer) && answer.left._tag === 'TimedOut')
 * ```
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

/** The timeout that a client has unless it says another, or says in words why it is none. */
export const timeLimitOf = (
  duration: Duration | false = '30s',
): E.Either<string, ReadonlyArray<Policy>> =>
  duration === false
    ? E.right([])
    : E.tryCatch(
        () => [timeout(duration)],
        (error) => (error instanceof Error ? error.message : String(error)),
      )
