/**
 * What may be sent more than once, and what makes it worth it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2
 */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest } from '../exchange.ts'
import type { Judge } from './outcome.ts'

export const safe: ReadonlyArray<string> = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

export const idempotent: ReadonlyArray<string> = [...safe, 'PUT', 'DELETE']

/** A request of one of these methods, with a body that has a second beginning. */
export const canBeSentAgain = (
  { method, body }: ClientRequest,
  methods: ReadonlyArray<string>,
): boolean => methods.includes(method) && body?._tag !== 'Pieces'

/** Whether it may go better the next time. */
export const isPassing: Judge = (outcome) =>
  E.isLeft(outcome)
    ? outcome.left._tag === 'NetworkError' || outcome.left._tag === 'TimedOut'
    : [408, 429, 502, 503, 504].includes(outcome.right.status)
