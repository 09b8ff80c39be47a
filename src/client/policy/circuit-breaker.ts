/** Implements a circuit breaker, which stops sending requests to a service that fails repeatedly. */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { Duration, ValidDurations } from '../../endpoint/limits.ts'
import type { Policy } from '../exchange.ts'
import { policyRejection } from '../error-factories.ts'
import type { Judge, SendResult } from './policy.ts'
import { createPolicy, discardOnThrow, originOf } from './policy.ts'
import type { Clock } from '../timer.ts'
import { systemClock, toMilliseconds } from '../timer.ts'

/** Options for `circuitBreaker`. */
export interface CircuitBreakerOptions {
  /** Number of failures after which the circuit opens. Default: 5. */
  readonly failures?: number
  /** Period within which the failures must occur. If not set, the failures must be consecutive. */
  readonly within?: Duration
  /** Time for which the circuit stays open before trial requests are sent. Default: `30s`. */
  readonly open?: Duration
  /**
   * Number of consecutive successful trial requests after which the circuit closes. Trial requests are sent one at a
   * time. Default: 1.
   */
  readonly halfOpen?: number
  /**
   * Decides whether a result is a failure. By default, `NetworkError`, `TimedOut` and statuses of 500 or above are
   * failures.
   */
  readonly on?: Judge
  /** Clock used to measure time. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Rejects requests with `Rejected` while a service keeps failing. The service can then recover, and callers receive an
 * error immediately.
 *
 * Each origin has its own circuit. When the `open` period has elapsed, trial requests are sent one at a time. The
 * circuit closes after `halfOpen` successes, and opens again after a failure. While a trial request is waiting for a
 * response, all other requests are rejected. For this reason, combine this policy with a timeout.
 *
 * The circuit ignores requests that fail with `Aborted`, `Rejected`, `Defect` or `EncodeError`. It also ignores errors
 * that occur while a response body is being read. Throws a `RangeError` if an option is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, path, produces, routes, text } from 'espalier'
 * import { circuitBreaker, client } from 'espalier/client'
 *
 * const api = routes({ hello: pipe(path('/hello'), get(), produces(text)) })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: () => Promise.reject(new Error('connection lost')),
 *   policies: [circuitBreaker({ failures: 1, open: '10s' })],
 * })
 * const results = [await service.hello()(), await service.hello()()]
 *
 * assert.deepEqual(
 *   results.map((result) => E.isLeft(result) && result.left._tag),
 *   ['NetworkError', 'Rejected'],
 * )
 * ```
 */
// the first signature infers options that are a union as a whole
export function circuitBreaker<const O extends CircuitBreakerOptions>(
  options: O & ValidDurations<O, CircuitBreakerOptions, 'within' | 'open'>,
): Policy
export function circuitBreaker<const O extends CircuitBreakerOptions>(
  options?: O & ValidDurations<O, CircuitBreakerOptions, 'within' | 'open'>,
): Policy
export function circuitBreaker(options: CircuitBreakerOptions = {}): Policy {
  const {
    failures = 5,
    within,
    open = '30s',
    halfOpen = 1,
    on = isFailure,
    clock = systemClock,
  } = checkOptions(
    'circuitBreaker',
    ['failures', 'within', 'open', 'halfOpen', 'on', 'clock'],
    options,
  )
  for (const [name, value] of Object.entries({ failures, halfOpen }))
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`circuitBreaker.${name} must be a positive integer, got ${value}`)
  const rules: BreakerRules = {
    failures,
    within: within === undefined ? undefined : toMilliseconds('circuitBreaker.within', within),
    open: toMilliseconds('circuitBreaker.open', open),
    halfOpen,
  }
  const judge = discardOnThrow(on)
  return createPolicy((next) => {
    const states = new Map<string, BreakerState>()
    const stateOf = (origin: string): BreakerState => states.get(origin) ?? closed
    const store = (origin: string, state: BreakerState): void => {
      // an origin without failures needs no entry
      if (state._tag === 'Closed' && state.generation === 0 && state.failures.length === 0)
        states.delete(origin)
      else states.set(origin, state)
    }
    return (request) => async () => {
      const origin = originOf(request.url)
      const admitted = admit(stateOf(origin), clock.now())
      if (admitted === undefined)
        return E.left(
          policyRejection(request, {
            policy: 'circuit-breaker',
            reason: `the circuit breaker for ${origin} is open`,
            retryAfter: remainingOpenTime(stateOf(origin), clock.now()),
          }),
        )
      store(origin, admitted)
      let verdict: Verdict = 'ignored'
      try {
        const result = await next(request)()
        if (isConclusive(result)) verdict = judge(result, request) ? 'failure' : 'success'
        return result
      } finally {
        const state = stateOf(origin)
        if (state.generation === admitted.generation)
          store(origin, complete(rules, state, verdict, clock.now()))
      }
    }
  })
}

