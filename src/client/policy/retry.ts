/**
 * Retries failed requests with exponential backoff. Respects `Retry-After` headers and a retry budget.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
 */
import type { RejectedOptions } from '../../codec/codec.ts'
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { idempotentMethods } from '../../http/method.ts'
import * as IdempotencyKey from '../../http/idempotency-key.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { Duration, InvalidText, ValidDurations } from '../../endpoint/limits.ts'
import type { ClientRequest, Policy } from '../exchange.ts'
import type { Judge, SendResult } from './policy.ts'
import { toMilliseconds, sleep, systemClock } from '../timer.ts'
import * as Headers from '../../http/headers.ts'
import { abortedError } from '../error-factories.ts'
import { createPolicy, discardOnThrow, discardResponse } from './policy.ts'
import type { Clock } from '../timer.ts'

/**
 * Parses a `Retry-After` header and returns the delay in milliseconds. `now` is the current time in milliseconds since
 * the Unix epoch.
 *
 * The delay is 0 if the header contains a date in the past, and `Infinity` if the number of seconds is too large for a
 * JavaScript number.
 * Returns `none` if the header is invalid.
 *
 * ```text
 * Retry-After   = HTTP-date / delay-seconds
 * delay-seconds = 1*DIGIT
 * ```
 */
export const parseRetryAfter = (text: string, now: number): O.Option<number> =>
  /^\d+$/.test(text)
    ? O.some(Number(text) * 1000)
    : pipe(
        HttpDate.parse(text, now),
        O.map((date) => Math.max(0, date.getTime() - now)),
      )

/**
 * Whether a request can be sent again. The method must be listed in `methods`, and the body must not be streamed. A
 * streamed body can be sent only once.
 */
export const isRepeatable = (
  { method, body }: ClientRequest,
  methods: ReadonlyArray<string>,
): boolean => methods.includes(method) && body?._tag !== 'Streamed'

/** Whether a result is a failure after which another attempt might succeed. */
export const isTransientFailure: Judge = (result) =>
  E.isLeft(result)
    ? result.left._tag === 'NetworkError' || result.left._tag === 'TimedOut'
    : [408, 429, 502, 503, 504].includes(result.right.status)

/** Whether the service recognizes the repetitions of a request by its `Idempotency-Key`. */
const isKeyed = ({ operation, headers }: ClientRequest): boolean =>
  operation.isKeyed === true && Headers.first(headers, IdempotencyKey.headerName) !== undefined

/** Whether an earlier attempt with the same `Idempotency-Key` is still running. */
const isBusy: Judge = (result, request) =>
  E.isRight(result) &&
  result.right.status === 409 &&
  isKeyed(request) &&
  Headers.first(result.right.headers, 'retry-after') !== undefined

const mayPass: Judge = (result, request) =>
  isTransientFailure(result, request) || isBusy(result, request)

/** Methods of which a retry can run an operation twice, unless the operation is idempotent. */
const unsafeMethods = ['POST', 'PATCH'] as const

/** Checks literals of methods. The error message ends in the remedy. */
export type ValidMethods<M> =
  M extends ReadonlyArray<infer A>
    ? [Extract<A, (typeof unsafeMethods)[number]>] extends [never]
      ? unknown
      : InvalidText<'a retry of POST or PATCH could run the operation twice: declare the operation with idempotent()'>
    : unknown

/** Options for the delay before each retry. */
export interface BackoffOptions {
  /** Delay before the first retry. Default: `100ms`. */
  readonly first?: Duration
  /** Factor by which the delay grows with each retry. Must be at least 1. Default: 2. */
  readonly factor?: number
  /** Maximum delay before a retry. Default: `10s`. */
  readonly max?: Duration
  /**
   * Maximum proportion by which each delay is randomly reduced, from 0 (no jitter) to 1 (full jitter). Default: 0.5.
   */
  readonly jitter?: number
}

/**
 * Returns the delay in milliseconds before a retry. `retry` counts from 0, and `random` is at least 0 and less than 1.
 */
export type Backoff = (retry: number, random: number) => number

