/** Implements hedged requests: a slow request is sent again, and the first response is used. */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import type { CheckedDuration, Duration } from '../../endpoint/limits.ts'
import type { ClientRequest, Passage, Policy } from '../exchange.ts'
import { releaseAtEnd } from './observe-body.ts'
import type { LinkedSignal, Judge, SendResult } from './policy.ts'
import { linkSignal, createPolicy, discardOnThrow, discardResponse } from './policy.ts'
import type { RetryBudget, RetryBudgetOptions } from './retry.ts'
import { safeMethods } from '../../http/method.ts'
import { isRepeatable, isTransientFailure, retryBudget } from './retry.ts'
import type { Clock } from '../timer.ts'
import { systemClock, toMilliseconds } from '../timer.ts'

/** Options for `hedge`. */
export interface HedgeOptions {
  /** Maximum number of additional requests. They are sent at intervals of `after`. Default: 1. */
  readonly times?: number
  /**
   * Request methods to hedge. Default: the safe methods GET, HEAD, OPTIONS, TRACE and QUERY.
   *
   * Hedging DELETE can result in a 404 response. If two requests are sent concurrently, the response to the request
   * that finds nothing to delete might arrive first.
   */
  readonly methods?: ReadonlyArray<string>
  /**
   * Decides whether a result is ignored while another request is pending. By default, `NetworkError`, `TimedOut` and
   * the statuses 408, 429, 502, 503 and 504 are ignored.
   */
  readonly on?: Judge
  /**
   * Budget for additional requests, shared by all calls of a client. Default: 20% of the calls. `unlimited` disables
   * the limit.
   */
  readonly budget?: RetryBudgetOptions | 'unlimited'
  /** Clock used to read the time and set timers. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Sends a request again if the response headers have not arrived within the period `after`, and uses the first
 * response.
 *
 * This policy reduces tail latency. Choose a value for `after` that is close to the 95th percentile of the response
 * time. When the first response arrives, all other requests are aborted and their responses are discarded.
 *
 * A failure within the period `after` is returned immediately. To retry after such a failure, place {@link retry}
 * outside this policy. Streamed bodies are sent only once. Throws a `RangeError` if an option is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, hedge } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * let requests = 0
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => (++requests === 1 ? new Promise<string>(() => undefined) : 'Hello')),
 * )
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [hedge('10ms')],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.deepEqual([result.right.body, requests], ['Hello', 2])
 * ```
 */
export const hedge = <const D extends Duration>(
  after: CheckedDuration<D>,
  options: HedgeOptions = {},
): Policy => {
  const {
    times = 1,
    methods = safeMethods,
    on = isTransientFailure,
    budget = {},
    clock = systemClock,
  } = checkOptions('hedge', ['times', 'methods', 'on', 'budget', 'clock'], options)
  if (!Number.isInteger(times) || times < 0)
    throw new RangeError(`hedge.times must be a non-negative integer, got ${times}`)
  const rules: HedgeRules = {
    delay: toMilliseconds('hedge.after', after),
    times,
    isIgnored: discardOnThrow(on),
    clock,
  }
  const createBudget = retryBudget(budget)
  return createPolicy((next) => {
    const tokens = createBudget()
    return (request) => () => {
      tokens.addCall()
      return isRepeatable(request, methods) ? race(rules, tokens, next, request) : next(request)()
    }
  })
}

/** Validated options of a hedging policy. */
interface HedgeRules {
  /** Time in milliseconds before each additional request. */
  readonly delay: number
  readonly times: number
  readonly isIgnored: Judge
  readonly clock: Clock
}

/**
 * Sends a request up to `times + 1` times. Resolves to the first result for which `isIgnored` returns `false` or, if there is
 * none, to the last result.
 */
const race = (
  { delay, times, isIgnored, clock }: HedgeRules,
  tokens: RetryBudget,
  next: Passage,
  request: ClientRequest,
): Promise<SendResult> =>
  new Promise((resolve, reject) => {
    const pending = new Set<LinkedSignal>()
    let cancelTimer = ignore
    let isSettled = false
    const abortOthers = (): void => {
      isSettled = true
      cancelTimer()
      for (const attempt of pending) {
        attempt.abort(superseded)
        attempt.release()
      }
    }
    const onResult = (attempt: LinkedSignal, result: SendResult): void => {
      if (isSettled) return discardResponse(result)
      pending.delete(attempt)
      if (pending.size > 0 && isIgnored(result, request)) {
        attempt.release()
        return discardResponse(result)
      }
      abortOthers()
      // until the body ends, aborting the caller's signal also aborts the body
      if (request.signal !== undefined) return resolve(releaseAtEnd(result, attempt.release))
      attempt.release()
      resolve(result)
    }
    const send = (repetition: number): void => {
      const attempt = linkSignal(request.signal)
      pending.add(attempt)
      next({ ...request, signal: attempt.signal })()
        .then((result) => onResult(attempt, result))
        .catch((error: unknown) => {
          attempt.release()
          abortOthers()
          reject(error)
        })
      if (repetition >= times) return
      cancelTimer = clock.after(delay, () => {
        if (request.signal?.aborted !== true && tokens.takeToken()) send(repetition + 1)
      })
    }
    send(0)
  })

const ignore = (): void => undefined

const superseded = new DOMException('another attempt received a response first', 'AbortError')