/** Whether a result reflects the health of the service. Client-side errors do not. */
const isConclusive = (result: SendResult): boolean =>
  E.isRight(result) || !['Aborted', 'Rejected', 'Defect', 'EncodeError'].includes(result.left._tag)

const isFailure = (result: SendResult): boolean =>
  E.isLeft(result)
    ? result.left._tag === 'NetworkError' || result.left._tag === 'TimedOut'
    : result.right.status >= 500

/** Validated options of a circuit breaker. */
interface BreakerRules {
  readonly failures: number
  /** Period in milliseconds within which failures are counted, or `undefined` if failures must be consecutive. */
  readonly within: number | undefined
  /** Time in milliseconds for which the circuit stays open. */
  readonly open: number
  readonly halfOpen: number
}

/**
 * State of a circuit. Each transition increments `generation`. Results of requests sent in an earlier generation are
 * ignored.
 */
type BreakerState =
  /** A closed circuit. `failures` contains the times at which the counted failures occurred. */
  | {
      readonly _tag: 'Closed'
      readonly generation: number
      readonly failures: ReadonlyArray<number>
    }
  | { readonly _tag: 'Open'; readonly generation: number; readonly until: number }
  | {
      readonly _tag: 'HalfOpen'
      readonly generation: number
      readonly successes: number
      /** Whether a trial request is pending. */
      readonly hasTrial: boolean
    }

type Verdict = 'success' | 'failure' | 'ignored'

const closed: BreakerState = { _tag: 'Closed', generation: 0, failures: [] }

/** Returns the new state if a request is admitted, or `undefined` if the request is rejected. */
const admit = (state: BreakerState, now: number): BreakerState | undefined => {
  switch (state._tag) {
    case 'Closed':
      return state
    case 'Open':
      return now < state.until
        ? undefined
        : { _tag: 'HalfOpen', generation: state.generation + 1, successes: 0, hasTrial: true }
    case 'HalfOpen':
      return state.hasTrial ? undefined : { ...state, hasTrial: true }
  }
}

/** Returns the state after a request of the current generation has completed. */
const complete = (
  rules: BreakerRules,
  state: BreakerState,
  verdict: Verdict,
  now: number,
): BreakerState => {
  const { generation } = state
  const opened = (): BreakerState => ({
    _tag: 'Open',
    generation: generation + 1,
    until: now + rules.open,
  })
  switch (state._tag) {
    case 'Open':
      return state
    case 'Closed': {
      if (verdict === 'ignored') return state
      if (verdict === 'success')
        return rules.within === undefined && state.failures.length > 0
          ? { ...state, failures: [] }
          : state
      const failures = [...state.failures, now].filter(
        (time) => rules.within === undefined || now - time < rules.within,
      )
      return failures.length >= rules.failures ? opened() : { ...state, failures }
    }
    case 'HalfOpen': {
      if (verdict === 'failure') return opened()
      const successes = state.successes + (verdict === 'success' ? 1 : 0)
      return successes >= rules.halfOpen
        ? { _tag: 'Closed', generation: generation + 1, failures: [] }
        : { ...state, successes, hasTrial: false }
    }
  }
}

const remainingOpenTime = (state: BreakerState, now: number): number | undefined =>
  state._tag === 'Open' ? Math.max(0, state.until - now) : undefined
