/**
 * Replies: responses as plain values, before they are encoded. Handlers return replies to set a status or headers.
 * Unit tests can compare replies directly.
 */
import * as Cookie from '../http/cookie.ts'
import * as Headers from '../http/headers.ts'
import * as UriReference from '../http/uri-reference.ts'
import type { RejectedOptions, RejectedArgument } from '../codec/codec.ts'
import { isObject } from '../http/platform-value.ts'

/** A response as a plain value. The status is part of the type, so that handlers can return only declared responses. */
export interface Reply<St extends number, A> {
  readonly _tag: 'Reply'
  readonly status: St
  readonly entity: A
  /** Headers as alternating names and values, in the order in which they are sent. */
  readonly headers: Headers.Headers
}

/** A reply without type parameters. */
export interface AnyReply extends Reply<number, unknown> {}

/**
 * Creates a reply. The endpoint must declare the status. If `entity` is omitted, the response has no body.
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
// the type of the result of rejected arguments, which causes no further error
export function reply(status: RejectedArgument<''> & number, entity: unknown): never
// the tag of an entity is a literal, as for members of a tagged union
export function reply<St extends number, A extends { readonly _tag: Tag }, Tag extends string>(
  status: St,
  entity: A & { readonly _tag: Tag },
): Reply<St, A>
export function reply<St extends number, A>(status: St, entity: A): Reply<St, A>
// the type of an error
export function reply(
  status: RejectedArgument<'the status comes first, as a number: reply(404, value)'> & number,
  entity?: unknown,
): never
export function reply(status: number, entity?: unknown): AnyReply {
  return makeReply(status, entity, Headers.empty)
}

/** Key that marks replies. JSON cannot contain a symbol, so JSON from a client is never treated as a reply. */
const brandKey = Symbol.for('espalier.Reply')

const headerValuesKey = Symbol.for('espalier.headerValues')

/** Returns the values that `withHeaders` has added to a reply. */
export const headerValuesOf = (response: object): Readonly<Record<string, unknown>> =>
  // only `withHeaders` sets the member
  headerValuesKey in response
    ? (response[headerValuesKey] as Readonly<Record<string, unknown>>)
    : {}

/** Returns a copy of a reply with values of declared headers. */
export const addHeaderValues = <R extends object>(original: R, values: object): R =>
  Object.freeze({ ...original, [headerValuesKey]: { ...headerValuesOf(original), ...values } })

/** Creates a reply from its members. */
export const makeReply = (status: number, entity: unknown, headers: Headers.Headers): AnyReply =>
  Object.freeze({ _tag: 'Reply', status, entity, headers, [brandKey]: true })

/** Whether a value is a reply. Also recognizes replies created by another copy of the package. */
export const isReply = (value: unknown): value is AnyReply => isObject(value) && brandKey in value

/**
 * A function that creates replies with a fixed status. It has overloads instead of an optional parameter, so that
 * TypeScript does not infer `A` from other results of the handler.
 */
export interface ReplyFactory<St extends number> {
  (): Reply<St, void>
  <A>(entity: A): Reply<St, A>
}

const replyFactory = <St extends number>(code: St): ReplyFactory<St> =>
  // the interface describes the types of the replies
  ((entity?: unknown) => reply(code, entity)) as ReplyFactory<St>

const replyWithLocation = <St extends number, A>(
  code: St,
  location: string,
  entity: A,
): Reply<St, A> => withHeader('Location', UriReference.escape(location))(reply(code, entity))

/**
 * Creates a 200 reply. Use this function only to add headers, or to send an entity that is itself an `Either`.
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
 * Creates a 201 reply with a `Location` header (RFC 9110, 15.3.2).
 *
 * Characters that are invalid in a URI are percent-encoded. To insert values, use the `uri` template tag, which also encodes
 * slashes.
 *
 * The location is sent as it is: it must contain `fw.rest.path` and the prefixes of the tree. To create the location of a child
 * of the requested resource, append to `context.uri.absolute.pathname`. Clients resolve a relative reference against the request
 * URI (RFC 9110, 10.2.2). With `fw.rest.absolute-location=true`, the server resolves it against the base URI
 * (`context.uri.base`) instead, so that a reference such as `books/1` has another target. References that begin with a slash
 * have the same target in both cases.
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
// the default is the result of rejected arguments, so that they cause no further error
export function created<A = never>(location: string, entity: A): Reply<201, A>
export function created(location: string): Reply<201, void>
// the type of an error
export function created(
  value: RejectedArgument<"the location comes first: created('/books/1', value)"> & string,
): never
export function created(location: string, entity?: unknown): Reply<201, unknown> {
  return replyWithLocation(201, location, entity)
}

/**
 * Creates a 202 reply, which indicates that the request has been accepted, but will be processed later.
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
export const accepted: ReplyFactory<202> = replyFactory(202)

/** A 204 reply without a body. */
export const noContent: Reply<204, void> = reply(204)

