/**
 * Rules that `retry` and `hedge` share: which requests can be repeated, when, how often and after which delay.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Duration } from '../../endpoint/limits.ts'
import type { ClientRequest } from '../exchange.ts'
import type { Judge } from './policy.ts'
import { toMilliseconds } from './timer.ts'

/** Safe methods (RFC 9110, 9.2.1). */
export const safeMethods: ReadonlyArray<string> = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/** Idempotent methods (RFC 9110, 9.2.2). */
export const idempotentMethods: ReadonlyArray<string> = [...safeMethods, 'PUT', 'DELETE']

/** Whether a request has one of these methods and no streamed body, which can be sent only once. */
export const isRepeatable = (
  { method, body }: ClientRequest,
  methods: ReadonlyArray<string>,
): boolean => methods.includes(method) && body?._tag !== 'Pieces'

/** Whether another attempt may succeed. */
export const isTransientFailure: Judge = (outcome) =>
  E.isLeft(outcome)
    ? outcome.left._tag === 'NetworkError' || outcome.left._tag === 'TimedOut'
    : [408, 429, 502, 503, 504].includes(outcome.right.status)

export interface BackoffOptions {
  /** Delay before the first retry. Default: `100ms`. */
  readonly first?: Duration
  /** Factor by which the delay grows with each retry. Must be at least 1. Default: 2. */
  readonly factor?: number
  /** Maximum delay. Default: `10s`. */
  readonly max?: Duration
  /** Random share of each delay, from 0 (no jitter) to 1 (full jitter). Default: 0.5. */
  readonly jitter?: number
}

/** Returns the delay before a retry in milliseconds. `retry` counts from 0; `random` is at least 0 and less than 1. */
export type Backoff = (retry: number, random: number) => number

/** Creates an exponential backoff with jitter. Throws a `RangeError` for an invalid option. */
export const createBackoff = ({
  first = '100ms',
  factor = 2,
  max = '10s',
  jitter = 0.5,
}: BackoffOptions = {}): Backoff => {
  const firstDelay = toMilliseconds('backoff.first', first)
  const maxDelay = toMilliseconds('backoff.max', max)
  if (!(factor >= 1)) throw new RangeError(`backoff.factor must be at least 1, got ${factor}`)
  if (!(jitter >= 0 && jitter <= 1))
    throw new RangeError(`backoff.jitter must be from 0 to 1, got ${jitter}`)
  return (retry, random) => {
    // the power may be `Infinity`: `maxDelay` bounds it, but 0 times `Infinity` is `NaN`
    const delay = firstDelay === 0 ? 0 : Math.min(maxDelay, firstDelay * factor ** retry)
    return delay * (1 - jitter * random)
  }
}

export interface RetryBudgetOptions {
  /** Average number of retries per call. Default: 0.2. */
  readonly share?: number
  /** Number of retries that are possible initially and after a period without retries. Default: 10. */
  readonly reserve?: number
}

/**
 * A token bucket: each call adds a fraction of a token, each retry takes one. During an outage, retries are therefore a fraction
 * of the calls instead of a multiple.
 */
export interface RetryBudget {
  /** Adds the tokens of a call. */
  readonly addCall: () => void
  /** Takes a token. Returns `false` if there is none. */
  readonly takeToken: () => boolean
}

/** Returns a function that creates full token buckets. Throws a `RangeError` for negative numbers. */
export const retryBudget = (options: RetryBudgetOptions | 'unlimited'): (() => RetryBudget) => {
  if (options === 'unlimited') return unlimitedBudget
  const { share = 0.2, reserve = 10 } = options
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
