/** What came of a request, as policies judge it. */
import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../client-error.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import { cancel } from '../response/read-body.ts'

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

/** Lets go of a response, unless its content is that of the one which has come into its place. */
export const replaced = (before: Outcome, by: Outcome): void => {
  if (before === by || E.isLeft(before)) return
  // who asks for a body makes a stream of it
  if (E.isRight(by) && (by.right === before.right || by.right.body === before.right.body)) return
  discard(before)
}
