/** Sends again what takes long, and takes what comes first. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Passage, Policy } from '../exchange.ts'
import { signalled } from '../light-signal.ts'
import type { Aborting } from './aborting.ts'
import { following } from './aborting.ts'
import { canBeSentAgain, isPassing, safe } from './retry-rules.ts'
import type { Clock } from './timer.ts'
import { system } from './timer.ts'
import type { Duration } from '../../endpoint/limits.ts'
import { millisOf } from './duration.ts'
import type { Judge, Outcome } from './outcome.ts'
import { discard, tidy } from './outcome.ts'
import { policy } from './policy.ts'
import type { RetryBudget, RetryBudgetOptions } from './retry-budget.ts'
import { budgetOf, unlimited } from './retry-budget.ts'
import { watched } from '../stream/observe-body.ts'

export interface HedgeOptions {
  /** How often a request is sent again at most, each time when it has taken so long once more; 1 unless it is said. */
  readonly times?: number
  /**
   * The methods of requests that are sent again; those that are safe unless it is said: GET, HEAD, OPTIONS, TRACE. Of a DELETE
   * that is sent twice at a time, the one that comes too late may be the first that is answered, with 404.
   */
  readonly methods?: ReadonlyArray<string>
  /**
   * What is no answer as long as another one may come; `NetworkError`, `TimedOut` and the statuses 408, 429, 502, 503 and 504
   * unless it is said.
   */
  readonly on?: Judge
  /** What bounds how much a client sends again in all; a fifth of its calls unless it is said, `unlimited` for no bound. */
  readonly budget?: RetryBudgetOptions | 'unlimited'
  /** The system's unless it is said. */
  readonly clock?: Clock
}

/**
 * Sends a request once more where the head of its response is not there `after` a time, such as that in which 95 of 100 are, and
 * takes the one that is answered first: so that who calls does not wait for the slowest of many machines. The others are aborted,
 * and what still comes of them is let go. What fails before that time is given as it is; trying again is for a {@link retry} around
 * it. A body in pieces is not sent again. Throws a `RangeError` for numbers out of their range.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, hedge } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * let asked = 0
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => (++asked === 1 ? new Promise<string>(() => undefined) : 'Hello')),
 * )
 * const api = routes({ hello })
 * const quick = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [hedge('10ms')],
 * })
 * const answer = await quick.hello()()
 *
 * assert.ok(E.isRight(answer))
 * assert.deepEqual([answer.right.body, asked], ['Hello', 2])
 * ```
 */
export const hedge = (
  after: Duration,
  { times = 1, methods = safe, on = isPassing, budget = {}, clock = system }: HedgeOptions = {},
): Policy => {
  if (!Number.isInteger(times) || times < 0)
    throw new RangeError('hedge.times is a whole number of 0 or more')
  const wait = millisOf('hedge.after', after)
  const newBudget = budget === 'unlimited' ? unlimited : budgetOf(budget)
  const rules = { wait, times, isWeak: tidy(on), clock }
  return policy((next) => {
    const tokens = newBudget()
    return (request) => () => {
      tokens.earn()
      return canBeSentAgain(request, methods)
        ? fastest(rules, tokens, next, request)
        : next(request)()
    }
  })
}

interface Rules {
  readonly wait: number
  readonly times: number
  readonly isWeak: Judge
  readonly clock: Clock
}

const fastest = (
  { wait, times, isWeak, clock }: Rules,
  tokens: RetryBudget,
  next: Passage,
  request: ClientRequest,
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const running = new Set<Aborting>()
    let cancel = nothing
    let isOver = false
    const end = (): void => {
      isOver = true
      cancel()
      for (const one of running) {
        one.abort(tooLate)
        one.release()
      }
    }
    const settle = (one: Aborting, outcome: Outcome): void => {
      if (isOver) return discard(outcome)
      running.delete(one)
      if (running.size > 0 && isWeak(outcome, request)) {
        one.release()
        return discard(outcome)
      }
      end()
      resolve(followed(outcome, one, request))
    }
    const send = (again: number): void => {
      const one = following(request.signal)
      running.add(one)
      next(signalled(request, one.signal))()
        .then((outcome) => settle(one, outcome))
        .catch((error: unknown) => {
          one.release()
          end()
          reject(error)
        })
      if (again >= times) return
      cancel = clock.after(wait, () => {
        if (request.signal?.aborted !== true && tokens.spend()) send(again + 1)
      })
    }
    send(0)
  })

const nothing = (): void => undefined

/** A response follows the signal of its caller until its content is taken. */
const followed = (outcome: Outcome, { release }: Aborting, { signal }: ClientRequest): Outcome => {
  // who asks for a body makes a stream of it
  const body = signal !== undefined && E.isRight(outcome) ? outcome.right.body : null
  if (E.isLeft(outcome) || body === null) {
    release()
    return outcome
  }
  return E.right({ ...outcome.right, body: watched(body, { over: release }).body })
}

const tooLate = new DOMException('another request was answered first', 'AbortError')
