/** Hedged requests: sends a slow request again and uses the first response. */
import * as E from 'fp-ts/lib/Either.js'
import type { Duration } from '../../endpoint/limits.ts'
import type { ClientRequest, Passage, Policy } from '../exchange.ts'
import { observeBody } from '../stream/observe-body.ts'
import type { LinkedSignal } from './abortable.ts'
import { linkSignal } from './abortable.ts'
import type { Judge, Outcome } from './policy.ts'
import { createPolicy, discardOnThrow, discardOutcome } from './policy.ts'
import type { RetryBudget, RetryBudgetOptions } from './retry-rules.ts'
import { isRepeatable, isTransientFailure, retryBudget, safeMethods } from './retry-rules.ts'
import type { Clock } from './timer.ts'
import { systemClock, toMilliseconds } from './timer.ts'

export interface HedgeOptions {
  /** Maximum number of additional requests. Each one is sent `after` the previous one. Default: 1. */
  readonly times?: number
  /**
   * Methods of requests that are hedged. Default: the safe methods GET, HEAD, OPTIONS and TRACE.
   *
   * Hedging DELETE can result in 404: of two concurrent requests, the one that finds nothing to delete may be answered first.
   */
  readonly methods?: ReadonlyArray<string>
  /**
   * Decides whether an outcome is ignored while another request is pending. Default: `NetworkError`, `TimedOut` and the statuses 408, 429,
   * 502, 503 and 504.
   */
  readonly on?: Judge
  /** Limits the additional requests of all calls of a client. Default: 20 % of the calls. `unlimited` disables the limit. */
  readonly budget?: RetryBudgetOptions | 'unlimited'
  /** Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Sends a request again if the head of its response has not arrived within `after`, and uses the first response.
 *
 * This reduces tail latency. Choose `after` close to the 95th percentile of the response time. The other requests are aborted and
 * their responses are discarded. A failure within `after` is returned immediately; for another attempt, put {@link retry} outside.
 * Streamed bodies are sent only once. Throws a `RangeError` for an invalid option.
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
export const hedge = (
  after: Duration,
  {
    times = 1,
    methods = safeMethods,
    on = isTransientFailure,
    budget = {},
    clock = systemClock,
  }: HedgeOptions = {},
): Policy => {
  if (!Number.isInteger(times) || times < 0)
    throw new RangeError(`hedge.times must be an integer of at least 0, got ${times}`)
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

interface HedgeRules {
  /** In milliseconds. */
  readonly delay: number
  readonly times: number
  readonly isIgnored: Judge
  readonly clock: Clock
}

/** Sends a request up to `times + 1` times and resolves to the first outcome that is not ignored. */
const race = (
  { delay, times, isIgnored, clock }: HedgeRules,
  tokens: RetryBudget,
  next: Passage,
  request: ClientRequest,
): Promise<Outcome> =>
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
    const onOutcome = (attempt: LinkedSignal, outcome: Outcome): void => {
      if (isSettled) return discardOutcome(outcome)
      pending.delete(attempt)
      if (pending.size > 0 && isIgnored(outcome, request)) {
        attempt.release()
        return discardOutcome(outcome)
      }
      abortOthers()
      resolve(releaseAtEnd(outcome, attempt, request))
    }
    const send = (repetition: number): void => {
      const attempt = linkSignal(request.signal)
      pending.add(attempt)
      next({ ...request, signal: attempt.signal })()
        .then((outcome) => onOutcome(attempt, outcome))
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

/** Releases the signal of an attempt when its response body ends, so that the caller can abort the body until then. */
const releaseAtEnd = (
  outcome: Outcome,
  { release }: LinkedSignal,
  { signal }: ClientRequest,
): Outcome => {
  // reading `body` opens a stream, so the signal is checked first
  const body = signal !== undefined && E.isRight(outcome) ? outcome.right.body : null
  if (E.isLeft(outcome) || body === null) {
    release()
    return outcome
  }
  return E.right({ ...outcome.right, body: observeBody(body, { onEnd: release }).body })
}

const superseded = new DOMException('another attempt received a response first', 'AbortError')
