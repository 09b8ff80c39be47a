/** Puts refusals into bytes: a problem document, in the form that the client can read, and the fields that its status asks for. */
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

/** An answer whose content is a text. */
interface Document extends EncodedResponse {
  readonly body: string | undefined
}

type Request = Pick<Exchange, 'method' | 'headers'>

/** The answer to a request that is refused. `instance` is the URI of the request's problem. */
export const encodeFailure = (
  failure: RequestFailure,
  request: Request,
  instance: string,
): Document =>
  document(Problem.ofFailure(failure), failureHeaders(failure, request.method), request, instance)

/** What response filters see of a defect: nothing of it. */
export const internalErrorResponse = (): ResponseValue =>
  outcomeOf(Problem.ofFailure({ _tag: 'InternalError' }), Headers.empty)

/** An error as response filters see it: its entity is the problem. Throws for one whose status HTTP does not have. */
export const httpErrorResponse = (error: HttpError): ResponseValue => {
  const { status, reply } = error
  if (!Status.isStatus(status)) throw new RangeError(`${error.name} has the status ${status}`)
  return reply ?? outcomeOf(problemOf(error), beside(error))
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

const outcomeOf = (problem: Problem.Problem, headers: Headers.Headers): ResponseValue => ({
  status: problem.status,
  entity: Problem.branded(problem),
  headers,
})

/** The fields of an error that can stand beside its document. */
const beside = ({ headers }: HttpError): Headers.Headers => untyped(headers)

/** Writes problems, in the form that the client can read; what filters have put in their place is written as `otherwise` says. */
export const encodeProblem =
  (instance: string, otherwise: EncodeResponse): EncodeResponse =>
  (result, asking) => {
    const { status, entity } = result
    return Problem.isProblem(entity)
      ? document({ ...entity, status }, untyped(result.headers), asking.exchange, instance)
      : otherwise(result, asking)
  }

/** The document has a type of its own. */
const untyped = (headers: Headers.Headers): Headers.Headers => {
  const sent = sanitizeHeaders(headers)
  return Headers.first(sent, 'content-type') === undefined
    ? sent
    : Headers.without(sent, 'content-type')
}

/** Fields that say what would have been accepted (RFC 9110, 10.2.1, 12.5.1; Accept-Post: W3C LDP; Accept-Patch: RFC 5789). */
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
    headers: more.length === 0 ? alone : besides(contentType, more),
    body: Status.allowsBody(problem.status) ? write(problem, instance) : undefined,
  }
}

/** `nosniff` keeps a browser from guessing another type than the declared one. */
const besides = (contentType: string, more: Headers.Headers): Headers.Headers => [
  'Content-Type',
  contentType,
  ...(Headers.first(more, 'cache-control') === undefined ? noStore : []),
  ...(Headers.first(more, 'x-content-type-options') === undefined ? noSniff : []),
  ...more,
]

const noStore: Headers.Headers = ['Cache-Control', 'no-store']
const noSniff: Headers.Headers = ['X-Content-Type-Options', 'nosniff']

interface Form {
  readonly contentType: string
  readonly write: (problem: Problem.Problem, instance: string) => string
  /** The fields of a document that needs no others. */
  readonly alone: Headers.Headers
}

const form = (contentType: string, write: Form['write']): Form => ({
  contentType,
  write,
  alone: Object.freeze(besides(contentType, [])),
})

const json = form('application/problem+json', ProblemDocument.toJson)
const forms: ReadonlyArray<Form & { readonly offer: string }> = [
  { ...json, offer: 'application/problem+json' },
  { ...json, offer: 'application/json' },
  { ...form('text/html;charset=UTF-8', ProblemDocument.toHtml), offer: 'text/html' },
  { ...form('text/plain;charset=UTF-8', ProblemDocument.toText), offer: 'text/plain' },
]
const offers: ReadonlyArray<Accept.Offer> = forms.flatMap(({ offer }) => {
  const mediaType = MediaType.parse(offer)
  return O.isSome(mediaType) ? [{ mediaType: mediaType.value, quality: Quality.mostPreferred }] : []
})

/** A problem document is sent whatever `Accept` says; it only chooses the form. */
const preferred = memoizeHeader((header): Form => {
  const accept = header === undefined ? O.none : Accept.parse(header)
  const index = O.isNone(accept) ? O.none : Accept.choose(accept.value, offers)
  return (O.isNone(index) ? undefined : forms[index.value]) ?? json
})
