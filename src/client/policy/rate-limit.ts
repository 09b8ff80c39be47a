/** Limits the number of requests that a client sends within a period, using a sliding window. */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import type { WaitResult } from './concurrency-limit.ts'
import { FifoQueue } from './concurrency-limit.ts'
import type { Clock } from '../timer.ts'
import * as E from 'fp-ts/lib/Either.js'
import { format } from '../../codec/duration-millis.ts'
import type { CheckedDuration, Duration } from '../../endpoint/limits.ts'
import type { Policy } from '../exchange.ts'
import { abortedError, policyRejection } from '../error-factories.ts'
import { createPolicy } from './policy.ts'
import { systemClock, toMilliseconds } from '../timer.ts'

/** A rate limiter with a bounded FIFO queue. */
export interface SlidingWindow {
  /**
   * Admits or queues a request. Returns `true` if the request can start now, or `false` if the queue is full. If the
   * request is queued, returns a promise that resolves when the request is admitted or aborted.
   */
  readonly acquire: (signal: AbortSignal | undefined) => boolean | Promise<WaitResult>
  /** Returns the time in milliseconds until the next request can start. */
  readonly delay: () => number
}

/** Options for `createSlidingWindow`. */
export interface SlidingWindowOptions {
  /** Maximum number of requests that can start within the window. */
  readonly limit: number
  /** Length of the window in milliseconds. */
  readonly length: number
  /** Maximum number of queued requests. */
  readonly maxQueueLength: number
}

/** Creates a rate limiter that admits at most `limit` requests in any period of `length` milliseconds. */
const createSlidingWindow = (
  { limit, length, maxQueueLength }: SlidingWindowOptions,
  clock: Clock,
): SlidingWindow => {
  /** Ring buffer of the start times of the last `limit` requests. */
  const starts: number[] = []
  /** Index of the oldest start time, which the next request overwrites. */
  let oldest = 0
  const queue = new FifoQueue()
  let cancelTimer: (() => void) | undefined
  const delay = (): number =>
    Math.max(0, starts.length < limit ? 0 : (starts[oldest] ?? 0) + length - clock.now())
  const recordStart = (): void => {
    starts[oldest] = clock.now()
    oldest = (oldest + 1) % limit
  }
  const admitDue = (): void => {
    cancelTimer = undefined
    while (delay() === 0 && queue.admitNext()) recordStart()
    updateTimer()
  }
  /** Starts the timer for the first queued request, or cancels the timer if the queue is empty. */
  const updateTimer = (): void => {
    if (queue.length > 0) cancelTimer ??= clock.after(Math.ceil(delay()), admitDue)
    else {
      cancelTimer?.()
      cancelTimer = undefined
    }
  }
  return {
    delay,
    acquire: (signal) => {
      if (queue.length === 0 && delay() === 0) {
        recordStart()
        return true
      }
      if (queue.length >= maxQueueLength) return false
      const admission = queue.wait(signal, updateTimer)
      updateTimer()
      return admission
    },
  }
}

/** Options for `rateLimit`. */
export interface RateLimitOptions {
  /** Maximum number of queued requests. Default: 100. */
  readonly queue?: number
  /** Clock used to read the time and set timers. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Limits a client to `limit` requests in any `period`, using a sliding window. Other requests are queued in FIFO order.
 *
 * While the queue is full, new requests are rejected with `Rejected`. The `retryAfter` property of this error is the
 * time until the next request can start. Aborted requests leave the queue. If this policy is inside `retry`, each
 * attempt counts as a request. Throws a `RangeError` if a number or the period is invalid.
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
 * assert.ok(E.isLeft(third) && third.left._tag === 'Rejected')
 * ```
 */
export const rateLimit = <const D extends Duration>(
  limit: number,
  period: CheckedDuration<D>,
  options: RateLimitOptions = {},
): Policy => {
  const { queue = 100, clock = systemClock } = checkOptions(
    'rateLimit',
    ['queue', 'clock'],
    options,
  )
  const length = toMilliseconds('rateLimit.period', period)
  if (length === 0) throw new RangeError('rateLimit.period must be greater than 0 ms')
  if (!(Number.isInteger(limit) && limit >= 1))
    throw new RangeError(`rateLimit.limit must be a positive integer, got ${limit}`)
  if (!(queue >= 0)) throw new RangeError(`rateLimit.queue must be at least 0, got ${queue}`)
  const reason = `rate limit of ${limit} per ${format(length)} and queue limit of ${queue} reached`
  return createPolicy((next) => {
    const maxQueueLength = Math.floor(queue)
    const window = createSlidingWindow({ limit, length, maxQueueLength }, clock)
    return (request) => async () => {
      if (request.signal?.aborted === true) return E.left(abortedError(request))
      const admission = window.acquire(request.signal)
      if (admission === false) {
        const retryAfter = window.delay()
        return E.left(policyRejection(request, { policy: 'rate-limit', reason, retryAfter }))
      }
      if (admission !== true && (await admission) === 'aborted')
        return E.left(abortedError(request))
      return next(request)()
    }
  })
}
