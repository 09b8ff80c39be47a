/**
 * The request context. It gives handlers, filters and mappers access to request data that is not declared as input.
 * Each property is computed when it is first read.
 */
import type { MediaType } from '../http/media-type.ts'

/** The context passed to handlers and request filters. */
export interface Context extends CommonContext {
  readonly endpoint: EndpointInfo
}

/** The context passed to response filters and mappers. `endpoint` is `undefined` if no operation matched. */
export interface ResponseContext extends CommonContext {
  readonly endpoint: EndpointInfo | undefined
}

/** The members of the context that are available for every request, even if no operation matched. */
export interface CommonContext {
  readonly request: RequestContext
  readonly uri: UriInfo
  readonly security: SecurityContext
  readonly application: Application
  readonly response: ResponseFields
  /**
   * Registers a callback that runs at the end of the request, when the response has been sent or the client has
   * disconnected.
   *
   * Callbacks run in reverse order of registration. If a callback returns a promise or a `Task`, the next callback
   * waits for it. Errors are logged. A callback registered after the end of the request runs immediately.
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
   * Returns a logger for a category. Each log line contains the request id. Errors thrown by the logger are ignored.
   *
   * The `fw.log.category."NAME".level` setting determines the log level of the category. It defaults to the value of
   * `fw.log.level`.
   */
  readonly logger: (category: string) => Logger
  /** Returns the time, in milliseconds, since the arrival of the request. */
  readonly elapsed: () => number
}

/** Information about a request that has ended, passed to `onEnd` callbacks. */
export interface End {
  /** Status of the response, or `undefined` if the client disconnected before a response was sent. */
  readonly status: number | undefined
  /** The matched operation, or `undefined` if no operation matched. */
  readonly endpoint: EndpointInfo | undefined
  /** Time, in milliseconds, from the arrival of the request to the end of the response. */
  readonly duration: number
}

/** Information about the request: the method, the target, the headers and the connection. */
export interface RequestContext {
  /**
   * Request method, as received or as rewritten by a pre-matching filter. The method of a HEAD request is `HEAD`,
   * even if a GET operation handles it.
   */
  readonly method: string
  /**
   * Raw request path, as received or as rewritten by a pre-matching filter. Includes percent-encoded characters and matrix
   * parameters.
   */
  readonly path: string
  /** Raw query string without the `?`, or `undefined` if the URI has no query. */
  readonly query: string | undefined
  /**
   * Returns all values of a header, joined by `, ` (RFC 9110, 5.3), or `undefined` if the header is missing. Header
   * names are case-insensitive.
   */
  readonly header: (name: string) => string | undefined
  /**
   * Returns a list with the value of each header line with this name. The list is empty if the header is missing.
   * Header names are case-insensitive.
   */
  readonly headerValues: (name: string) => ReadonlyArray<string>
  /** All headers, as alternating names and values. */
  readonly headers: ReadonlyArray<string>
  /** Returns the decoded value of the first cookie with this name, or `undefined` if the request has no such cookie. */
  readonly cookie: (name: string) => string | undefined
  /** Decoded values of all cookies, by cookie name. */
  readonly cookies: ReadonlyMap<string, ReadonlyArray<string>>
  /** Parsed `Content-Type` header, or `undefined` if the header is missing or malformed. */
  readonly mediaType: MediaType | undefined
  /** Value of the `Content-Length` header in bytes, or `undefined` if the header is missing or malformed. */
  readonly length: number | undefined
  /** Parsed `Date` header, or `undefined` if the header is missing or malformed. */
  readonly date: Date | undefined
  /**
   * Media ranges in the `Accept` header, in descending order of preference. Ranges with weight 0 are omitted. If the
   * header is missing or malformed, the only element is the range that includes all media types.
   */
  readonly accepts: ReadonlyArray<MediaType>
  /**
   * Language ranges in the `Accept-Language` header, in descending order of preference (RFC 9110, 12.5.4). Empty if
   * the header is missing.
   */
  readonly languages: ReadonlyArray<string>
  /**
   * IP address of the client: the peer address, or the address reported by a proxy listed in `fw.http.proxy.trusted`.
   *
   * The value is `undefined` for in-memory requests, or if the property is first read after the client has
   * disconnected.
   */
  readonly clientAddress: string | undefined
  /**
   * Certificate that the client presented during the TLS handshake. The value is `undefined` if the client presented no certificate,
   * or one that no authority in `fw.http.ssl.certificate.trust-store-files` has issued. See `fw.http.ssl.client-auth`.
   */
  readonly clientCertificate: ClientCertificate | undefined
  /** Request id, which also appears in problem documents and in the log. */
  readonly id: string
  /**
   * An `AbortSignal` that is aborted when the client disconnects or half-closes its connection (FIN), or when the
   * request times out (see `limits`). After a half-close, a response is still sent unless it is a stream (see
   * `fw.http.half-close-timeout`).
   */
  readonly signal: AbortSignal
}

/** A verified certificate of a client. */
export interface ClientCertificate {
  /** Distinguished name of the subject (RFC 4514), such as `CN=ann,O=Library`. */
  readonly subject: string
  /** Common name of the subject, or `undefined` if the subject does not have exactly one. */
  readonly commonName: string | undefined
  /** Subject alternative names with their types, such as `URI:spiffe://library/loans` or `email:ann@library.example`. */
  readonly alternativeNames: ReadonlyArray<string>
  /** Distinguished name of the authority that issued the certificate. */
  readonly issuer: string
  /** Serial number, in hexadecimal digits. */
  readonly serialNumber: string
  /** SHA-256 fingerprint, as 64 lower-case hexadecimal digits. */
  readonly fingerprint: string
  readonly validFrom: Date
  readonly validTo: Date
}

