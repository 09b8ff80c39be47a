/** Limits the number of requests that a client sends in a period. */
import * as E from 'fp-ts/lib/Either.js'
import { format } from '../../codec/duration-millis.ts'
import type { Duration } from '../../endpoint/limits.ts'
import type { Policy } from '../exchange.ts'
import { aborted, policyRejection } from '../error-factories.ts'
import { createPolicy } from './policy.ts'
import { createSlidingWindow } from './sliding-window.ts'
import type { Clock } from './timer.ts'
import { systemClock, toMilliseconds } from './timer.ts'

export interface RateLimitOptions {
  /** Maximum number of queued requests. Default: 100. */
  readonly queue?: number
  /** Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Sends at most `limit` requests of a client in any `period` (sliding window), and queues the others in FIFO order.
 *
 * Requests are rejected with `Refused` while the queue is full; `retryAfter` is the time until the next request may start. Aborted
 * requests leave the queue. Inside `retry`, each attempt counts. Throws a `RangeError` for an invalid number or period.
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
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [rateLimit(2, '1h', { queue: 0 })],
 * })
 * await service.hello()()
 * await service.hello()()
 * const third = await service.hello()()
 *
 * assert.ok(E.isLeft(third) && third.left._tag === 'Refused')
 * ```
 */
export const rateLimit = (
  limit: number,
  period: Duration,
  { queue = 100, clock = systemClock }: RateLimitOptions = {},
): Policy => {
  const length = toMilliseconds('rateLimit.period', period)
  if (length === 0) throw new RangeError('rateLimit.period must be greater than 0 ms')
  if (!(Number.isInteger(limit) && limit >= 1))
    throw new RangeError(`rateLimit.limit must be an integer of at least 1, got ${limit}`)
  if (!(queue >= 0)) throw new RangeError(`rateLimit.queue must be at least 0, got ${queue}`)
  const reason = `rate limit of ${limit} per ${format(length)} and queue limit of ${queue} reached`
  return createPolicy((next) => {
    const maxQueueLength = Math.floor(queue)
    const window = createSlidingWindow({ limit, length, maxQueueLength }, clock)
    return (request) => async () => {
      if (request.signal?.aborted === true) return E.left(aborted(request))
      const admission = window.acquire(request.signal)
      if (admission === false) {
        const retryAfter = window.delay()
        return E.left(policyRejection(request, { policy: 'rate-limit', reason, retryAfter }))
      }
      if (admission !== true && (await admission) === 'aborted') return E.left(aborted(request))
      return next(request)()
    }
  })
}
