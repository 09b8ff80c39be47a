/** Puts refusals into octets: a problem document, in the form that the client can read, and the fields that its status asks for. */
import * as O from 'fp-ts/lib/Option.js'
import type { AnyReply } from '../endpoint/reply.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import * as Accept from '../http/accept.ts'
import type { Failure } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import * as MediaType from '../http/media-type.ts'
import * as Problem from '../http/problem.ts'
import * as Quality from '../http/quality.ts'
import * as Status from '../http/status.ts'
import type { Answer, Exchange } from './exchange.ts'
import { remember } from './remember.ts'
import { owned } from './respond.ts'

type Request = Pick<Exchange, 'method' | 'headers'>

/** The answer to a request that is refused. `id` identifies the request. */
export const refuse = (failure: Failure, request: Request, id: string): Answer =>
  document(Problem.ofFailure(failure), fields(failure, request.method), request, id)

/** The answer to a request whose handler threw or returned an error with a status. Throws when it cannot be sent. */
export const answerError = (error: HttpError, request: Request, id: string): Answer => {
  const { status, detail, reply } = error
  if (!Status.isStatus(status)) throw new RangeError(`${error.name} has the status ${status}`)
  return reply === undefined
    ? document(Problem.ofStatus(status, detail), beside(error), request, id)
    : { status, headers: typed(reply), content: contentOf(reply) }
}

/** The fields of an error that can stand beside its document, which has a type of its own. */
const beside = ({ headers }: HttpError): Headers.Headers =>
  Headers.without(owned(headers), 'content-type')

/** Fields that say what would have been accepted (RFC 9110, 10.2.1, 12.5.1; Accept-Post: W3C LDP; Accept-Patch: RFC 5789). */
const fields = (failure: Failure, method: string): Headers.Headers => {
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
      return ['Accept-Encoding', 'identity']
    default:
      return []
  }
}

const document = (
  problem: Problem.Problem,
  more: Headers.Headers,
  { headers }: Request,
  id: string,
): Answer => {
  const { contentType, write, alone } = preferred(Headers.combined(headers, 'accept'))
  return {
    status: problem.status,
    headers: more.length === 0 ? alone : besides(contentType, more),
    content: Status.hasContent(problem.status) ? write(problem, id) : undefined,
  }
}

const besides = (contentType: string, more: Headers.Headers): Headers.Headers =>
  Headers.first(more, 'cache-control') === undefined
    ? ['Content-Type', contentType, 'Cache-Control', 'no-store', ...more]
    : ['Content-Type', contentType, ...more]

interface Form {
  readonly contentType: string
  readonly write: (problem: Problem.Problem, id: string) => string
  /** The fields of a document that needs no others. */
  readonly alone: Headers.Headers
}

const form = (contentType: string, write: Form['write']): Form => ({
  contentType,
  write,
  alone: Object.freeze(besides(contentType, [])),
})

const json = form('application/problem+json', Problem.toJson)
const forms: ReadonlyArray<Form & { readonly offer: string }> = [
  { ...json, offer: 'application/problem+json' },
  { ...json, offer: 'application/json' },
  { ...form('text/html;charset=UTF-8', Problem.toHtml), offer: 'text/html' },
  { ...form('text/plain;charset=UTF-8', Problem.toText), offer: 'text/plain' },
]
const offers: ReadonlyArray<Accept.Offer> = forms.flatMap(({ offer }) => {
  const mediaType = MediaType.parse(offer)
  return O.isSome(mediaType) ? [{ mediaType: mediaType.value, quality: Quality.mostPreferred }] : []
})

/** A problem document is sent whatever `Accept` says; it only chooses the form. */
const preferred = remember((header): Form => {
  const accept = header === undefined ? O.none : Accept.parse(header)
  const index = O.isNone(accept) ? O.none : Accept.choose(accept.value, offers)
  return (O.isNone(index) ? undefined : forms[index.value]) ?? json
})

/** The fields of a reply that comes with its own entity, of which no endpoint says how it is written. */
const typed = (reply: AnyReply): Headers.Headers => {
  const headers = owned(reply.headers)
  if (reply.entity === undefined || Headers.first(headers, 'content-type') !== undefined)
    return headers
  const type =
    typeof reply.entity === 'string'
      ? 'text/plain;charset=UTF-8'
      : reply.entity instanceof Uint8Array
        ? 'application/octet-stream'
        : 'application/json'
  return ['Content-Type', type, ...headers]
}

const contentOf = ({ status, entity }: AnyReply): string | Uint8Array | undefined => {
  if (entity === undefined || !Status.hasContent(status)) return undefined
  return typeof entity === 'string' || entity instanceof Uint8Array
    ? entity
    : JSON.stringify(entity)
}
