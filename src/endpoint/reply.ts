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

/** A reply of any status: `reply(202, job)`; without an entity it has no content. */
export function reply<St extends number>(status: St): Reply<St, void>
export function reply<St extends number, A>(status: St, entity: A): Reply<St, A>
export function reply(status: number, entity?: unknown): AnyReply {
  return Object.freeze({ _tag: 'Reply', status, entity, headers: Headers.empty, [mark]: true })
}

/** What no JSON has: a value that a client sent and a handler returns is never taken for a reply. */
const mark = Symbol.for('espalier.Reply')

/** Whether a value is a reply, of this or another copy of the package. */
export const isReply = (value: unknown): value is AnyReply =>
  typeof value === 'object' && value !== null && mark in value

/**
 * Replies of one status. Two signatures and not one with an optional entity: what else may be returned where the reply
 * stands would be inferred for the entity that is not there.
 */
export interface Answer<St extends number> {
  (): Reply<St, void>
  <A>(entity: A): Reply<St, A>
}

const answering = <St extends number>(code: St): Answer<St> => {
  function made(): Reply<St, void>
  function made<A>(entity: A): Reply<St, A>
  function made(entity?: unknown): Reply<St, unknown> {
    return reply(code, entity)
  }
  return made
}

const located = <St extends number, A>(code: St, location: string, entity: A): Reply<St, A> =>
  withHeader('Location', UriReference.escape(location))(reply(code, entity))

/** 200 with an entity. It is needed only where headers are added, or where the entity is itself an `Either`. */
export const ok = <A>(entity: A): Reply<200, A> => reply(200, entity)

/** 201 with `Location`, relative or absolute, of what was created; `uri` puts values into one. */
export function created(location: string): Reply<201, void>
export function created<A>(location: string, entity: A): Reply<201, A>
export function created(location: string, entity?: unknown): Reply<201, unknown> {
  return located(201, location, entity)
}

/** 202: the work goes on after the response. */
export const accepted: Answer<202> = answering(202)

/** 204: done, and there is nothing to send. */
export const noContent: Reply<204, void> = reply(204)

/** 304: what the client has is still right. */
export const notModified: Reply<304, void> = reply(304)

/** 303: the answer stands at `location` and is fetched with GET. */
export const seeOther = (location: string): Reply<303, void> => located(303, location, undefined)

/** 307: the same request again, at `location`. */
export const temporaryRedirect = (location: string): Reply<307, void> =>
  located(307, location, undefined)

/** 308: the same request again, at `location`, from now on. */
export const permanentRedirect = (location: string): Reply<308, void> =>
  located(308, location, undefined)

/** 404. */
export const notFound: Answer<404> = answering(404)

/** 406. */
export const notAcceptable: Answer<406> = answering(406)

/** 500. */
export const serverError: Answer<500> = answering(500)

/** Changes a reply, whatever its status and entity. */
export type Modify = <St extends number, A>(answer: Reply<St, A>) => Reply<St, A>

/**
 * Adds a header field; said twice, there are two of it. Throws a `TypeError` for a name or value that cannot be sent: a name
 * that is no token, a value with a line break or another control character, or with a character outside Latin-1.
 */
export const withHeader =
  (name: string, value: string): Modify =>
  (answer) =>
    Object.freeze({ ...answer, headers: Headers.append(answer.headers, name, value) })

/** Puts a header field in the place of all of that name. */
export const settingHeader =
  (name: string, value: string): Modify =>
  (answer) =>
    Object.freeze({
      ...answer,
      headers: Headers.append(Headers.without(answer.headers, name), name, value),
    })

/** Sends a cookie (RFC 6265). */
export const withCookie = (cookie: Cookie.NewCookie): Modify =>
  withHeader('Set-Cookie', Cookie.format(cookie))