/**
 * The request URI in several forms, and its parameters.
 *
 * The scheme, the authority and the path are those used by the client, provided that `fw.http.proxy.trusted` lists
 * all intermediate proxies. Each getter returns a new `URL`, normalized according to the WHATWG URL Standard.
 * Normalization removes dot segments.
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
   * Base URI of the application. It consists of the scheme, the authority, the path prefix removed by a proxy, and
   * `fw.rest.path`. Ends with a slash.
   */
  readonly base: URL
  /** Request URI without the query. */
  readonly absolute: URL
  /** Complete request URI, including the query. */
  readonly request: URL
  /**
   * Raw request path relative to the base URI, without a leading slash. For a path outside the base URI, this is the
   * full path without its leading slash.
   */
  readonly path: string
  /** The parameters as received, without percent-decoding. */
  readonly raw: UriParameters
  /** Resolves a URI reference against the base URI. Throws a `TypeError` for an invalid reference. */
  readonly resolve: (reference: string) => URL
  /**
   * Resolves a reference in the same way as `resolve`, and returns the shortest relative reference from the request
   * URI to the result (RFC 3986, 5.2).
   *
   * Returns an absolute URI if the result has a different authority. Throws a `TypeError` for an invalid reference.
   */
  readonly relativize: (reference: string) => string
}

/**
 * Parameters in a URI. Values are percent-decoded, except in `raw`. Values that cannot be decoded are kept as
 * received.
 */
export interface UriParameters {
  /** Values of the variables in the path template. Empty if no operation matched. */
  readonly pathParameters: ReadonlyMap<string, string>
  /** Values of all query parameters, by parameter name. */
  readonly queryParameters: ReadonlyMap<string, ReadonlyArray<string>>
  /** Values of all matrix parameters, by parameter name. Values in the last path segment come first. */
  readonly matrixParameters: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Information about the caller of the request, provided by authentication filters. */
export interface SecurityContext {
  /** The authenticated principal, or `undefined` if the request is anonymous. */
  readonly principal: Principal | undefined
  /** Whether the principal has the given role. Always `false` for an anonymous request. */
  readonly hasRole: (role: string) => boolean
  /** Authentication scheme, such as `Basic` or `Bearer`, or `undefined` if the request is anonymous. */
  readonly scheme: string | undefined
  /** Whether the connection from the client to the server, or to the outermost trusted proxy, uses TLS. */
  readonly secure: boolean
}

/** An authenticated caller. */
export interface Principal {
  /** The name of the caller. It must be an own member: a name that is inherited from a class or a prototype is rejected. */
  readonly name: string
  readonly roles: ReadonlyArray<string>
  /** Additional data provided by the authentication filter, such as the claims of a token. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** The running application and its configuration. */
export interface Application {
  /** All operations, in the order in which they appear in the route tree. */
  readonly endpoints: ReadonlyArray<EndpointInfo>
  /** Returns the value of a setting or an application property as a string, or `undefined` if it is not set. */
  readonly property: (name: string) => string | undefined
  /**
   * An `AbortSignal` that is aborted when the server starts shutting down. Use this signal to end long-running streams,
   * which would otherwise delay the shutdown.
   */
  readonly stopping: AbortSignal
}

/**
 * Information about the response to the current request, and a function that adds headers to it.
 *
 * `contentType` and `language` describe the representation selected for the success response, based on the `Accept` and
 * `Accept-Language` headers. They do not change if the handler returns a reply with other headers.
 */
export interface ResponseFields {
  /**
   * Value of the `Content-Type` header, or `undefined` if the success response has no body, if its type is known only
   * when a file is opened, or if no operation matched.
   */
  readonly contentType: string | undefined
  /**
   * Language tag declared with `inLanguage`, or `undefined` if the representation has no language or no operation
   * matched.
   */
  readonly language: string | undefined
  /**
   * Adds a header to the response, after the headers of the reply. The header is also added to error responses.
   * Framing headers such as `Content-Length` are ignored.
   *
   * A singleton header such as `Content-Type`, `Location` or `ETag` is sent only once (RFC 9110, 5.3). If the reply
   * sets the header, the value in the reply is sent. Otherwise, the last added value is sent. An added `ETag`,
   * `Last-Modified` or `Accept-Ranges` header overrides the value computed from the body. Throws a `TypeError` for an
   * invalid name or value.
   */
  readonly addHeader: (name: string, value: string) => void
}

/** Information about an operation. */
export interface EndpointInfo {
  /** Name of the operation: the keys that lead to it in the route tree, joined by dots, such as `books.get`. */
  readonly name: string
  readonly method: string
  /** Full path template, such as `/api/books/{isbn}`. */
  readonly template: string
}

/** A function that writes a log line with structured members and a message. */
export type Log = (members: Readonly<Record<string, unknown>>, message: string) => void

/** A logger with one method per level. A `pino` logger is assignable to this type. */
export interface Logger {
  readonly trace: Log
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
  /**
   * Creates a logger that adds `members` to each log line and ignores messages below `level`. If a logger has no
   * `child` method, the framework passes the members in each call.
   */
  readonly child?: (
    members: Readonly<Record<string, unknown>>,
    options: { readonly level: string },
  ) => Logger
}
