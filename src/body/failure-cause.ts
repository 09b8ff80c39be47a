/**
 * The errors that led to refusals, for mappers. They stand beside the failures and not in them: a failure is logged and told to the
 * client, and the message of a reader's error may quote what was sent.
 */
import type { RequestFailure } from '../http/failure.ts'

const causes = new WeakMap<object, unknown>()

/** The same failure, of which the error is known. */
export const withCause = (cause: unknown, failure: RequestFailure): RequestFailure => {
  causes.set(failure, cause)
  return failure
}

/** The error that led to a failure, if there is one. */
export const causeOf = (failure: object): unknown => causes.get(failure)
