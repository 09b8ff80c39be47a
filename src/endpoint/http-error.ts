/**
 * Errors with an HTTP status, for code that is too deep to return a reply.
 *
 * Handlers, filters and other code may throw or return them, also as a `Left`. They need no declaration, so typed
 * clients do not know them.
 */
import type { ValidationError } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import * as UriReference from '../http/uri-reference.ts'
import type { AnyReply } from './reply.ts'
import { isReply, reply, withHeader } from './reply.ts'

/** Options of {@link HttpError}. Clients see `detail`; `message` appears only in the log. */
export interface HttpErrorOptions extends ErrorOptions {
  /** `detail` of the problem document. */
  readonly detail?: string | undefined
  /** Response headers. A list adds one header per value. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>> | undefined
  /** Validation errors: `errors` of the problem document. */
  readonly faults?: ReadonlyArray<ValidationError> | undefined
  /** Whether the validation errors are incomplete. */
  readonly truncated?: boolean | undefined
  /** Supported methods or media types, listed in the problem document. */
  readonly supported?: ReadonlyArray<string> | undefined
}

/**
 * An error with an HTTP status. The response is a problem document (RFC 9457), or `answer` if that is a reply.
 *
 * Errors that the framework detects (404, 405, 400, …) reach mappers and response filters as instances of these
 * classes, with all data of the problem document. They have no stack trace.
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
 *     throw new Conflict('lock 7 is held by ada', { detail: 'Another client holds the lock.' })
 *   }),
 * )
 * const response = await inMemory(routes({ lock }))('http://localhost/lock')
 * const problem = await response.text()
 *
 * assert.equal(response.status, 409)
 * assert.match(problem, /Another client/)
 * assert.doesNotMatch(problem, /held by ada/)
 * ```
 */
export class HttpError extends Error {
  readonly _tag = 'HttpError' as const
  readonly status: number
  readonly detail: string | undefined
  /** The complete response; `undefined` if it is a problem document. */
  readonly reply: AnyReply | undefined
  readonly headers: Headers.Headers
  /** Validation errors; empty if the error is not about input. */
  readonly faults: ReadonlyArray<ValidationError>
  /** Whether there were more validation errors than `faults` lists. */
  readonly truncated: boolean
  /** Supported methods (405) or media types (406, 415). */
  readonly supported: ReadonlyArray<string>

  /** Throws a `TypeError` for an invalid header. */
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

/** 400 Bad Request: the request is malformed or invalid. */
export class BadRequest extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(400, message, options)
  }
}

/**
 * 401 Unauthorized, with one or more challenges in `WWW-Authenticate` (RFC 9110, 15.5.2).
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

/** 403 Forbidden: the caller lacks permission. */
export class Forbidden extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(403, message, options)
  }
}

/** 404 Not Found: the resource does not exist, or its existence is not disclosed. */
export class NotFound extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(404, message, options)
  }
}

/**
 * 405 Method Not Allowed, with the supported methods in `Allow` (RFC 9110, 15.5.6).
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

/** 406 Not Acceptable, with the available media types. Adds `Vary: Accept` (RFC 9110, 12.5.5). */
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

/** 408 Request Timeout: the request did not arrive in time. */
export class RequestTimeout extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(408, message, options)
  }
}

/** 409 Conflict: the request conflicts with the state of the resource. */
export class Conflict extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(409, message, options)
  }
}

/** 410 Gone: the resource was removed permanently. */
export class Gone extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(410, message, options)
  }
}

/** 413 Content Too Large: the body, or a part of it, exceeds a limit. */
export class ContentTooLarge extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(413, message, options)
  }
}

/** 415 Unsupported Media Type, with the supported media types in `Accept` (RFC 9110, 15.5.16). */
export class UnsupportedMediaType extends HttpError {
  constructor(
    supported: ReadonlyArray<string> = [],
    message?: string,
    options: HttpErrorOptions = {},
  ) {
    const types = supported.filter((value) => value.includes('/')).join(', ')
    super(415, message, {
      ...options,
      supported,
      headers: types === '' ? options.headers : { Accept: types, ...options.headers },
    })
  }
}

/** 422 Unprocessable Content: the body is well-formed, but cannot be processed. */
export class UnprocessableContent extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(422, message, options)
  }
}

/** 429 Too Many Requests: the client exceeded a rate limit. */
export class TooManyRequests extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(429, message, options)
  }
}

/** 500 Internal Server Error: the server failed. */
export class InternalServerError extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(500, message, options)
  }
}

/** 503 Service Unavailable: the server cannot handle the request for now. */
export class ServiceUnavailable extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(503, message, options)
  }
}

/**
 * A redirect that can be thrown. Handlers that return replies use `seeOther`, `temporaryRedirect` or
 * `permanentRedirect`.
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
 * 400 Bad Request for a structured part that cannot be read. A mapper of this class can replace the response.
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
  /** Name of the first unreadable part. */
  readonly part: string

  constructor(part: string, options?: HttpErrorOptions) {
    super(`unreadable part ${JSON.stringify(part)}`, options)
    this.part = part
  }
}
