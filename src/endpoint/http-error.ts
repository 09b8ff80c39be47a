/**
 * Errors that carry their own response: for code that is too deep to return one. They may be thrown anywhere in a handler,
 * returned from it, or be the `Left` of what it returns; they need not be declared, and so a client does not know them.
 */
import type { ValidationError } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import * as UriReference from '../http/uri-reference.ts'
import type { AnyReply } from './reply.ts'
import { isReply, reply, withHeader } from './reply.ts'

/** Details for the client go into `detail`; `message` is for the log only. */
export interface HttpErrorOptions extends ErrorOptions {
  /** A sentence for the client, in the problem document. */
  readonly detail?: string | undefined
  /** Header fields of the response; a list is a field for each of its members. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>> | undefined
  /** What is wrong with each input, the `errors` of the problem document. */
  readonly faults?: ReadonlyArray<ValidationError> | undefined
  /** Whether there are more faults than these. */
  readonly truncated?: boolean | undefined
  /** What would have been accepted, in the problem document: methods or media types. */
  readonly supported?: ReadonlyArray<string> | undefined
}

/**
 * An error with a status. With a reply instead of a status, that reply is sent as it is; otherwise the response is a
 * problem document (RFC 9457).
 *
 * What the engine refuses itself (404, 405, 400, …) is an error of these classes for mappers and response filters, with all
 * that its document tells. Such an error has no stack: nothing in the program led to it.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { Conflict, get, handle, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const lock = pipe(
 *   path('/lock'),
 *   get(),
 *   produces(text),
 *   handle(() => {
 *     throw new Conflict('lock 7 is held by ada', { detail: 'Somebody else has the lock.' })
 *   }),
 * )
 * const response = await inMemory(routes({ lock }))('http://localhost/lock')
 * const problem = await response.text()
 *
 * assert.equal(response.status, 409)
 * assert.match(problem, /Somebody else/)
 * assert.doesNotMatch(problem, /held by ada/)
 * ```
 */
export class HttpError extends Error {
  readonly _tag = 'HttpError' as const
  readonly status: number
  readonly detail: string | undefined
  /** The whole response, when there is one; otherwise it is a problem document. */
  readonly reply: AnyReply | undefined
  readonly headers: Headers.Headers
  /** What is wrong with each input; empty where it is not about inputs. */
  readonly faults: ReadonlyArray<ValidationError>
  /** Whether there were more faults than are listed. */
  readonly truncated: boolean
  /** What would have been accepted: methods of a 405, media types of a 406 or 415. */
  readonly supported: ReadonlyArray<string>

  /** Throws a `TypeError` for a header field that cannot be sent. */
  constructor(answer: number | AnyReply, message?: string, options: HttpErrorOptions = {}) {
    super(message ?? options.detail, options)
    this.name = new.target.name
    this.status = typeof answer === 'number' ? answer : answer.status
    this.detail = options.detail
    this.reply = isReply(answer) ? answer : undefined
    this.headers = Object.entries(options.headers ?? {})
      .flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const))
      .reduce((fields, [name, value]) => Headers.append(fields, name, value), Headers.empty)
    this.faults = options.faults ?? none
    this.truncated = options.truncated ?? false
    this.supported = options.supported ?? none
  }
}

const none: ReadonlyArray<never> = Object.freeze([])

/** Whether a value is an `HttpError`, of this or another copy of the package. */
export const isHttpError = (value: unknown): value is HttpError =>
  value instanceof Error && '_tag' in value && value._tag === 'HttpError'

/** 400. The request cannot be understood. */
export class BadRequest extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(400, message, options)
  }
}

/**
 * 401, with the challenges of `WWW-Authenticate` that such an answer has to carry (RFC 9110, 15.5.2); each of several has a
 * field of its own.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { Unauthorized } from 'espalier'
 *
 * const { status, headers } = new Unauthorized('Bearer realm="books"', 'the token has expired')
 *
 * assert.equal(status, 401)
 * assert.deepEqual(headers, ['WWW-Authenticate', 'Bearer realm="books"'])
 * ```
 */
export class Unauthorized extends HttpError {
  constructor(
    challenge: string | ReadonlyArray<string>,
    message?: string,
    options: HttpErrorOptions = {},
  ) {
    super(401, message, {
      ...options,
      headers: { ...options.headers, 'WWW-Authenticate': challenge },
    })
  }
}

/** 403. The client may not do this, whoever it is. */
export class Forbidden extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(403, message, options)
  }
}

