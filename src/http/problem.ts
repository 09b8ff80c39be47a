/**
 * Problem documents: what a client is told when it is refused. They say what to do differently; they never repeat a value
 * that was refused and never show anything of the program.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
import type { RequestFailure, ValidationError } from './failure.ts'
import * as Failures from './failure.ts'
import { quote } from './json-string.ts'
import * as Status from './status.ts'

/** What a document says, whenever the problem occurs; its forms name the occurrence. */
export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** What is wrong with each input, and where. */
  readonly errors?: ReadonlyArray<ValidationError>
  /** Whether there were more errors than are listed. */
  readonly truncated?: true
  /** What would have been accepted: media types or methods. */
  readonly supported?: ReadonlyArray<string>
}

const mark = Symbol.for('espalier.Problem')

/** A problem as an entity: it is known again, also when it was copied with something changed. */
export const branded = (problem: Problem): Problem => Object.freeze({ ...problem, [mark]: true })

export const isProblem = (entity: unknown): entity is Problem =>
  typeof entity === 'object' && entity !== null && mark in entity

/** The problem of a status without anything to add. */
export const ofStatus = (status: number, detail?: string): Problem =>
  detail === undefined
    ? { title: Status.title(status), status }
    : { title: Status.title(status), status, detail }

/** The problem that tells of a failure. */
export const ofFailure = (failure: RequestFailure): Problem => {
  const status = Failures.status(failure)
  switch (failure._tag) {
    case 'MalformedRequest':
    case 'ContentTooLarge':
      return ofStatus(status, failure.detail)
    case 'InvalidInput':
      return listing(
        status,
        'The request does not have the inputs that this operation takes.',
        failure,
      )
    case 'NotFound':
      return failure.errors.length === 0
        ? constant.NotFound
        : listing(
            status,
            'The path names nothing: a part of it is not of the form expected.',
            failure,
          )
    case 'MethodNotAllowed':
      return supporting(status, 'The resource does not have this method.', failure.allow)
    case 'NotAcceptable':
      return supporting(
        status,
        'None of the media types in Accept is available.',
        failure.available,
      )
    case 'UnsupportedMediaType':
      return supporting(status, failure.detail, failure.supported)
    case 'UnsupportedContentCoding':
    case 'UriTooLong':
    case 'ExpectationFailed':
    case 'MisdirectedRequest':
    case 'HeaderFieldsTooLarge':
    case 'RequestTimeout':
    case 'InternalError':
    case 'MethodNotImplemented':
    case 'TransferCodingNotImplemented':
    case 'ServiceUnavailable':
    case 'HandlerTimeout':
    case 'Overloaded':
    case 'BodyMemoryExhausted':
    case 'VersionNotSupported':
      return constant[failure._tag]
  }
}

/** The problems of failures that say the same of every request; `toJson` has them prepared. */
const constant = {
  NotFound: ofStatus(404),
  RequestTimeout: ofStatus(408),
  UriTooLong: ofStatus(414),
  UnsupportedContentCoding: ofStatus(
    415,
    'The content is coded; send it without a Content-Encoding.',
  ),
  ExpectationFailed: ofStatus(417),
  MisdirectedRequest: ofStatus(421, 'The server does not respond for this host.'),
  HeaderFieldsTooLarge: ofStatus(431),
  InternalError: ofStatus(500),
  MethodNotImplemented: ofStatus(501, 'The server does not support this request method.'),
  TransferCodingNotImplemented: ofStatus(501),
  ServiceUnavailable: ofStatus(503),
  HandlerTimeout: ofStatus(503, 'The answer takes longer than it may.'),
  Overloaded: ofStatus(503, 'The server has more to do than it can. Try again later.'),
  BodyMemoryExhausted: ofStatus(
    503,
    'Too many bodies in memory (fw.http.limits.max-buffered-size). Try again later.',
  ),
  VersionNotSupported: ofStatus(505),
} satisfies Readonly<Partial<Record<RequestFailure['_tag'], Problem>>>

// Written out: to spread a problem and add a member takes 0.6 µs on Node 20, as long as to write the document.

const listing = (
  status: number,
  detail: string,
  { errors, more }: { readonly errors: ReadonlyArray<ValidationError>; readonly more: boolean },
): Problem =>
  more
    ? { title: Status.title(status), status, detail, errors: errors, truncated: true }
    : { title: Status.title(status), status, detail, errors: errors }

