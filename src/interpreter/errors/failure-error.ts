/** Refusals of the engine as errors, for mappers and response filters: of the classes that handlers throw. */
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

/** The error that tells of a refusal, with everything that its document tells. It has no stack: nothing in the program led to it. */
export const failureError = (failure: RequestFailure, method: string): HttpError =>
  withoutStack(() => errorOf(failure, method))

const errorOf = (failure: RequestFailure, method: string): HttpError => {
  const { status, title, detail, errors, truncated, supported } = Problem.ofFailure(failure)
  const message = detail ?? title
  const headers = recordOf(failureHeaders(failure, method))
  const cause = causeOf(failure)
  const said: HttpErrorOptions = { detail, headers, faults: errors, truncated, supported }
  const options = cause === undefined ? said : { ...said, cause }
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
    // the connection refuses these before a tree is asked
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

/** To note where an error was made takes 4 µs. Where the limit cannot be changed, it is noted. */
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
