/**
 * The context: access of handlers, filters and mappers to everything about a request that is not declared as
 * input. Each part is computed when it is first read.
 */
import type { MediaType } from '../http/media-type.ts'

/** The context of a handler. */
export interface Context extends Surroundings {
  readonly endpoint: EndpointInfo
}

/** The context of response filters and mappers. `endpoint` is `undefined` if no operation matched. */
export interface ResponseContext extends Surroundings {
  readonly endpoint: EndpointInfo | undefined
}

/** The part of the context that every request has. */
export interface Surroundings {
  readonly request: RequestContext
  readonly uri: UriInfo
  readonly security: SecurityContext
  readonly application: Application
  readonly response: ResponseFields
  /**
   * Registers a callback for the end of the request: when the response is handed to the connection, or the
   * client disconnects.
   *
   * Callbacks run in reverse order. Each waits for the one before it, if that returns a promise or a `Task`.
   * Errors are logged. A callback that is registered after the end runs immediately.
   *
   * ```ts
   * import assert from 'node:assert/strict'
   * import { pipe } from 'fp-ts/lib/function.js'
   * import { get, handle, path, produces, routes, text } from 'espalier'
   * import { inMemory } from 'espalier/testing'
   *
   * const done: string[] = []
   * const report = pipe(
   *   path('/report'),
   *   get(),
   *   produces(text),
   *   handle((_, { onEnd }) => {
   *     onEnd(({ status }) => done.push(`connection closed after ${status}`))
   *     onEnd(() => done.push('cursor closed'))
   *     return 'all rows'
   *   }),
   * )
   * await inMemory(routes({ report }))('http://localhost/report')
   *
   * assert.deepEqual(done, ['cursor closed', 'connection closed after 200'])
   * ```
   */
  readonly onEnd: (close: (end: End) => unknown) => void
  /**
   * Returns a logger for a category. Its lines carry the request id. Errors of the logger are ignored.
   *
   * The level is `fw.log.category."NAME".level`, by default `fw.log.level`.
   */
  readonly logger: (category: string) => Logger
  /** Milliseconds since the first call of `elapsed` or `onEnd` for this request. */
  readonly elapsed: () => number
}

/** The end of a request. */
export interface End {
  /** Status of the response; `undefined` if the client disconnected first. */
  readonly status: number | undefined
  /** The matched operation; `undefined` if none matched. */
  readonly endpoint: EndpointInfo | undefined
  /**
   * Milliseconds since the first call of `elapsed` or `onEnd`. Called in a pre-matching filter, it covers the
   * whole request.
   */
  readonly duration: number
}

/** The request: method, target, headers and connection. */
export interface RequestContext {
  /**
   * Method as received, or as rewritten by a pre-matching filter. `HEAD` also where a GET operation serves the
   * request.
   */
  readonly method: string
  /** Raw path, as received or rewritten, with percent-escapes and matrix parameters. */
  readonly path: string
  /** Raw query string without `?`; `undefined` without one. */
  readonly query: string | undefined
  /**
   * Returns all values of a header, joined by `, ` (RFC 9110, 5.3); `undefined` if it is missing.
   * Case-insensitive.
   */
  readonly header: (name: string) => string | undefined
  /** Returns the value of each line of a header; empty if it is missing. Case-insensitive. */
  readonly headerLines: (name: string) => ReadonlyArray<string>
  /** All headers, as alternating names and values. */
  readonly headers: ReadonlyArray<string>
  /** Returns the first cookie with this name, decoded; `undefined` if it is missing. */
  readonly cookie: (name: string) => string | undefined
  /** All values of each cookie, decoded. */
  readonly cookies: ReadonlyMap<string, ReadonlyArray<string>>
  /** Parsed `Content-Type`; `undefined` if it is missing or malformed. */
  readonly mediaType: MediaType | undefined
  /** `Content-Length` in bytes; `undefined` if it is missing or malformed. */
  readonly length: number | undefined
  /** Parsed `Date`; `undefined` if it is missing or malformed. */
  readonly date: Date | undefined
  /**
   * Media ranges of `Accept`, most preferred first, without those of weight 0. If the header is missing or malformed,
   * the only element is the range of all media types.
   */
  readonly accepts: ReadonlyArray<MediaType>
  /**
   * Language ranges of `Accept-Language`, most preferred first (RFC 9110, 12.5.4). Empty if the header is
   * missing.
   */
  readonly languages: ReadonlyArray<string>
  /**
   * IP address of the client: of the peer, or as reported by a proxy listed in `fw.http.proxy.trusted`.
   *
   * `undefined` in memory, and if it is first read after the client has disconnected.
   */
  readonly address: string | undefined
  /** Request id, which also appears in problem documents and in the log. */
  readonly id: string
  /**
   * Aborts when the client disconnects or half-closes its connection (FIN), or when the request times out (see
   * `limits`). After a half-close, a response other than a stream is still sent: see
   * `fw.http.half-close-timeout`.
   */
  readonly signal: AbortSignal
}