/** A 304 reply without a body. See `evaluatePreconditions`. */
export const notModified: Reply<304, void> = reply(304)

/**
 * Creates a 303 reply, which instructs the client to retrieve `location` with GET. Characters that are invalid in a
 * URI are percent-encoded.
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

/**
 * Creates a 307 reply, which instructs the client to repeat the request at `location`. Characters that are invalid in
 * a URI are percent-encoded.
 */
export const temporaryRedirect = (location: string): Reply<307, void> =>
  replyWithLocation(307, location, undefined)

/**
 * Creates a 308 reply, which instructs the client to use `location` for this request and all future requests.
 * Characters that are invalid in a URI are percent-encoded.
 */
export const permanentRedirect = (location: string): Reply<308, void> =>
  replyWithLocation(308, location, undefined)

/**
 * Creates a 404 reply. The endpoint must declare it with `fails(404)`. To respond with 404 without a declaration,
 * throw a `NotFound` error.
 */
export const notFound: ReplyFactory<404> = replyFactory(404)

/**
 * Creates a 406 reply, which the endpoint must declare. This is rarely needed, because the framework itself responds
 * with 406 if no representation matches the `Accept` header.
 */
export const notAcceptable: ReplyFactory<406> = replyFactory(406)

/**
 * Creates a 500 reply, which the endpoint must declare. If a handler throws an error, the response is 500 even
 * without a declaration.
 */
export const internalServerError: ReplyFactory<500> = replyFactory(500)

/** A function that returns a modified copy of a reply. The type of the reply stays the same. */
export type Modify = <St extends number, A>(original: Reply<St, A>) => Reply<St, A>

/**
 * Adds a header to a reply.
 *
 * If a header is added twice, it is sent twice. For a singleton header such as `Content-Type` or `Location`, only the
 * last value is sent (RFC 9110, 5.3). Throws a `TypeError` if the name is not a token, or if the value contains
 * control characters or characters outside Latin-1.
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
export function withHeader(name: string, value: string): Modify
// the type of an error
export function withHeader(
  headers: RejectedOptions<"pass a name and a value: withHeader('X-Total', '3')">,
): never
export function withHeader(name: string, value = ''): Modify {
  const header = Headers.append(Headers.empty, name, value)
  return (original) =>
    replaceHeaders(
      original,
      original.headers.length === 0 ? header : Object.freeze([...original.headers, ...header]),
    )
}

/** Returns a copy of a reply with different headers. */
const replaceHeaders = <St extends number, A>(
  original: Reply<St, A>,
  headers: Headers.Headers,
): Reply<St, A> => Object.freeze({ ...original, headers })

/**
 * Removes all headers with the given name. Header names are case-insensitive. To replace a header, call
 * {@link withHeader} afterwards.
 *
 * Headers that the framework adds later, such as `Date`, `Content-Length` and the negotiated `Content-Type`, are not
 * affected.
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
  (original) =>
    replaceHeaders(original, Object.freeze(Headers.without(original.headers, name)))

/** Sets a header of a reply, replacing all existing headers with the same name. */
export const setHeader =
  (name: string, value: string): Modify =>
  (original) =>
    replaceHeaders(original, Headers.append(Headers.without(original.headers, name), name, value))

/**
 * Adds a `Set-Cookie` header (RFC 6265, 4.1). `maxAge` is in seconds.
 *
 * Throws a `TypeError` for a cookie that browsers would reject, and a `RangeError` if `maxAge` or `expires` is out of
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
export function withCookie(cookie: Cookie.NewCookie): Modify
// the type of an error
export function withCookie(
  name: RejectedArgument<'pass an object: withCookie({ name, value })'> & Cookie.NewCookie,
  value: unknown,
): never
export function withCookie(cookie: Cookie.NewCookie): Modify {
  return withHeader('Set-Cookie', Cookie.format(cookie))
}