const supporting = (status: number, detail: string, supported: ReadonlyArray<string>): Problem => ({
  title: Status.title(status),
  status,
  detail,
  supported,
})

/**
 * The URI of an occurrence. A UUID has a namespace of its own (RFC 9562, 4). No registered scheme names any other id, so it is
 * a fragment: together with the URI of the request it is absolute, and as a reference it is valid by itself (RFC 3986, 4.4).
 */
export const instanceUri = (id: string): string =>
  uuid.test(id) ? `urn:uuid:${id}` : `#${encodeURIComponent(id.toWellFormed())}`

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The URI of an occurrence that has no id yet. What is known to be a UUID is not looked at: that would take as long as a whole 404. */
export const newInstanceUri = (id: string = crypto.randomUUID()): string => `urn:uuid:${id}`

/**
 * `application/problem+json`. The type is `about:blank`, which means that the status says what kind of problem it is.
 * `instance` is the URI of the occurrence; it is written as it is.
 */
export const toJson = (problem: Problem, instance: string): string =>
  `${prepared.get(problem) ?? statements(problem)},"instance":"${instance}"}`

/** The document but for its end, which differs from one occurrence to the next. */
const statements = (problem: Problem): string => {
  const { title, status, detail, errors, truncated, supported } = problem
  const sole = errors?.length === 1 ? errors[0] : undefined
  const before = sole === undefined ? undefined : kept.get(sole)
  if (before === undefined || truncated !== undefined || supported !== undefined)
    return composed(problem)
  if (before.status !== status || before.title !== title || before.detail !== detail) {
    before.status = status
    before.title = title
    before.detail = detail
    before.text = flat(composed(problem))
  }
  return before.text
}

/** What was written of a problem that has one fault and nothing else. */
interface Kept {
  status: number
  title: string
  detail: string | undefined
  text: string
}

const kept = new WeakMap<ValidationError, Kept>()

/** The same fault, which will be told again and again, so its document is kept; nobody can change it any more. */
export const withCachedDocument = (fault: ValidationError): ValidationError => {
  kept.set(fault, { status: 0, title: '', detail: undefined, text: '' })
  return Object.freeze(fault)
}

const composed = ({ title, status, detail, errors, truncated, supported }: Problem): string =>
  `{"type":"about:blank","title":${quote(title)},"status":${status}` +
  (detail === undefined ? '' : `,"detail":${quote(detail)}`) +
  (errors === undefined ? '' : `,"errors":[${list(errors, ofFault)}]`) +
  (truncated === undefined ? '' : `,"truncated":${truncated}`) +
  (supported === undefined ? '' : `,"supported":[${list(supported, quote)}]`)

const list = <A>(items: ReadonlyArray<A>, write: (item: A) => string): string =>
  items.reduce((text, item) => (text === '' ? write(item) : `${text},${write(item)}`), '')

const ofFault = ({ in: group, name, pointer, detail }: ValidationError): string =>
  `{"in":"${group}"` +
  (name === undefined ? '' : `,"name":${quote(name)}`) +
  (pointer === undefined ? '' : `,"pointer":${quote(pointer)}`) +
  `,"detail":${quote(detail)}}`

/** A text as one piece: of one that was put together, every use would put the pieces together again. */
const flat = (text: string): string => text.split('').join('')

const prepared: ReadonlyMap<Problem, string> = new Map(
  Object.values(constant).map((problem) => [problem, flat(composed(problem))]),
)

/** `text/plain`, a line for each statement. */
export const toText = (problem: Problem, instance: string): string =>
  `${lines(problem, instance).join('\n')}\n`

/** `text/html`, for a person with a browser. */
export const toHtml = (problem: Problem, instance: string): string => {
  const [heading = '', ...rest] = lines(problem, instance).map(escape)
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${heading}</title></head>`,
    `<body><h1>${heading}</h1>${rest.map((line) => `<p>${line}</p>`).join('')}</body></html>\n`,
  ].join('\n')
}

const lines = (
  { status, title, detail, errors = [], truncated, supported = [] }: Problem,
  instance: string,
): ReadonlyArray<string> => [
  `${status} ${title}`,
  ...(detail === undefined ? [] : [detail]),
  ...errors.map((fault) => `${fault.in} ${fault.name ?? fault.pointer ?? ''}: ${fault.detail}`),
  ...(truncated ? ['There are more errors.'] : []),
  ...(supported.length === 0 ? [] : [`Available: ${supported.join(', ')}`]),
  instance,
]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
