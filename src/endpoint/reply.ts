/**
 * Replies: a response as a value, before its content is put into octets. A handler returns one when a bare value does not
 * say enough; unit tests compare it.
 */
import * as Cookie from '../http/cookie.ts'
import * as Headers from '../http/headers.ts'
import * as UriReference from '../http/uri-reference.ts'

/** An answer with its status in the type, so that only declared ones can be returned. */
export interface Reply<St extends number, A> {
  readonly _tag: 'Reply'
  readonly status: St
  readonly entity: A
  /** Names and values in turn, in the order they are sent. */
  readonly headers: Headers.Headers
}

export interface AnyReply extends Reply<number, unknown> {}

/**
 * A reply of any status; without an entity it has no content. Its status has to be one that the endpoint declares.
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

/** What no JSON has: a value that a client sent and a handler returns is never taken for a reply. */
const mark = Symbol.for('espalier.Reply')

/** A reply that is made and given away at once: to freeze it would take longer than all else that is done with it. */
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
 * Replies of one status. Two signatures and not one with an optional entity: what else may be returned where the reply
 * stands would be inferred for the entity that is not there.
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
 * 200 with an entity. It is needed only where headers are added, or where the entity is itself an `Either`.
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
 * 201 with `Location`, relative or absolute, of what was created (RFC 9110, 15.3.2). What a URI cannot hold is
 * percent-encoded; `uri` puts values into one, and there a slash in a value does not make a segment.
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
 * 202: the work goes on after the response. The entity may say where to ask how it goes, or be left out.
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

/** 204: done, and there is nothing to send. */
export const noContent: Reply<204, void> = reply(204)

/** 304: what the client has is still right. */
export const notModified: Reply<304, void> = reply(304)

/**
 * 303: the answer stands at `location` and is fetched with GET. What a URI cannot hold is percent-encoded.
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

/** 307: the same request again, at `location`. */
export const temporaryRedirect = (location: string): Reply<307, void> =>
  replyWithLocation(307, location, undefined)

/** 308: the same request again, at `location`, from now on. */
export const permanentRedirect = (location: string): Reply<308, void> =>
  replyWithLocation(308, location, undefined)

/** 404. It has to be declared, as `fails(404)`; code too deep to return it throws a `NotFound`, which need not be. */
export const notFound: ReplyWith<404> = replyFactory(404)

/** 406, for a choice that the handler makes itself; what `Accept` refuses is answered before. */
export const notAcceptable: ReplyWith<406> = replyFactory(406)

/** 500, which has to be declared. A handler that throws is answered with 500 too, and need not declare it. */
export const serverError: ReplyWith<500> = replyFactory(500)

/** Changes a reply, whatever its status and entity. */
export type Modify = <St extends number, A>(answer: Reply<St, A>) => Reply<St, A>

/**
 * Adds a header field; said twice, there are two of it, or the last is sent of a field that says one thing (`Content-Type`,
 * `Location`, …; RFC 9110, 5.3). Throws a `TypeError` for a name or value that cannot be sent: a
 * name that is no token, a value with a line break or another control character, or with a character outside Latin-1.
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

/** The same reply with other fields. Written out: a spread takes several times as long, and filters do this for every response. */
const replaceHeaders = <St extends number, A>(
  { status, entity }: Reply<St, A>,
  headers: Headers.Headers,
): Reply<St, A> => {
  const made = { _tag: 'Reply', status, entity, headers, [mark]: true } as const
  return Object.freeze(made)
}

/**
 * Takes away all header fields of that name, in any case; with {@link withHeader} behind it, one is put in their place. Fields
 * that the engine adds (`Date`, `Content-Length`, the negotiated `Content-Type`, …) are not among them.
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

/** Puts a header field in the place of all of that name. */
export const setHeader =
  (name: string, value: string): Modify =>
  (answer) =>
    Object.freeze({
      ...answer,
      headers: Headers.append(Headers.without(answer.headers, name), name, value),
    })

/**
 * Sends a cookie (RFC 6265, 4.1). `maxAge` is in seconds. Throws a `TypeError` for a cookie that user agents would
 * refuse, and a `RangeError` for a `maxAge` or `expires` out of range.
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
