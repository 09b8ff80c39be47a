/**
 * Replies: responses as values, before they are encoded. Handlers return one to set a status or headers; unit tests
 * compare them.
 */
import * as Cookie from '../http/cookie.ts'
import * as Headers from '../http/headers.ts'
import * as UriReference from '../http/uri-reference.ts'

/** A response with its status in the type, so that handlers can only return declared responses. */
export interface Reply<St extends number, A> {
  readonly _tag: 'Reply'
  readonly status: St
  readonly entity: A
  /** Alternating names and values, in the order in which they are sent. */
  readonly headers: Headers.Headers
}

/** A reply without its types. */
export interface AnyReply extends Reply<number, unknown> {}

/**
 * Creates a reply. Its status must be declared by the endpoint. Without an entity it has no body.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { reply } from 'espalier'
 *
 * const { status, entity, headers } = reply(202, { job: 7 })
 *
 * assert.deepEqual([status, entity, headers], [202, { job: 7 }, []])
 * assert.equal(reply(204).entity, undefined)
 * ```
 */
export function reply<St extends number>(status: St): Reply<St, void>
export function reply<St extends number, A>(status: St, entity: A): Reply<St, A>
export function reply(status: number, entity?: unknown): AnyReply {
  return Object.freeze({ _tag: 'Reply', status, entity, headers: Headers.empty, [mark]: true })
}

/** A symbol, so that client data in JSON can never pass for a reply. */
const mark = Symbol.for('espalier.Reply')

/** Creates a reply for internal use. It is not frozen, because freezing costs more than the rest of its handling. */
export const transientReply = (
  status: number,
  entity: unknown,
  headers: Headers.Headers,
): AnyReply => {
  const made = { _tag: 'Reply', status, entity, headers, [mark]: true } as const
  return made
}

/** Whether a value is a reply, of this or another copy of the package. */
export const isReply = (value: unknown): value is AnyReply =>
  typeof value === 'object' && value !== null && mark in value

/**
 * Creates replies of one status. Overloads instead of an optional parameter keep TypeScript from inferring `A` from
 * other results of the handler.
 */
export interface ReplyWith<St extends number> {
  (): Reply<St, void>
  <A>(entity: A): Reply<St, A>
}

const replyFactory = <St extends number>(code: St): ReplyWith<St> => {
  function made(): Reply<St, void>
  function made<A>(entity: A): Reply<St, A>
  function made(entity?: unknown): Reply<St, unknown> {
    return reply(code, entity)
  }
  return made
}

const replyWithLocation = <St extends number, A>(
  code: St,
  location: string,
  entity: A,
): Reply<St, A> => withHeader('Location', UriReference.escape(location))(reply(code, entity))

/**
 * Creates a 200 reply. Needed only to add headers, or if the entity is an `Either`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { etag, ok, reply } from 'espalier'
 *
 * assert.deepEqual(ok('a'), reply(200, 'a'))
 * assert.deepEqual(pipe(ok('a'), etag('v1')).headers, ['ETag', '"v1"'])
 * ```
 */
export const ok = <A>(entity: A): Reply<200, A> => reply(200, entity)

/**
 * Creates a 201 reply with `Location` (RFC 9110, 15.3.2).
 *
 * The location may be relative. Characters that are invalid in a URI are percent-encoded. Use `uri` to insert values,
 * because it also encodes slashes.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { created, uri } from 'espalier'
 *
 * const tag = 'ä/b'
 *
 * assert.deepEqual(created(`/tags/${tag}`).headers, ['Location', '/tags/%C3%A4/b'])
 * assert.deepEqual(created(uri`/tags/${tag}`).headers, ['Location', '/tags/%C3%A4%2Fb'])
 * ```
 */
export function created(location: string): Reply<201, void>
export function created<A>(location: string, entity: A): Reply<201, A>
export function created(location: string, entity?: unknown): Reply<201, unknown> {
  return replyWithLocation(201, location, entity)
}

/**
 * Creates a 202 reply: the request is processed after the response.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { accepted, noContent, reply } from 'espalier'
 *
 * assert.deepEqual(accepted({ job: 7 }), reply(202, { job: 7 }))
 * assert.deepEqual(accepted(), reply(202))
 * assert.deepEqual(noContent, reply(204)) // a value: there is nothing to give it
 * ```
 */
export const accepted: ReplyWith<202> = replyFactory(202)

/** A 204 reply. */
export const noContent: Reply<204, void> = reply(204)

/** A 304 reply. See `evaluatePreconditions`. */
export const notModified: Reply<304, void> = reply(304)