/** Creates an exponential backoff with jitter. Throws a `RangeError` if an option is invalid. */
export const createBackoff = (options: BackoffOptions = {}): Backoff => {
  const known = ['first', 'factor', 'max', 'jitter'] as const
  const {
    first = '100ms',
    factor = 2,
    max = '10s',
    jitter = 0.5,
  } = checkOptions('backoff', known, options)
  const firstDelay = toMilliseconds('backoff.first', first)
  const maxDelay = toMilliseconds('backoff.max', max)
  if (!(factor >= 1)) throw new RangeError(`backoff.factor must be at least 1, got ${factor}`)
  if (!(jitter >= 0 && jitter <= 1))
    throw new RangeError(`backoff.jitter must be a number from 0 to 1, got ${jitter}`)
  return (retry, random) => {
    // the power of `factor` may be `Infinity`: `maxDelay` bounds it, but 0 times `Infinity` is `NaN`
    const delay = firstDelay === 0 ? 0 : Math.min(maxDelay, firstDelay * factor ** retry)
    return delay * (1 - jitter * random)
  }
}

/** Options for a retry budget. */
export interface RetryBudgetOptions {
  /** Average number of retries allowed per call. Default: 0.2. */
  readonly share?: number
  /** Number of retries available initially. Unused retries never accumulate beyond this number. Default: 10. */
  readonly reserve?: number
}

/**
 * A token bucket that limits retries. Each call adds a fraction of a token, and each retry takes one token. During an
 * outage, the number of retries is therefore a fraction of the number of calls, rather than a multiple of it.
 */
export interface RetryBudget {
  /** Adds a fraction of a token to the bucket. Must be called once for each call. */
  readonly addCall: () => void
  /** Takes a token. Returns `false` if no token is available. */
  readonly takeToken: () => boolean
}

/** Returns a function that creates full token buckets. Throws a `RangeError` if `share` or `reserve` is negative. */
export const retryBudget = (options: RetryBudgetOptions | 'unlimited'): (() => RetryBudget) => {
  if (options === 'unlimited') return unlimitedBudget
  const { share = 0.2, reserve = 10 } = checkOptions('budget', ['share', 'reserve'], options)
  if (!(share >= 0)) throw new RangeError(`budget.share must be at least 0, got ${share}`)
  if (!(reserve >= 0)) throw new RangeError(`budget.reserve must be at least 0, got ${reserve}`)
  return () => {
    let tokens = reserve
    return {
      addCall: () => {
        tokens = Math.min(reserve, tokens + share)
      },
      takeToken: () => {
        if (tokens < 1) return false
        tokens -= 1
        return true
      },
    }
  }
}

const unlimitedBudget = (): RetryBudget => ({ addCall: () => undefined, takeToken: () => true })

/** Options for `retry`. */
export interface RetryOptions {
  /** Maximum number of retries, not counting the first attempt. */
  readonly times: number
  /**
   * Decides whether a request is retried. By default, requests are retried after `NetworkError`, `TimedOut`, the
   * statuses 408, 429, 502, 503 and 504, and 409 with `Retry-After` if an earlier attempt with the same `Idempotency-Key` is still
   * running.
   */
  readonly on?: Judge
  /**
   * Request methods to retry, in addition to the requests of operations that are declared with `idempotent`. POST and PATCH are a compile
   * error and a `RangeError`, because a retry could run the operation twice. Default: the idempotent methods GET, HEAD, OPTIONS, TRACE, QUERY, PUT
   * and DELETE.
   */
  readonly methods?: ReadonlyArray<string>
  /** Delays between attempts. Default: 100 ms, doubled with each retry up to 10 s, with a jitter of 0.5. */
  readonly backoff?: BackoffOptions
  /**
   * Maximum delay that a service can request with `Retry-After`. A response that requests a longer delay is returned
   * without a retry. Default: `1m`.
   */
  readonly retryAfter?: Duration
  /** Budget for retries, shared by all calls of a client. Default: 20% of the calls. `unlimited` disables the limit. */
  readonly budget?: RetryBudgetOptions | 'unlimited'
  /** Clock used to read the time and set timers. Default: the system clock. */
  readonly clock?: Clock
  /** Returns a random number of at least 0 and less than 1. Default: `Math.random`. */
  readonly random?: () => number
}

