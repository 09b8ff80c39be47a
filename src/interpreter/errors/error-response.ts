/**
 * Converts failures to `HttpError`s, creates the responses for errors and failures, and encodes problem documents (RFC 9457). The
 * `Accept` header determines the format of a problem document. Some failures add headers to the response.
 */
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
import { causeOf } from '../../body/decode-body.ts'
import { withoutStack } from '../../http/platform-value.ts'
import * as Problem from '../../http/problem.ts'
import * as Failures from '../../http/failure.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import * as AcceptQuery from '../../http/accept-query.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Quality from '../../http/quality.ts'
import * as Status from '../../http/status.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { noSniff, sanitizeHeaders } from '../response/response-headers.ts'
import type { ResponseValue, EncodeResponse } from '../response/encode-response.ts'
import type { RejectionHeaders } from '../../compiler/filter-chain.ts'

/** Creates the `HttpError` for a failure, including the details for the problem document. The error has no stack trace. */
export const failureError = (failure: RequestFailure, method: string): HttpError =>
  withoutStack(() => createError(failure, method))

const createError = (failure: RequestFailure, method: string): HttpError => {
  const { status, title, detail, errors, truncated, supported } = Problem.ofFailure(failure)
  const message = detail ?? title
  const list = failureHeaders(failure, method)
  const headers = list.length === 0 ? undefined : Object.fromEntries(Headers.toPairs(list))
  const cause = causeOf(failure)
  const details: HttpErrorOptions = {
    detail,
    expose: false,
    headers,
    errors,
    truncated,
    supported,
  }
  const options = cause === undefined ? details : { ...details, cause }
  switch (failure._tag) {
    case 'MalformedRequest':
    case 'MissingContentType':
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
    // the following failures are detected by the connection, before routing
    case 'UriTooLong':
    case 'ExpectationFailed':
    case 'HeaderFieldsTooLarge':
    case 'TransferCodingNotImplemented':
    case 'VersionNotSupported':
      return new HttpError(status, message, options)
  }
}

const failures = new WeakMap<HttpError, RequestFailure>()

/** Creates an error that can be thrown while a body is being read. {@link failureOf} converts the error back to `failure`. */
export const readError = (failure: RequestFailure): HttpError => {
  const error = failureError(failure, '')
  failures.set(error, failure)
  return error
}

/**
 * Converts an error to a failure.
 *
 * Returns the original failure for an error created by {@link readError}, and `undefined` for any other `HttpError`. All other
 * errors result in a 400 failure.
 */
export const failureOf = (error: unknown): RequestFailure | undefined =>
  isHttpError(error) ? failures.get(error) : unreadable

const unreadable: RequestFailure = Failures.ofErrors('InvalidInput', [
  { in: 'body', pointer: '#', detail: 'cannot be read' },
])

/** An encoded response whose body, if any, is text. */
interface Document extends EncodedResponse {
  readonly body: string | undefined
}

type Request = Pick<Exchange, 'method' | 'headers'>

/** Encodes the error response for a failure. `instance` is the URI that identifies this occurrence in the problem document. */
export const encodeFailure = (
  failure: RequestFailure,
  request: Request,
  instance: string,
): Document =>
  document(Problem.ofFailure(failure), failureHeaders(failure, request.method), request, instance)

/** Encodes the response to a request that is rejected before routing, with the headers of the filters at the root. */
export const encodeRejection = (
  failure: RequestFailure,
  request: Request,
  rejectionHeaders: RejectionHeaders,
): Document => {
  const encoded = encodeFailure(failure, request, Problem.newInstanceUri())
  return { ...encoded, headers: [...encoded.headers, ...rejectionHeaders(request.headers)] }
}

/** Returns the response value for an internal error. The response does not reveal any details of the error. */
export const internalErrorResponse = (): ResponseValue =>
  responseOf(Problem.ofFailure({ _tag: 'InternalError' }), Headers.empty)

/**
 * Returns the response value for an `HttpError`: the reply in the error, or a problem if the error has no reply. Throws a
 * `RangeError` if the status code is invalid.
 */
export const httpErrorResponse = (error: HttpError): ResponseValue => {
  const { status, reply } = error
  if (!Status.isStatus(status))
    throw new RangeError(`invalid status code ${status} for ${error.name}`)
  return reply ?? responseOf(problemOf(error), headersOf(error))
}

const problemOf = ({
  status,
  detail,
  errors,
  truncated,
  supported,
  type,
  extensions,
}: HttpError): Problem.Problem => {
  const problem = Problem.ofStatus(status, detail)
  return errors.length === 0 &&
    supported.length === 0 &&
    type === undefined &&
    extensions === undefined
    ? problem
    : {
        ...problem,
        ...(errors.length === 0 ? {} : { errors }),
        ...(truncated ? { truncated } : {}),
        ...(supported.length === 0 ? {} : { supported }),
        ...(type === undefined ? {} : { type }),
        ...(extensions === undefined ? {} : { extensions }),
      }
}

const responseOf = (problem: Problem.Problem, headers: Headers.Headers): ResponseValue => ({
  status: problem.status,
  entity: Problem.branded(problem),
  headers,
})

