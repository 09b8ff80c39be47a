/**
 * Retries failed requests.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Duration } from '../../endpoint/limits.ts'
import * as Headers from '../../http/headers.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as RetryAfter from '../../http/retry-after.ts'
import type { Policy } from '../exchange.ts'
import { aborted } from '../error-factories.ts'
import type { Judge, Outcome } from './policy.ts'
import { createPolicy, discardOnThrow, discardOutcome } from './policy.ts'
import type { BackoffOptions, RetryBudgetOptions } from './retry-rules.ts'
import {
  createBackoff,
  idempotentMethods,
  isRepeatable,
  isTransientFailure,
  retryBudget,
} from './retry-rules.ts'
import type { Clock } from './timer.ts'
import { sleep, systemClock, toMilliseconds } from './timer.ts'

export interface RetryOptions {
  /** Maximum number of retries, without the first attempt. */
  readonly times: number
  /** Decides whether to retry. Default: `NetworkError`, `TimedOut` and the statuses 408, 429, 502, 503 and 504. */
  readonly on?: Judge
  /** Methods of requests that are retried. Default: the idempotent methods GET, HEAD, OPTIONS, TRACE, PUT and DELETE. */
  readonly methods?: ReadonlyArray<string>
  /** Delays between attempts. */
  readonly backoff?: BackoffOptions
  /** Maximum `Retry-After` that is honoured. A response with a longer one is returned without a retry. Default: `1m`. */
  readonly retryAfter?: Duration
  /** Limits the retries of all calls of a client. Default: 20 % of the calls. `unlimited` disables the limit. */
  readonly budget?: RetryBudgetOptions | 'unlimited'
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Returns a random number of at least 0 and less than 1. Default: `Math.random`. */
  readonly random?: () => number
}

/**
 * Sends a request again after a transient failure, and returns the last outcome.
 *
 * The delay is that of the backoff or of `Retry-After`, whichever is longer. The `retryAfter` of a `Refused` error counts as well, if `on`
 * returns true for the error. Errors that occur while a response body is read cause no retry. Streamed bodies are sent
 * only once, because their source may not be repeatable. Throws a `RangeError` for an invalid option.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, ServiceUnavailable, text } from 'espalier'
 * import { client, retry } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * let requests = 0
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => {
 *     if (requests++ === 0) throw new ServiceUnavailable('not ready')
 *     return 'Hello'
 *   }),
 * )
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [retry({ times: 2, backoff: { first: '10ms' } })],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.deepEqual([result.right.body, requests], ['Hello', 2])
 * ```
 */
export const retry = ({
  times,
  on = isTransientFailure,
  methods = idempotentMethods,
  backoff,
  retryAfter = '1m',
  budget = {},
  clock = systemClock,
  random = Math.random,
}: RetryOptions): Policy => {
  if (!Number.isInteger(times) || times < 0)
    throw new RangeError(`retry.times must be an integer of at least 0, got ${times}`)
  const backoffDelay = createBackoff(backoff)
  const maxRetryAfter = toMilliseconds('retry.retryAfter', retryAfter)
  const createBudget = retryBudget(budget)
  const isRetryable = discardOnThrow(on)
  return createPolicy((next) => {
    const tokens = createBudget()
    return (request) => async () => {
      tokens.addCall()
      const maxRetries = isRepeatable(request, methods) ? times : 0
      for (let retries = 0; ; retries++) {
        const outcome = await next(request)()
        if (retries >= maxRetries || request.signal?.aborted === true) return outcome
        if (!isRetryable(outcome, request)) return outcome
        const requestedDelay = retryAfterOf(outcome, clock.now())
        if (requestedDelay > maxRetryAfter || !tokens.takeToken()) return outcome
        discardOutcome(outcome)
        const delay = Math.max(requestedDelay, backoffDelay(retries, random()))
        if (!(await sleep(clock, delay, request.signal))) return E.left(aborted(request))
      }
    }
  })
}

/**
 * Returns the delay that a response or a `Refused` error requests, in milliseconds; 0 by default.
 * A date is compared with the `Date` header, so that the clocks of client and server need not agree.
 */
const retryAfterOf = (outcome: Outcome, now: number): number => {
  if (E.isLeft(outcome)) return outcome.left._tag === 'Refused' ? (outcome.left.retryAfter ?? 0) : 0
  const { headers } = outcome.right
  return pipe(
    O.fromNullable(Headers.first(headers, 'retry-after')),
    O.chain((value) => RetryAfter.parse(value, serverTime(headers, now))),
    O.getOrElse(() => 0),
  )
}

const serverTime = (headers: Headers.Headers, now: number): number =>
  pipe(
    O.fromNullable(Headers.first(headers, 'date')),
    O.chain((value) => HttpDate.parse(value, now)),
    O.match(
      () => now,
      (date) => date.getTime(),
    ),
  )
