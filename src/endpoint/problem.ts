/**
 * The representation of problem documents, for declared failures.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import * as t from 'io-ts'
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { ValidationError } from '../http/failure.ts'
import type { DeclaredResponse } from './endpoint.ts'
import type { Representation } from './representation.ts'
import type { ValueOf } from './definition/slot-types.ts'
import { makeRepresentation, toCodec } from './representation.ts'

/**
 * A problem document. All members are optional. The server adds `type`, `status` and `instance`, and a `title` unless the
 * document has its own `type`.
 */
export interface ProblemDocument {
  /** URI that identifies the kind of problem. Default: `about:blank`, which means that the status identifies it. */
  readonly type?: string | undefined
  /** Short description of the kind of problem. Default: the reason phrase of the status, if `type` is `about:blank`. */
  readonly title?: string | undefined
  /** Status of the response. The server always sends the actual status. */
  readonly status?: number | undefined
  /** Description of this occurrence of the problem. */
  readonly detail?: string | undefined
  /** Validation errors in the request. */
  readonly errors?: ReadonlyArray<ValidationError> | undefined
  /** Whether the request has more errors than `errors` contains. */
  readonly truncated?: boolean | undefined
  /** The media types or methods that the resource supports. */
  readonly supported?: ReadonlyArray<string> | undefined
  /** URI that identifies this occurrence of the problem. Default: `urn:uuid:` and the request id. */
  readonly instance?: string | undefined
}

const ListedError = t.intersection([
  t.type({
    in: t.keyof({
      path: null,
      query: null,
      header: null,
      cookie: null,
      matrix: null,
      form: null,
      body: null,
    }),
    detail: t.string,
  }),
  t.partial({ name: t.string, pointer: t.string }),
])

/** The codecs of the members that the framework uses. */
export const problemMembers = {
  type: t.string,
  title: t.string,
  status: t.number,
  detail: t.string,
  errors: t.readonlyArray(ListedError),
  truncated: t.boolean,
  supported: t.readonlyArray(t.string),
  instance: t.string,
}

const Document = t.partial(problemMembers, 'ProblemDocument')

const mediaType = 'application/problem+json'

/**
 * Representation of `application/problem+json` as a problem document (RFC 9457).
 *
 * The server sends failures such as 401 and validation errors as problem documents, whether they are declared or not. If
 * they are declared with `fails(400, problem)`, typed clients receive `detail` and `errors` as typed values. A handler can also
 * return a problem document. The server then adds the same members as to its own documents: `type`, `title`, `status` and
 * `instance`. A document with its own `type` gets no `title`, because the title describes the type. The response has the
 * headers `X-Content-Type-Options: nosniff` and `Cache-Control: no-store`, unless the reply sets another value.
 *
 * When a document is received, members of the wrong type are omitted (RFC 9457, 3.1), as are extension members. To declare
 * extension members, use {@link problemWith}.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { Conflict, fails, get, handle, int, path, problem, produces, reply, routes, text } from 'espalier'
 * import { client, isClientError } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const getSeat = pipe(
 *   path('/seats/{row}', { row: int }),
 *   get(),
 *   produces(text),
 *   fails(404, problem),
 *   fails(409, problem),
 *   handle(({ path: { row } }) => {
 *     if (row === 13) throw new Conflict('Row 13 is reserved.')
 *     return row < 40 ? 'free' : reply(404, { detail: 'There are 39 rows.' })
 *   }),
 * )
 * const api = routes({ getSeat })
 * const seats = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
 * const detailOf = async (row: number) => {
 *   const result = await seats.getSeat({ path: { row } })()
 *   return E.isLeft(result) && !isClientError(result.left) ? result.left.body.detail : undefined
 * }
 *
 * assert.equal(await detailOf(40), 'There are 39 rows.')
 * assert.equal(await detailOf(13), 'Row 13 is reserved.')
 * ```
 */
export const problem: Representation<ProblemDocument, typeof mediaType> = makeRepresentation(
  mediaType,
  { _tag: 'Problem', codec: toCodec(Document) },
)

/**
 * Creates a representation like {@link problem} for documents with extension members (RFC 9457, 3.2). The codec of an object
 * describes these members. It can also restrict the members of {@link ProblemDocument}, for example, `type`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { fails, handle, int, path, post, problemWith, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const OutOfCredit = t.type({ type: t.literal('https://bank.example/out-of-credit'), balance: int })
 * const pay = pipe(
 *   path('/payments'),
 *   post(),
 *   fails(403, problemWith(OutOfCredit)),
 *   handle(() => E.left({ type: 'https://bank.example/out-of-credit', balance: 30 })),
 * )
 * const response = await inMemory(routes({ pay }))('http://localhost/payments', { method: 'POST' })
 * const { instance, ...document } = JSON.parse(await response.text())
 *
 * assert.deepEqual(document, {
 *   type: 'https://bank.example/out-of-credit',
 *   status: 403,
 *   balance: 30,
 * })
 * ```
 */
export const problemWith = <C extends AnyCodec | AnySchema>(
  extension: C,
): Representation<ProblemDocument & ValueOf<C>, typeof mediaType> =>
  makeRepresentation(mediaType, {
    _tag: 'Problem',
    codec: t.intersection([Document, toCodec(extension)]),
  })

/** The problem document of a request that exceeds a rate limit (draft-ietf-httpapi-ratelimit-headers-10, 5). */
export interface QuotaExceeded extends ProblemDocument {
  /** The names of the limits. */
  readonly 'violated-policies'?: ReadonlyArray<string> | undefined
}

/** The type of the problem in {@link QuotaExceeded} documents. */
export const quotaExceededType = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

/** The response to a request that exceeds a rate limit, as declared for clients and mock servers. */
export const quotaExceeded: DeclaredResponse = Object.freeze({
  status: 429,
  failure: true,
  representations: Object.freeze([
    problemWith(t.partial({ 'violated-policies': t.readonlyArray(t.string) })),
  ]),
})

/** Omits members of the wrong type (RFC 9457, 3.1). Validation errors of an unknown form are omitted individually. */
export const omitInvalidMembers = (parsed: unknown): unknown => {
  if (!t.UnknownRecord.is(parsed)) return parsed
  const { errors } = parsed
  const document = Array.isArray(errors) ? { ...parsed, errors: errors.filter(isError) } : parsed
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => isValid(name, value)),
  )
}

const isError = (value: unknown): boolean => problemMembers.errors.type.is(value)

const members: ReadonlyMap<string, Codec> = new Map(Object.entries(problemMembers))

const isValid = (name: string, value: unknown): boolean => members.get(name)?.is(value) ?? true