const headersOf = ({ headers }: HttpError): Headers.Headers => withoutContentType(headers)

/**
 * Returns an encoder for problem documents. If a filter has replaced the problem document, `encodeOther` encodes the new entity.
 */
export const encodeProblem =
  (instance: string, encodeOther: EncodeResponse): EncodeResponse =>
  (result, context) => {
    const { status, entity } = result
    return Problem.isProblem(entity)
      ? document(
          { ...entity, status },
          withoutContentType(result.headers),
          context.exchange,
          instance,
        )
      : encodeOther(result, context)
  }

/** Removes `Content-Type`, because a problem document has its own media type. */
const withoutContentType = (headers: Headers.Headers): Headers.Headers => {
  const sanitized = sanitizeHeaders(headers)
  return Headers.first(sanitized, 'content-type') === undefined
    ? sanitized
    : Headers.without(sanitized, 'content-type')
}

/**
 * Returns the headers of the error response for a failure.
 *
 * Most of these headers list what the server supports: `Allow` (RFC 9110, 10.2.1), `Accept` (RFC 9110, 12.5.1), `Accept-Post`
 * (W3C LDP), `Accept-Patch` (RFC 5789) and `Accept-Query` (RFC 10008).
 */
const failureHeaders = (failure: RequestFailure, method: string): Headers.Headers => {
  switch (failure._tag) {
    case 'MethodNotAllowed':
      return ['Allow', failure.allow.join(', '), ...acceptQuery(failure.queryTypes)]
    case 'UnsupportedMediaType': {
      const types = failure.supported.filter((name) => name.includes('/')).join(', ')
      if (types === '') return []
      return method === 'POST'
        ? ['Accept', types, 'Accept-Post', types]
        : method === 'PATCH'
          ? ['Accept', types, 'Accept-Patch', types]
          : ['Accept', types, ...(method === 'QUERY' ? acceptQuery(failure.supported) : [])]
    }
    case 'MissingContentType':
      return acceptQuery(failure.supported)
    case 'NotAcceptable':
      return ['Vary', 'Accept']
    case 'UnsupportedContentCoding':
      return ['Accept-Encoding', [...(failure.supported ?? []), 'identity'].join(', ')]
    case 'Overloaded':
    case 'BodyMemoryExhausted':
      return ['Retry-After', '1']
    default:
      return []
  }
}

/** Returns the `Accept-Query` header for the media types that QUERY supports. Returns no header if there are none. */
export const acceptQuery = (types: ReadonlyArray<string> = []): Headers.Headers => {
  const value = AcceptQuery.format(
    types.flatMap((type) => O.toUndefined(MediaType.parse(type)) ?? []),
  )
  return value === '' ? [] : ['Accept-Query', value]
}

const document = (
  problem: Problem.Problem,
  additional: Headers.Headers,
  { headers }: Request,
  instance: string,
): Document => {
  const { contentType, write, fixedHeaders } = preferred(Headers.combined(headers, 'accept'))
  return {
    status: problem.status,
    headers: additional.length === 0 ? fixedHeaders : headersWith(contentType, additional),
    body: Status.allowsBody(problem.status) ? write(problem, instance) : undefined,
  }
}

/** Combines `Content-Type`, default headers and additional headers. */
const headersWith = (contentType: string, additional: Headers.Headers): Headers.Headers => [
  'Content-Type',
  contentType,
  ...(Headers.first(additional, 'cache-control') === undefined ? noStore : []),
  ...(Headers.first(additional, 'x-content-type-options') === undefined ? noSniff : []),
  ...additional,
]

const noStore: Headers.Headers = ['Cache-Control', 'no-store']
interface Format {
  readonly contentType: string
  readonly write: (problem: Problem.Problem, instance: string) => string
  /** The response headers for a failure without additional headers. */
  readonly fixedHeaders: Headers.Headers
}

const format = (contentType: string, write: Format['write']): Format => ({
  contentType,
  write,
  fixedHeaders: Object.freeze(headersWith(contentType, [])),
})

const json = format('application/problem+json', Problem.toJson)
const formats: ReadonlyArray<Format & { readonly offer: string }> = [
  { ...json, offer: 'application/problem+json' },
  { ...json, offer: 'application/json' },
  { ...format('text/html;charset=UTF-8', Problem.toHtml), offer: 'text/html' },
  { ...format('text/plain;charset=UTF-8', Problem.toText), offer: 'text/plain' },
]
const offers: ReadonlyArray<Accept.Offer> = formats.flatMap(({ offer }) => {
  const mediaType = MediaType.parse(offer)
  return O.isSome(mediaType) ? [{ mediaType: mediaType.value, quality: Quality.mostPreferred }] : []
})

/**
 * Returns the format that the client prefers. Falls back to JSON if the `Accept` header is missing, is malformed or does not
 * allow any of the formats.
 */
const preferred = Headers.memoizeHeader((header): Format => {
  const accept = header === undefined ? O.none : Accept.parse(header)
  const index = O.isNone(accept) ? O.none : Accept.choose(accept.value, offers)
  return (O.isNone(index) ? undefined : formats[index.value]) ?? json
})
