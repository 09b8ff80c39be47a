/** What came of a request, as policies judge it. */
import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../client-error.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import { cancel } from '../read-whole.ts'

/** A response of any status, or what went wrong before there was one. */
export type Outcome = Either<ClientError, ClientResponse>

/** Whether an outcome is of the kind that a policy is for. */
export type Judge = (outcome: Outcome, request: ClientRequest) => boolean

/** The same judge; where it throws, nobody reads the response that it was shown. */
export const tidy =
  (judge: Judge): Judge =>
  (outcome, request) => {
    try {
      return judge(outcome, request)
    } catch (error) {
      discard(outcome)
      throw error
    }
  }

/** Lets go of a response that nobody reads. */
export const discard = (outcome: Outcome): void => {
  if (E.isRight(outcome)) cancel(outcome.right.body)
}
