/** Calls that do not come too often. */
import * as E from 'fp-ts/lib/Either.js'
import { format } from '../../codec/duration-millis.ts'
import type { Policy } from '../exchange.ts'
import type { Clock } from './timer.ts'
import { system } from './timer.ts'
import type { Duration } from '../../endpoint/limits.ts'
import { millisOf } from './duration.ts'
import { aborted, refused } from './failing.ts'
import { policy } from './policy.ts'
import { startingLine } from './sliding-window.ts'

export interface RateLimitOptions {
  /** So many calls may wait for their turn; 100 unless it is said. */
  readonly queue?: number
  /** The system's unless it is said. */
  readonly clock?: Clock
}

/**
 * Sends at most `most` requests of a client in any time of the length `per`; the others wait, and are sent in the order in which they
 * came. A call that finds the queue full is `Refused`, and told when there is room again; one that is aborted leaves the queue.
 * Within a `retry`, each try counts. Throws a `RangeError` for numbers out of their range.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, rateLimit } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const api = routes({ hello })
 * const modest = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [rateLimit(2, '1h', { queue: 0 })],
 * })
 * await modest.hello()()
 * await modest.hello()()
 * const third = await modest.hello()()
 *
 * assert.ok(E.isLeft(third) && third.left._tag === 'Refused')
 * ```
 */
export const rateLimit = (
  most: number,
  per: Duration,
  { queue = 100, clock = system }: RateLimitOptions = {},
): Policy => {
  const length = millisOf('rateLimit.per', per)
  if (!(Number.isInteger(most) && most >= 1 && queue >= 0 && length > 0))
    throw new RangeError(
      'a rate is a whole number of 1 or more in some time, and a queue 0 or more',
    )
  const why = `${most} requests in ${format(length)} are begun, and ${queue} wait`
  return policy((next) => {
    const line = startingLine({ most, per: length, longest: Math.floor(queue) }, clock)
    return (request) => async () => {
      if (request.signal?.aborted === true) return E.left(aborted(request))
      const entry = line.enter(request.signal)
      if (entry === false)
        return E.left(refused(request, { policy: 'rate-limit', why, retryAfter: line.wait() }))
      if (entry !== true && (await entry) === 'aborted') return E.left(aborted(request))
      return next(request)()
    }
  })
}