/**
 * The URI of the request, in several forms.
 *
 * Scheme, authority and path are those the client used, if all proxies in between are listed in
 * `fw.http.proxy.trusted`. Each getter returns a new `URL`, normalized as the WHATWG standard defines, without
 * dot segments.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const book = pipe(
 *   path('/books/{isbn}'),
 *   get(),
 *   produces(text),
 *   handle((_, { uri }) => `${uri.resolve('books/0-13').href} ${uri.relativize('authors/7?full')}`),
 * )
 * const send = inMemory(routes({ book }), { 'fw.rest.path': '/api' })
 *
 * assert.equal(
 *   await (await send('http://localhost/api/books/1')).text(),
 *   'http://localhost/api/books/0-13 ../authors/7?full',
 * )
 * ```
 */
export interface UriInfo extends UriParameters {
  /**
   * Base URI of the application: scheme, authority, path prefix that a proxy removes, and `fw.rest.path`. Ends
   * with a slash.
   */
  readonly base: URL
  /** URI of the request without its query. */
  readonly absolute: URL
  /** Complete URI of the request. */
  readonly request: URL
  /** Raw path relative to the base, without a leading slash; the whole path if it is outside the base. */
  readonly path: string
  /** The same parameters without decoding. */
  readonly raw: UriParameters
  /** Resolves a URI reference against the base. Throws a `TypeError` for an invalid reference. */
  readonly resolve: (reference: string) => URL
  /**
   * Resolves a reference like `resolve`, and returns the shortest path to it from the request URI (RFC 3986,
   * 5.2).
   *
   * Returns an absolute URI if the authority differs. Throws a `TypeError` for an invalid reference.
   */
  readonly relativize: (reference: string) => string
}

/** Parameters in the URI, decoded. Values that cannot be decoded are raw. */
export interface UriParameters {
  /** Values of the template's variables; empty if no operation matched. */
  readonly pathParameters: ReadonlyMap<string, string>
  /** All values of each query parameter. */
  readonly queryParameters: ReadonlyMap<string, ReadonlyArray<string>>
  /** All values of each matrix parameter, those of the last segment first. */
  readonly matrixParameters: ReadonlyMap<string, ReadonlyArray<string>>
}

/** The caller of the request, as determined by authentication filters. */
export interface SecurityContext {
  /** The authenticated principal; `undefined` for an anonymous request. */
  readonly principal: Principal | undefined
  /** Whether the principal has a role; `false` for an anonymous request. */
  readonly hasRole: (role: string) => boolean
  /** Authentication scheme: `Basic`, `Bearer`, …; `undefined` for an anonymous request. */
  readonly scheme: string | undefined
  /** Whether the client uses TLS to reach the server, or the outermost trusted proxy. */
  readonly secure: boolean
}

/** An authenticated caller. */
export interface Principal {
  readonly name: string
  readonly roles: ReadonlyArray<string>
  /** Further data of an authentication filter, such as the claims of a token. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** The running application and its configuration. */
export interface Application {
  /** All operations, in the order of the tree. */
  readonly endpoints: ReadonlyArray<EndpointInfo>
  /** Returns a setting or an application property as text; `undefined` if it is not set. */
  readonly property: (name: string) => string | undefined
  /** Aborts when the server starts to shut down. End long-running streams then. */
  readonly stopping: AbortSignal
}

/** Headers that are added to every kind of response, including error responses. */
export interface ResponseFields {
  /**
   * Adds a header to the response, after those of the reply. Framing headers such as `Content-Length` are
   * ignored.
   *
   * A singleton header (`Content-Type`, `Location`, `ETag`, …) is sent once (RFC 9110, 5.3): the reply's
   * value, otherwise the last one that was added. An added `ETag`, `Last-Modified` or `Accept-Ranges`
   * overrides one that is computed from the body. Throws a `TypeError` for an invalid name or value.
   */
  readonly addHeader: (name: string, value: string) => void
}

/** The matched operation. */
export interface EndpointInfo {
  /** Keys in the tree, joined by dots: `books.get`. */
  readonly name: string
  readonly method: string
  /** Full path template: `/api/books/{isbn}`. */
  readonly template: string
}

/** Writes one log line: structured members and a message. */
export type Log = (members: Readonly<Record<string, unknown>>, message: string) => void

/** A logger with a method per level. A `pino` logger fits. */
export interface Logger {
  readonly trace: Log
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
  /**
   * Creates a logger that adds these members to each line and logs from this level on. Without `child`, the
   * members are added to each call.
   */
  readonly child?: (
    members: Readonly<Record<string, unknown>>,
    options: { readonly level: string },
  ) => Logger
}