type MethodsOf<O> = O extends { readonly methods?: infer M } ? M : undefined

type BackoffOf<O> = O extends { readonly backoff?: infer B } ? B : undefined

/**
 * Sends a request again after a transient failure, and returns the last result.
 *
 * The delay before a retry is the backoff delay or the delay requested by `Retry-After`, whichever is longer. The
 * `retryAfter` property of a `Rejected` error has the same effect as `Retry-After` if `on` returns `true` for the
 * error.
 *
 * An operation that is declared with `idempotent` is retried regardless of its method. All attempts have the same `Idempotency-Key`.
 *
 * Errors that occur while a response body is being read do not cause a retry. Streamed bodies are sent only once,
 * because their source might not be repeatable. Throws a `RangeError` if an option is invalid.
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
export const retry = <
  const O extends RetryOptions | RejectedOptions<'pass options: retry({ times: 3 })'>,
>(
  options: O &
    ValidDurations<O, RetryOptions, 'retryAfter'> & {
      readonly backoff?: ValidDurations<BackoffOf<O>, BackoffOptions, 'first' | 'max'>
      readonly methods?: ValidMethods<MethodsOf<O>>
    },
): Policy => {
  const { methods = [] } = checkOptions<RetryOptions>('retry', retryOptions, options)
  const unsafe = unsafeMethods.find((method) => methods.includes(method))
  if (unsafe !== undefined)
    throw new RangeError(
      `retry.methods must not contain ${unsafe}, because a retry could run the operation twice: declare the operation with idempotent()`,
    )
  return retryAny(options)
}

const retryOptions = [
  'times',
  'on',
  'methods',
  'backoff',
  'retryAfter',
  'budget',
  'clock',
  'random',
] as const

/** Like {@link retry}, for services that recognize repeated requests by other means than the method and the `Idempotency-Key`. */
export const retryAny = (options: RetryOptions | RejectedOptions<string>): Policy => {
  const {
    times,
    on = mayPass,
    methods = idempotentMethods,
    backoff,
    retryAfter = '1m',
    budget = {},
    clock = systemClock,
    random = Math.random,
  } = checkOptions<RetryOptions>('retry', retryOptions, options)
  if (!Number.isInteger(times) || times < 0)
    throw new RangeError(`retry.times must be a non-negative integer, got ${times}`)
  const backoffDelay = createBackoff(backoff)
  const maxRetryAfter = toMilliseconds('retry.retryAfter', retryAfter)
  const createBudget = retryBudget(budget)
  const isRetryable = discardOnThrow(on)
  return createPolicy((next) => {
    const tokens = createBudget()
    return (request) => async () => {
      tokens.addCall()
      const repeated = isKeyed(request) ? [...methods, request.method] : methods
      const maxRetries = isRepeatable(request, repeated) ? times : 0
      for (let retries = 0; ; retries++) {
        const result = await next(request)()
        if (retries >= maxRetries || request.signal?.aborted === true) return result
        if (!isRetryable(result, request)) return result
        const requestedDelay = retryAfterOf(result, clock.now())
        if (requestedDelay > maxRetryAfter || !tokens.takeToken()) return result
        discardResponse(result)
        const delay = Math.max(requestedDelay, backoffDelay(retries, random()))
        if (!(await sleep(clock, delay, request.signal))) return E.left(abortedError(request))
      }
    }
  })
}

/**
 * Returns the delay in milliseconds requested by a response or a `Rejected` error, or 0 if no delay is requested. A
 * date in `Retry-After` is compared with the `Date` header, because the clocks of the client and the server might
 * differ.
 */
const retryAfterOf = (result: SendResult, now: number): number => {
  if (E.isLeft(result)) return result.left._tag === 'Rejected' ? (result.left.retryAfter ?? 0) : 0
  const { headers } = result.right
  return pipe(
    O.fromNullable(Headers.first(headers, 'retry-after')),
    O.chain((value) => parseRetryAfter(value, serverTime(headers, now))),
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