/** 404. There is no such resource, or it is not to be known. */
export class NotFound extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(404, message, options)
  }
}

/**
 * 405, with the methods of `Allow` that such an answer has to carry (RFC 9110, 15.5.6).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { MethodNotAllowed } from 'espalier'
 *
 * const { status, allow, headers } = new MethodNotAllowed(['GET', 'HEAD'])
 *
 * assert.equal(status, 405)
 * assert.deepEqual(allow, ['GET', 'HEAD'])
 * assert.deepEqual(headers, ['Allow', 'GET, HEAD'])
 * ```
 */
export class MethodNotAllowed extends HttpError {
  readonly allow: ReadonlyArray<string>

  constructor(allow: ReadonlyArray<string>, message?: string, options: HttpErrorOptions = {}) {
    super(405, message, {
      ...options,
      supported: allow,
      headers: { ...options.headers, Allow: allow.join(', ') },
    })
    this.allow = allow
  }
}

/** 406, with the media types that are available. `Vary` says that the answer depends on `Accept` (RFC 9110, 12.5.5). */
export class NotAcceptable extends HttpError {
  constructor(
    supported: ReadonlyArray<string> = [],
    message?: string,
    options: HttpErrorOptions = {},
  ) {
    super(406, message, {
      ...options,
      supported,
      headers: { Vary: 'Accept', ...options.headers },
    })
  }
}

/** 408. The client took too long to send its request. */
export class RequestTimeout extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(408, message, options)
  }
}

/** 409. The state of the resource is against it. */
export class Conflict extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(409, message, options)
  }
}

/** 410. There was such a resource, and there will not be again. */
export class Gone extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(410, message, options)
  }
}

/** 413. The content, or a part of it, is larger than the server takes. */
export class ContentTooLarge extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(413, message, options)
  }
}

/** 415, with the media types that are taken instead, which `Accept` of the response tells too (RFC 9110, 15.5.16). */
export class UnsupportedMediaType extends HttpError {
  constructor(
    supported: ReadonlyArray<string> = [],
    message?: string,
    options: HttpErrorOptions = {},
  ) {
    const types = supported.filter((one) => one.includes('/')).join(', ')
    super(415, message, {
      ...options,
      supported,
      headers: types === '' ? options.headers : { Accept: types, ...options.headers },
    })
  }
}

/** 422. The content is well-formed and still means nothing that can be done. */
export class UnprocessableContent extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(422, message, options)
  }
}

/** 429. The client asks too often. */
export class TooManyRequests extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(429, message, options)
  }
}

/** 500. The server failed. */
export class InternalServerError extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(500, message, options)
  }
}

/** 503. The server cannot answer for the time being. */
export class ServiceUnavailable extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(503, message, options)
  }
}

/**
 * A redirect from wherever it is thrown. Replies that are returned have `seeOther` and its like.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { Redirection, seeOther } from 'espalier'
 *
 * assert.deepEqual(new Redirection(303, '/books/1').reply, seeOther('/books/1'))
 * ```
 */
export class Redirection extends HttpError {
  constructor(status: 301 | 302 | 303 | 307 | 308, location: string, message?: string) {
    super(withHeader('Location', UriReference.escape(location))(reply(status)), message)
  }
}

/**
 * 400. A structured part of a form cannot be read by its representation. A mapper that knows the class may answer something else.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import {
 *   UnreadablePart,
 *   form,
 *   handle,
 *   int,
 *   json,
 *   mapError,
 *   part,
 *   path,
 *   post,
 *   reply,
 *   routes,
 *   withMapper,
 * } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const vote = pipe(
 *   path('/vote'),
 *   post(),
 *   form({ stars: part(json(int)) }),
 *   handle(() => {}),
 * )
 * const api = pipe(
 *   routes({ vote }),
 *   withMapper(mapError(UnreadablePart, (error) => reply(422, `${error.part} is odd`))),
 * )
 * const sent = new FormData()
 * sent.set('stars', 'many')
 * const request = new Request('http://localhost/vote', { method: 'POST', body: sent })
 * const response = await inMemory(api)(request)
 *
 * assert.equal(response.status, 422)
 * assert.equal(await response.text(), 'stars is odd')
 * ```
 */
export class UnreadablePart extends BadRequest {
  /** The name of the part; of several, the first. */
  readonly part: string

  constructor(part: string, options?: HttpErrorOptions) {
    super(`the part ${JSON.stringify(part)} cannot be read`, options)
    this.part = part
  }
}
