/**
 * Errors with an HTTP status, for code that is nested too deeply in a handler to return a reply.
 *
 * Handlers, filters and other code can throw these errors, return them, or return them in a `Left`. The errors need
 * no declaration, so typed clients have no types for them.
 */
import type { RejectedOptions } from '../codec/codec.ts'
import type { ValidationError } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import * as UriReference from '../http/uri-reference.ts'
import type { AnyReply } from './reply.ts'
import { isReply, reply, withHeader } from './reply.ts'
import { isError, isTagged } from '../http/platform-value.ts'

/**
 * Options for {@link HttpError}. The `cause` of the error appears only in the log.
 */
export interface HttpErrorOptions extends ErrorOptions {
  /** Value of the `detail` member of the problem document, if the client must not see the message. Default: see `expose`. */
  readonly detail?: string | undefined
  /**
   * Whether the message is sent to the client as `detail`. If `false`, the message appears only in the log. Default: `true` for a
   * status below 500, and `false` for all others.
   */
  readonly expose?: boolean | undefined
  /** Response headers by name. A list adds one header per value. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>> | undefined
  /** Validation errors, sent as the `errors` member of the problem document. */
  readonly errors?: ReadonlyArray<ValidationError> | undefined
  /** Whether `errors` omits some of the validation errors. */
  readonly truncated?: boolean | undefined
  /** Supported methods or media types, listed in the problem document. */
  readonly supported?: ReadonlyArray<string> | undefined
  /** URI that identifies the kind of problem, sent as the `type` member. Default: `about:blank`. */
  readonly type?: string | undefined
  /** Extension members of the problem document (RFC 9457, 3.2), which must be representable as JSON. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/**
 * An error with an HTTP status. If `response` is a reply, that reply is sent. If `response` is a status, a problem
 * document with that status is sent (RFC 9457).
 *
 * The message is the `detail` of the problem document if the status is below 500. For other statuses, the message appears
 * only in the log. The options `detail` and `expose` override this rule. The `cause` and the stack trace are never sent.
 *
 * Mappers and response filters also receive errors detected by the framework, such as 400, 404 and 405, as instances of
 * this class or a subclass. These instances contain all data in the problem document, but no stack trace.
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
 *     throw new Conflict('Another client holds the lock.', { cause: new Error('lock 7, held by Ada') })
 *   }),
 * )
 * const response = await inMemory(routes({ lock }))('http://localhost/lock')
 * const problem = await response.text()
 *
 * assert.equal(response.status, 409)
 * assert.match(problem, /Another client/)
 * assert.doesNotMatch(problem, /Ada/)
 * ```
 */
export class HttpError extends Error {
  readonly _tag = 'HttpError' as const
  readonly status: number
  /** The `detail` member of the problem document. `undefined` if the document has none. */
  readonly detail: string | undefined
  /** The complete response, or `undefined` if the response is a problem document. */
  readonly reply: AnyReply | undefined
  readonly headers: Headers.Headers
  /** Validation errors. Empty if the error is not caused by invalid input. */
  readonly errors: ReadonlyArray<ValidationError>
  /** Whether `errors` omits some of the validation errors. */
  readonly truncated: boolean
  /** Supported methods (for 405) or media types (for 406 and 415). */
  readonly supported: ReadonlyArray<string>
  /** The `type` member of the problem document. `undefined` for `about:blank`. */
  readonly type: string | undefined
  /** Extension members of the problem document. `undefined` if it has none. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined

  /** Throws a `TypeError` for an invalid header. */
  constructor(
    response:
      | number
      | AnyReply
      | RejectedOptions<"the status comes first: new HttpError(418, 'I am a teapot')">,
    message?: string,
    options?: HttpErrorOptions,
  )
  constructor(response: number | AnyReply, message?: string, options: HttpErrorOptions = {}) {
    super(message ?? options.detail, options)
    this.name = new.target.name
    this.status = typeof response === 'number' ? response : response.status
    this.reply = isReply(response) ? response : undefined
    const { detail, expose = this.reply === undefined && this.status < 500 } = options
    this.detail = detail ?? (expose && this.message !== '' ? this.message : undefined)
    this.headers = Object.entries(options.headers ?? {})
      .flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const))
      .reduce((fields, [name, value]) => Headers.append(fields, name, value), Headers.empty)
    this.errors = options.errors ?? none
    this.truncated = options.truncated ?? false
    this.supported = options.supported ?? none
    this.type = options.type
    this.extensions = options.extensions
  }
}

const none: ReadonlyArray<never> = Object.freeze([])

/** Whether a value is an `HttpError`. Also recognizes errors created by another copy of the package. */
export const isHttpError = (value: unknown): value is HttpError =>
  isTagged(value, 'HttpError') && isError(value)

/** 400 Bad Request: the request is malformed or invalid. */
export class BadRequest extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(400, message, options)
  }
}

/**
 * 401 Unauthorized: the request has no valid credentials. The `WWW-Authenticate` header of the response contains one
 * or more challenges (RFC 9110, 15.5.2).
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

/** 403 Forbidden: the caller does not have the required permission. */
export class Forbidden extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(403, message, options)
  }
}

/** 404 Not Found: the resource does not exist, or the server does not disclose whether the resource exists. */
export class NotFound extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(404, message, options)
  }
}

/**
 * 405 Method Not Allowed: the resource does not support the request method. The `Allow` header of the response lists
 * the supported methods (RFC 9110, 15.5.6).
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

/**
 * 406 Not Acceptable: no available media type matches the `Accept` header. Adds `Vary: Accept` to the response (RFC
 * 9110, 12.5.5).
 */
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

/** 413 Content Too Large: the request body or a part of the body exceeds a limit. */
export class ContentTooLarge extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(413, message, options)
  }
}

/**
 * 415 Unsupported Media Type: the media type of the request body is not supported. The `Accept` header of the
 * response lists the supported media types (RFC 9110, 15.5.16).
 */
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

/** 500 Internal Server Error: an unexpected error occurred on the server. */
export class InternalServerError extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(500, message, options)
  }
}

/** 503 Service Unavailable: the server is temporarily unable to handle the request. */
export class ServiceUnavailable extends HttpError {
  constructor(message?: string, options?: HttpErrorOptions) {
    super(503, message, options)
  }
}

/**
 * A redirect that can be thrown. To return a redirect as a reply, use `seeOther`, `temporaryRedirect` or
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
 * 400 Bad Request: a structured part of a form cannot be decoded. To send a different response, define a mapper for
 * this class.
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
 *   withMapper(mapError(UnreadablePart, (error) => reply(422, `invalid ${error.part}`))),
 * )
 * const sent = new FormData()
 * sent.set('stars', 'many')
 * const request = new Request('http://localhost/vote', { method: 'POST', body: sent })
 * const response = await inMemory(api)(request)
 *
 * assert.equal(response.status, 422)
 * assert.equal(await response.text(), 'invalid stars')
 * ```
 */
export class UnreadablePart extends BadRequest {
  /** Name of the first unreadable part. */
  readonly part: string

  constructor(part: string, options?: HttpErrorOptions) {
    super(`unreadable part ${JSON.stringify(part)}`, { expose: false, ...options })
    this.part = part
  }
}