/**
 * Creates a 303 reply: the client fetches `location` with GET. Characters that are invalid in a URI are
 * percent-encoded.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { permanentRedirect, seeOther, temporaryRedirect } from 'espalier'
 *
 * assert.deepEqual(seeOther('/a b').headers, ['Location', '/a%20b'])
 * assert.equal(seeOther('/a b').status, 303)
 * assert.equal(temporaryRedirect('/a b').status, 307)
 * assert.equal(permanentRedirect('/a b').status, 308)
 * ```
 */
export const seeOther = (location: string): Reply<303, void> =>
  replyWithLocation(303, location, undefined)

/** Creates a 307 reply: the client repeats the request at `location`. */
export const temporaryRedirect = (location: string): Reply<307, void> =>
  replyWithLocation(307, location, undefined)

/** Creates a 308 reply: the client repeats the request at `location`, now and in the future. */
export const permanentRedirect = (location: string): Reply<308, void> =>
  replyWithLocation(308, location, undefined)

/** Creates a 404 reply, which must be declared with `fails(404)`. Use `NotFound` to throw an undeclared one. */
export const notFound: ReplyWith<404> = replyFactory(404)

/**
 * Creates a 406 reply, which must be declared. The framework itself rejects requests whose `Accept` matches no
 * representation.
 */
export const notAcceptable: ReplyWith<406> = replyFactory(406)

/** Creates a 500 reply, which must be declared. A handler that throws results in 500 without a declaration. */
export const serverError: ReplyWith<500> = replyFactory(500)

/** A function that changes a reply and keeps its type. */
export type Modify = <St extends number, A>(answer: Reply<St, A>) => Reply<St, A>

/**
 * Adds a header to a reply.
 *
 * Adding a name twice sends the header twice; of a singleton header such as `Content-Type` or `Location` only the last
 * one is sent (RFC 9110, 5.3). Throws a `TypeError` for a name that is not a token, and for a value with control
 * characters or characters outside Latin-1.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { noContent, withHeader } from 'espalier'
 *
 * const tagged = pipe(noContent, withHeader('X-Tag', 'a'), withHeader('X-Tag', 'b'))
 *
 * assert.deepEqual(tagged.headers, ['X-Tag', 'a', 'X-Tag', 'b'])
 * assert.deepEqual(noContent.headers, [])
 * assert.throws(() => withHeader('X-Tag', 'a\r\nb')(noContent), TypeError)
 * ```
 */
export const withHeader = (name: string, value: string): Modify => {
  const field = Headers.append(Headers.empty, name, value)
  return (answer) =>
    replaceHeaders(
      answer,
      answer.headers.length === 0 ? field : Object.freeze([...answer.headers, ...field]),
    )
}

/**
 * Copies a reply with other headers. Written out, because a spread takes several times as long and filters do this for
 * each response.
 */
const replaceHeaders = <St extends number, A>(
  { status, entity }: Reply<St, A>,
  headers: Headers.Headers,
): Reply<St, A> => {
  const made = { _tag: 'Reply', status, entity, headers, [mark]: true } as const
  return Object.freeze(made)
}

/**
 * Removes all headers with this name, case-insensitively. Combine it with {@link withHeader} to replace a header.
 *
 * Headers that the framework adds later (`Date`, `Content-Length`, the negotiated `Content-Type`, …) are not affected.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { noContent, withHeader, withoutHeader } from 'espalier'
 *
 * const tagged = pipe(noContent, withHeader('X-Tag', 'a'), withHeader('X-Other', 'b'))
 *
 * assert.deepEqual(withoutHeader('x-tag')(tagged).headers, ['X-Other', 'b'])
 * ```
 */
export const withoutHeader =
  (name: string): Modify =>
  (answer) =>
    replaceHeaders(answer, Object.freeze(Headers.without(answer.headers, name)))

/** Replaces all headers with this name. */
export const setHeader =
  (name: string, value: string): Modify =>
  (answer) =>
    Object.freeze({
      ...answer,
      headers: Headers.append(Headers.without(answer.headers, name), name, value),
    })

/**
 * Adds a `Set-Cookie` header (RFC 6265, 4.1). `maxAge` is in seconds.
 *
 * Throws a `TypeError` for a cookie that browsers would reject, and a `RangeError` for a `maxAge` or `expires` out of
 * range.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { noContent, withCookie } from 'espalier'
 *
 * const signedIn = pipe(
 *   noContent,
 *   withCookie({ name: 'id', value: 'é', maxAge: 60, httpOnly: true }),
 * )
 *
 * assert.deepEqual(signedIn.headers, ['Set-Cookie', 'id=%C3%A9; Max-Age=60; HttpOnly'])
 * assert.throws(() => withCookie({ name: 'id', value: '', sameSite: 'none' }), TypeError) // not `secure`
 * ```
 */
export const withCookie = (cookie: Cookie.NewCookie): Modify =>
  withHeader('Set-Cookie', Cookie.format(cookie))
