/** Functions of a program's own around what a client sends. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Passage, Policy } from '../exchange.ts'
import { heeding } from './abortable.ts'
import type { Outcome } from './outcome.ts'
import { discard, replaced } from './outcome.ts'
import { policy } from './policy.ts'
import type { Returned } from './returned.ts'
import { outcomeOf } from './returned.ts'

export interface ClientFilterOptions {
  /** Smaller numbers see the request earlier and the response later; 5000 unless it is said, as for all policies. */
  readonly priority?: number
}

/**
 * A filter around a client's requests. It is given each request with a function that sends it, and gives back the response. So it
 * can change the request, answer without sending, send more than once, and see or change what comes. What it throws becomes a
 * `Defect`. Of the responses that it was given, those are let go then whose content is neither that of the response it gives back
 * nor being read; until then they hold their connections, so who sends again cancels the body first. A request that says `strayed` is on its way to another
 * origin than the call's: no place for credentials.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, Unauthorized } from 'espalier'
 * import { bearerToken, client, clientFilter } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => {
 *     if (request.header('Authorization') !== 'Bearer new') throw new Unauthorized('Bearer')
 *     return 'Hello'
 *   }),
 * )
 * let token = 'old'
 * const renewing = clientFilter(async (request, send) => {
 *   const outcome = await send(request)()
 *   if (E.isLeft(outcome) || outcome.right.status !== 401) return outcome
 *   await outcome.right.body?.cancel()
 *   token = 'new'
 *   return send(request)()
 * })
 * const api = routes({ hello })
 * const greeter = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [renewing, bearerToken(() => token)],
 * })
 * const answer = await greeter.hello()()
 *
 * assert.ok(E.isRight(answer))
 * assert.equal(answer.right.body, 'Hello')
 * ```
 */
export const clientFilter = (
  filter: (request: ClientRequest, send: Passage) => Returned,
  { priority }: ClientFilterOptions = {},
): Policy =>
  policy(
    (next) => (request) => async () => {
      const given: Outcome[] = []
      const send: Passage = (changed) => async () => {
        const outcome = await next(changed)()
        if (E.isRight(outcome)) given.push(outcome)
        return outcome
      }
      const late = (outcome?: Outcome): void => {
        given.forEach(discard)
        if (outcome !== undefined) discard(outcome)
      }
      try {
        const outcome = E.flatten(await heeding(request, outcomeOf(filter(request, send)), late))
        for (const one of given) replaced(one, outcome)
        return outcome
      } catch (error) {
        given.forEach(discard)
        throw error
      }
    },
    priority,
  )
