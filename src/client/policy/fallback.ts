/** An answer for when there is none. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Policy } from '../exchange.ts'
import type { Outcome } from './outcome.ts'
import { discard } from './outcome.ts'
import { policy } from './policy.ts'
import type { Returned } from './returned.ts'
import { outcomeOf } from './returned.ts'

/**
 * Asks a function where a call has failed: for every error but `Aborted`, and for statuses of 500 and more. What it gives takes the
 * place of the failure: a response (see {@link clientResponse}), another error, or what another service says. Where it gives
 * `undefined`, the failure stays. The content of a response that is replaced has to be left alone by it.
 */
export const fallback = (
  instead: (failure: Outcome, request: ClientRequest) => Returned<undefined>,
): Policy =>
  policy((next) => (request) => async () => {
    const outcome = await next(request)()
    if (!hasFailed(outcome)) return outcome
    try {
      const other = await outcomeOf<undefined>(instead(outcome, request))
      if (other === undefined || other === outcome) return outcome
      discard(outcome)
      return other
    } catch (error) {
      discard(outcome)
      throw error
    }
  })

const hasFailed = (outcome: Outcome): boolean =>
  E.isLeft(outcome) ? outcome.left._tag !== 'Aborted' : outcome.right.status >= 500
