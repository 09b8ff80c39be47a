/**
 * Tries again.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../../http/headers.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as RetryAfter from '../../http/retry-after.ts'
import type { Policy } from '../exchange.ts'
import { canBeSentAgain, idempotent, isPassing } from './retry-rules.ts'
import type { BackoffOptions } from './backoff.ts'
import { backoffOf } from './backoff.ts'
import type { Clock } from './timer.ts'
import { pause, system } from './timer.ts'
import type { Duration } from '../../endpoint/limits.ts'
import { millisOf } from './duration.ts'
import { aborted } from './failing.ts'
import type { Judge, Outcome } from './outcome.ts'
import { discard, tidy } from './outcome.ts'
import { policy } from './policy.ts'
import type { RetryBudgetOptions } from './retry-budget.ts'
import { budgetOf, unlimited } from './retry-budget.ts'

export interface RetryOptions {
  /** How often a request is sent again at most, beside the first time. */
  readonly times: number
  /** What is worth another try; `NetworkError`, `TimedOut` and the statuses 408, 429, 502, 503 and 504 unless it is said. */
  readonly on?: Judge
  /** The methods of requests that are sent again; those that are idempotent unless it is said: GET, HEAD, OPTIONS, TRACE, PUT, DELETE. */
  readonly methods?: ReadonlyArray<string>
  readonly backoff?: BackoffOptions
  /**
   * The longest `Retry-After` that is waited for; `1m` unless it is said. A response that asks for more is given as it is: to
   * come back earlier is what it asks not to do.
   */
  readonly retryAfter?: Duration
  /** What bounds the retries of all calls of a client together; `unlimited` for no bound. */
  readonly budget?: RetryBudgetOptions | 'unlimited'
  /** The system's unless it is said. */
  readonly clock?: Clock
  /** A number from 0 up to 1; `Math.random` unless it is said. */
  readonly random?: () => number
}

/**
 * Sends a request again where it did not come through. The last outcome is given as it is, and so is a response whose content
 * breaks off behind its head. A body in pieces is not sent again, because its source may have no second beginning. What is said
 * of `Retry-After` is so of a policy further inside that is `Refused`, too, where `on` takes that for worth another try. Throws a `RangeError` for numbers out of their range.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, ServiceUnavailable, text } from 'espalier'
 * import { client, retry } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * let asked = 0
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => {
 *     if (asked++ === 0) throw new ServiceUnavailable('not yet')
 *     return 'Hello'
 *   }),
 * )
 * const api = routes({ hello })
 * const patient = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [retry({ times: 2, backoff: { first: '10ms' } })],
 * })
 * const answer = await patient.hello()()
 *
 * assert.ok(E.isRight(answer))
 * assert.deepEqual([answer.right.body, asked], ['Hello', 2])
 * ```
 */
export const retry = ({
  times,
  on = isPassing,
  methods = idempotent,
  backoff,
  retryAfter = '1m',
  budget = {},
  clock = system,
  random = Math.random,
}: RetryOptions): Policy => {
  if (!Number.isInteger(times) || times < 0)
    throw new RangeError('retry.times is a whole number of 0 or more')
  const delay = backoffOf(backoff)
  const patience = millisOf('retry.retryAfter', retryAfter)
  const newBudget = budget === 'unlimited' ? unlimited : budgetOf(budget)
  const isWorthIt = tidy(on)
  return policy((next) => {
    const tokens = newBudget()
    return (request) => async () => {
      tokens.earn()
      const most = canBeSentAgain(request, methods) ? times : 0
      for (let again = 0; ; again++) {
        const outcome = await next(request)()
        if (again >= most || request.signal?.aborted === true) return outcome
        if (!isWorthIt(outcome, request)) return outcome
        const asked = askedFor(outcome, clock.now())
        if (asked > patience || !tokens.spend()) return outcome
        discard(outcome)
        const wait = Math.max(asked, delay(again, random()))
        if (!(await pause(clock, wait, request.signal))) return E.left(aborted(request))
      }
    }
  })
}

/**
 * Milliseconds that a response, or a policy that refuses, asks to wait for; 0 where it does not ask. A date counts from what the
 * server says it is now.
 */
const askedFor = (outcome: Outcome, now: number): number => {
  if (E.isLeft(outcome)) return outcome.left._tag === 'Refused' ? (outcome.left.retryAfter ?? 0) : 0
  const { headers } = outcome.right
  return pipe(
    O.fromNullable(Headers.first(headers, 'retry-after')),
    O.chain((text) => RetryAfter.parse(text, dateOf(headers, now))),
    O.getOrElse(() => 0),
  )
}

const dateOf = (headers: Headers.Headers, now: number): number =>
  pipe(
    O.fromNullable(Headers.first(headers, 'date')),
    O.chain((text) => HttpDate.parse(text, now)),
    O.match(
      () => now,
      (date) => date.getTime(),
    ),
  )
