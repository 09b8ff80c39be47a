/** Encodes failures as problem documents (RFC 9457), in the format that `Accept` prefers, with the headers of their status. */
import * as O from 'fp-ts/lib/Option.js'
import type { HttpError } from '../../endpoint/http-error.ts'
import * as Accept from '../../http/accept.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Problem from '../../http/problem.ts'
import * as ProblemDocument from '../../http/problem-document.ts'
import * as Quality from '../../http/quality.ts'
import * as Status from '../../http/status.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { sanitizeHeaders } from '../response/response-headers.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type { ResponseValue, EncodeResponse } from '../response/encode-response.ts'

/** A response with a text body. */
interface Document extends EncodedResponse {
  readonly body: string | undefined
}

type Request = Pick<Exchange, 'method' | 'headers'>

/** Encodes the response to a failure. `instance` is the URI of the problem document. */
export const encodeFailure = (
  failure: RequestFailure,
  request: Request,
  instance: string,
): Document =>
  document(Problem.ofFailure(failure), failureHeaders(failure, request.method), request, instance)

/** The response value of an internal error. It contains no details. */
export const internalErrorResponse = (): ResponseValue =>
  responseOf(Problem.ofFailure({ _tag: 'InternalError' }), Headers.empty)

/** The response value of an `HttpError`: its entity is the problem. Throws a `RangeError` for an invalid status. */
export const httpErrorResponse = (error: HttpError): ResponseValue => {
  const { status, reply } = error
  if (!Status.isStatus(status))
    throw new RangeError(`invalid status code ${status} of ${error.name}`)
  return reply ?? responseOf(problemOf(error), headersOf(error))
}

const problemOf = ({
  status,
  detail,
  faults: errors,
  truncated,
  supported,
}: HttpError): Problem.Problem => {
  const problem = Problem.ofStatus(status, detail)
  return errors.length === 0 && supported.length === 0
    ? problem
    : {
        ...problem,
        ...(errors.length === 0 ? {} : { errors }),
        ...(truncated ? { truncated } : {}),
        ...(supported.length === 0 ? {} : { supported }),
      }
}

const responseOf = (problem: Problem.Problem, headers: Headers.Headers): ResponseValue => ({
  status: problem.status,
  entity: Problem.branded(problem),
  headers,
})

const headersOf = ({ headers }: HttpError): Headers.Headers => withoutContentType(headers)

/** Returns an encoder for problems. Entities by which filters have replaced the problem are encoded by `encodeOther`. */
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

/** Removes `Content-Type`: the problem document has its own. */
const withoutContentType = (headers: Headers.Headers): Headers.Headers => {
  const sent = sanitizeHeaders(headers)
  return Headers.first(sent, 'content-type') === undefined
    ? sent
    : Headers.without(sent, 'content-type')
}

/** The headers of a failure that describe what is supported (RFC 9110, 10.2.1, 12.5.1; Accept-Post: W3C LDP; Accept-Patch: RFC 5789). */
export const failureHeaders = (failure: RequestFailure, method: string): Headers.Headers => {
  switch (failure._tag) {
    case 'MethodNotAllowed':
      return ['Allow', failure.allow.join(', ')]
    case 'UnsupportedMediaType': {
      const types = failure.supported.filter((one) => one.includes('/')).join(', ')
      if (types === '') return []
      return method === 'POST'
        ? ['Accept', types, 'Accept-Post', types]
        : method === 'PATCH'
          ? ['Accept', types, 'Accept-Patch', types]
          : ['Accept', types]
    }
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

const document = (
  problem: Problem.Problem,
  more: Headers.Headers,
  { headers }: Request,
  instance: string,
): Document => {
  const { contentType, write, alone } = preferred(Headers.combined(headers, 'accept'))
  return {
    status: problem.status,
    headers: more.length === 0 ? alone : headersWith(contentType, more),
    body: Status.allowsBody(problem.status) ? write(problem, instance) : undefined,
  }
}

/** `nosniff` prevents browsers from guessing another media type. */
const headersWith = (contentType: string, more: Headers.Headers): Headers.Headers => [
  'Content-Type',
  contentType,
  ...(Headers.first(more, 'cache-control') === undefined ? noStore : []),
  ...(Headers.first(more, 'x-content-type-options') === undefined ? noSniff : []),
  ...more,
]

const noStore: Headers.Headers = ['Cache-Control', 'no-store']
const noSniff: Headers.Headers = ['X-Content-Type-Options', 'nosniff']

interface Format {
  readonly contentType: string
  readonly write: (problem: Problem.Problem, instance: string) => string
  /** The headers of a document without additional ones. */
  readonly alone: Headers.Headers
}

const format = (contentType: string, write: Format['write']): Format => ({
  contentType,
  write,
  alone: Object.freeze(headersWith(contentType, [])),
})

const json = format('application/problem+json', ProblemDocument.toJson)
const formats: ReadonlyArray<Format & { readonly offer: string }> = [
  { ...json, offer: 'application/problem+json' },
  { ...json, offer: 'application/json' },
  { ...format('text/html;charset=UTF-8', ProblemDocument.toHtml), offer: 'text/html' },
  { ...format('text/plain;charset=UTF-8', ProblemDocument.toText), offer: 'text/plain' },
]
const offers: ReadonlyArray<Accept.Offer> = formats.flatMap(({ offer }) => {
  const mediaType = MediaType.parse(offer)
  return O.isSome(mediaType) ? [{ mediaType: mediaType.value, quality: Quality.mostPreferred }] : []
})

/** Returns the preferred format. `Accept` never rejects a problem document: the default is JSON. */
const preferred = memoizeHeader((header): Format => {
  const accept = header === undefined ? O.none : Accept.parse(header)
  const index = O.isNone(accept) ? O.none : Accept.choose(accept.value, offers)
  return (O.isNone(index) ? undefined : formats[index.value]) ?? json
})
