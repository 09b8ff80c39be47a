/** Converts failures to errors and back. Mappers, response filters, readers and interceptors see failures as `HttpError`s. */
import type { HttpErrorOptions } from '../../endpoint/http-error.ts'
import {
  BadRequest,
  ContentTooLarge,
  HttpError,
  InternalServerError,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  RequestTimeout,
  ServiceUnavailable,
  UnsupportedMediaType,
  isHttpError,
} from '../../endpoint/http-error.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import { causeOf } from '../../body/read-body.ts'
import { failureHeaders } from './error-response.ts'
import * as Problem from '../../http/problem.ts'
import * as Failures from '../../http/failure.ts'

/** Returns the `HttpError` for a failure, with the details of its problem document. It has no stack trace. */
export const failureError = (failure: RequestFailure, method: string): HttpError =>
  withoutStack(() => createError(failure, method))

const createError = (failure: RequestFailure, method: string): HttpError => {
  const { status, title, detail, errors, truncated, supported } = Problem.ofFailure(failure)
  const message = detail ?? title
  const headers = recordOf(failureHeaders(failure, method))
  const cause = causeOf(failure)
  const details: HttpErrorOptions = { detail, headers, faults: errors, truncated, supported }
  const options = cause === undefined ? details : { ...details, cause }
  switch (failure._tag) {
    case 'MalformedRequest':
    case 'InvalidInput':
      return new BadRequest(message, options)
    case 'NotFound':
      return new NotFound(message, options)
    case 'MethodNotAllowed':
      return new MethodNotAllowed(failure.allow, message, options)
    case 'NotAcceptable':
      return new NotAcceptable(failure.available, message, options)
    case 'RequestTimeout':
      return new RequestTimeout(message, options)
    case 'ContentTooLarge':
      return new ContentTooLarge(message, options)
    case 'UnsupportedMediaType':
      return new UnsupportedMediaType(failure.supported, message, options)
    case 'UnsupportedContentCoding':
      return new UnsupportedMediaType([], message, options)
    case 'InternalError':
      return new InternalServerError(message, options)
    case 'ServiceUnavailable':
    case 'HandlerTimeout':
    case 'Overloaded':
    case 'BodyMemoryExhausted':
      return new ServiceUnavailable(message, options)
    case 'MethodNotImplemented':
    case 'MisdirectedRequest':
    // rejected by the connection, before routing
    case 'UriTooLong':
    case 'ExpectationFailed':
    case 'HeaderFieldsTooLarge':
    case 'TransferCodingNotImplemented':
    case 'VersionNotSupported':
      return new HttpError(status, message, options)
  }
}

const recordOf = (headers: Headers): Readonly<Record<string, string>> | undefined => {
  if (headers.length === 0) return undefined
  const record: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) record[headers[at] ?? ''] = headers[at + 1] ?? ''
  return record
}

/** Creates an error without capturing a stack trace, which takes 4 µs. If `stackTraceLimit` cannot be changed, the trace is captured. */
const withoutStack = <A>(make: () => A): A => {
  const limit = Error.stackTraceLimit
  if (limit === 0 || !Reflect.set(Error, 'stackTraceLimit', 0)) return make()
  try {
    return make()
  } finally {
    Error.stackTraceLimit = limit
  }
}

const failures = new WeakMap<HttpError, RequestFailure>()

/** Returns an error that can be thrown while a body is read; {@link failureOf} returns its failure. */
export const readError = (failure: RequestFailure): HttpError => {
  const error = failureError(failure, '')
  failures.set(error, failure)
  return error
}

/** Returns the failure of an error: 400 for an unknown error, `undefined` for an `HttpError` of the application. */
export const failureOf = (error: unknown): RequestFailure | undefined =>
  isHttpError(error) ? failures.get(error) : unreadable

const unreadable: RequestFailure = Failures.ofErrors('InvalidInput', [
  { in: 'body', pointer: '#', detail: 'cannot be read' },
])
