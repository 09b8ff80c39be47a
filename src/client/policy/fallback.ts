/** Replaces failed requests by other responses. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Policy } from '../exchange.ts'
import { abortable } from './abortable.ts'
import type { Outcome, Returned } from './policy.ts'
import { createPolicy, discardOutcome, discardReplaced, toOutcome } from './policy.ts'

/**
 * Calls a function when a request fails: for every error except `Aborted`, and for statuses of 500 or above.
 *
 * The result of the function replaces the failure: a response (see {@link clientResponse}), an error, or the outcome of a request to
 * another service. `undefined` keeps the failure. The body of a replaced response is discarded, unless the new response uses it.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, json, path, produces, routes } from 'espalier'
 * import { client, clientResponse, fallback } from 'espalier/client'
 *
 * const tips = pipe(path('/tips'), get(), produces(json(t.array(t.string))))
 * const service = client(routes({ tips }), {
 *   baseUrl: 'http://localhost',
 *   fetch: () => Promise.reject(new Error('connection lost')),
 *   policies: [
 *     fallback((_, request) =>
 *       clientResponse(request, { headers: { 'Content-Type': 'application/json' }, content: '[]' }),
 *     ),
 *   ],
 * })
 * const result = await service.tips()()
 *
 * assert.ok(E.isRight(result))
 * assert.deepEqual(result.right.body, [])
 * ```
 */
export const fallback = (
  recover: (failure: Outcome, request: ClientRequest) => Returned<undefined>,
): Policy =>
  createPolicy((next) => (request) => async () => {
    const outcome = await next(request)()
    if (!isFailure(outcome)) return outcome
    try {
      const result = await abortable(
        request,
        toOutcome<undefined>(recover(outcome, request)),
        (late) => late !== undefined && discardOutcome(late),
      )
      const replacement = E.isLeft(result) ? result : result.right
      if (replacement === undefined) return outcome
      discardReplaced(outcome, replacement)
      return replacement
    } catch (error) {
      discardOutcome(outcome)
      throw error
    }
  })

const isFailure = (outcome: Outcome): boolean =>
  E.isLeft(outcome) ? outcome.left._tag !== 'Aborted' : outcome.right.status >= 500
