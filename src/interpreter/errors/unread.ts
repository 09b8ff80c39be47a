/**
 * Refusals of contents as errors: interceptors and readers see them thrown, and may throw errors of their own. What comes out
 * is a failure again, with everything that was told of it.
 */
import { isHttpError } from '../../endpoint/http-error.ts'
import type { HttpError } from '../../endpoint/http-error.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import { failureError } from './failure-error.ts'

const failures = new WeakMap<HttpError, RequestFailure>()

/** A failure as an error to be thrown. */
export const readError = (failure: RequestFailure): HttpError => {
  const error = failureError(failure, '')
  failures.set(error, failure)
  return error
}

/** The failure that an error stands for; `undefined` for an `HttpError` of the application's own, which is the response. */
export const failureOf = (error: unknown): RequestFailure | undefined =>
  isHttpError(error) ? failures.get(error) : unreadable

const unreadable: RequestFailure = Failures.ofErrors('InvalidInput', [
  { in: 'body', pointer: '#', detail: 'it cannot be read' },
])
