/** Leaves a service alone that has failed too often. */
import * as E from 'fp-ts/lib/Either.js'
import type { Policy } from '../exchange.ts'
import type { BreakerRules, BreakerState, Verdict } from './breaker-state.ts'
import { admit, closed, settle, waitOf } from './breaker-state.ts'
import type { Clock } from './timer.ts'
import { system } from './timer.ts'
import type { Duration } from '../../endpoint/limits.ts'
import { millisOf } from './duration.ts'
import { refused } from './failing.ts'
import { originOf } from './origin.ts'
import type { Judge, Outcome } from './outcome.ts'
import { tidy } from './outcome.ts'
import { policy } from './policy.ts'

export interface CircuitBreakerOptions {
  /** So many failures open it; 5 unless it is said. */
  readonly failures?: number
  /** The time in which they come. Without it they have to come one after the other, without a success between them. */
  readonly within?: Duration
  /** How long it stays open; `30s` unless it is said. */
  readonly open?: Duration
  /** So many tries have to succeed, one at a time, before it closes again; 1 unless it is said. */
  readonly halfOpen?: number
  /** What counts as a failure; `NetworkError`, `TimedOut` and statuses of 500 and more unless it is said. */
  readonly on?: Judge
  /** The system's unless it is said. */
  readonly clock?: Clock
}

/**
 * Gives `Refused` without a request where a service has failed too often, so that it can recover and callers need not wait. It
 * knows each origin on its own. After a time it lets one call through, and that decides whether it closes or stays open. Calls that
 * are aborted, refused by a policy further inside, or broken off by the source of their own body, say nothing about the service; one
 * whose head never comes keeps it waiting, where there is no timeout. What happens to a content behind its head does not count. Throws
 * a `RangeError` for numbers out of their range.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, path, produces, routes, text } from 'espalier'
 * import { circuitBreaker, client } from 'espalier/client'
 *
 * const api = routes({ hello: pipe(path('/hello'), get(), produces(text)) })
 * const careful = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: () => Promise.reject(new Error('nobody is there')),
 *   policies: [circuitBreaker({ failures: 1, open: '10s' })],
 * })
 * const answers = [await careful.hello()(), await careful.hello()()]
 *
 * assert.deepEqual(
 *   answers.map((answer) => E.isLeft(answer) && answer.left._tag),
 *   ['NetworkError', 'Refused'],
 * )
 * ```
 */
export const circuitBreaker = ({
  failures = 5,
  within,
  open = '30s',
  halfOpen = 1,
  on = isFailure,
  clock = system,
}: CircuitBreakerOptions = {}): Policy => {
  if (![failures, halfOpen].every((number) => Number.isInteger(number) && number > 0))
    throw new RangeError('failures and halfOpen are whole numbers of 1 or more')
  const rules: BreakerRules = {
    failures,
    within: within === undefined ? undefined : millisOf('within', within),
    open: millisOf('open', open),
    halfOpen,
  }
  const judge = tidy(on)
  return policy((next) => {
    const states = new Map<string, BreakerState>()
    const stateOf = (origin: string): BreakerState => states.get(origin) ?? closed
    const keep = (origin: string, state: BreakerState): void => {
      // nothing is to be remembered of what never failed
      if (state._tag === 'Closed' && state.era === 0 && state.failures.length === 0)
        states.delete(origin)
      else states.set(origin, state)
    }
    return (request) => async () => {
      const origin = originOf(request.url)
      const admitted = admit(stateOf(origin), clock.now())
      if (admitted === undefined) {
        const retryAfter = waitOf(stateOf(origin), clock.now())
        return E.left(
          refused(request, {
            policy: 'circuit-breaker',
            why: `${origin} has failed too often`,
            ...(retryAfter === undefined ? {} : { retryAfter }),
          }),
        )
      }
      keep(origin, admitted)
      let verdict: Verdict = 'unknown'
      try {
        const outcome = await next(request)()
        if (says(outcome)) verdict = judge(outcome, request) ? 'failure' : 'success'
        return outcome
      } finally {
        const now = clock.now()
        keep(origin, settle(rules, stateOf(origin), { era: admitted.era, verdict, now }))
      }
    }
  })
}

/** Whether an outcome says anything about the service: what the caller, a policy or a source of the caller ended does not. */
const says = (outcome: Outcome): boolean =>
  E.isRight(outcome) || !['Aborted', 'Refused', 'Defect', 'EncodeError'].includes(outcome.left._tag)

const isFailure = (outcome: Outcome): boolean =>
  E.isLeft(outcome)
    ? outcome.left._tag === 'NetworkError' || outcome.left._tag === 'TimedOut'
    : outcome.right.status >= 500
