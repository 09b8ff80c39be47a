/** An answer for when there is none. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Policy } from '../exchange.ts'
import { heeding } from './abortable.ts'
import type { Outcome } from './outcome.ts'
import { discard, replaced } from './outcome.ts'
import { policy } from './policy.ts'
import type { Returned } from './returned.ts'
import { outcomeOf } from './returned.ts'

/**
 * Asks a function where a call has failed: for every error but `Aborted`, and for statuses of 500 and more. What it gives takes the
 * place of the failure: a response (see {@link clientResponse}), another error, or what another service says. Where it gives
 * `undefined`, the failure stays. The content of a response that is replaced is let go, unless it is that of the new one.
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
 * const calm = client(routes({ tips }), {
 *   baseUrl: 'http://localhost',
 *   fetch: () => Promise.reject(new Error('nobody is there')),
 *   policies: [
 *     fallback((_, request) =>
 *       clientResponse(request, { headers: { 'Content-Type': 'application/json' }, content: '[]' }),
 *     ),
 *   ],
 * })
 * const answer = await calm.tips()()
 *
 * assert.ok(E.isRight(answer))
 * assert.deepEqual(answer.right.body, [])
 * ```
 */
export const fallback = (
  instead: (failure: Outcome, request: ClientRequest) => Returned<undefined>,
): Policy =>
  policy((next) => (request) => async () => {
    const outcome = await next(request)()
    if (!hasFailed(outcome)) return outcome
    try {
      const given = await heeding(
        request,
        outcomeOf<undefined>(instead(outcome, request)),
        (late) => late !== undefined && discard(late),
      )
      const other = E.isLeft(given) ? given : given.right
      if (other === undefined) return outcome
      replaced(outcome, other)
      return other
    } catch (error) {
      discard(outcome)
      throw error
    }
  })

const hasFailed = (outcome: Outcome): boolean =>
  E.isLeft(outcome) ? outcome.left._tag !== 'Aborted' : outcome.right.status >= 500
