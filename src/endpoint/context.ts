/**
 * The context: the one way from a handler, a filter or a mapper to the request itself. What an endpoint declares arrives
 * decoded in its input; here is everything else. Each part is built when it is first touched.
 */
import type { MediaType } from '../http/media-type.ts'

/** What surrounds a call of a handler. */
export interface Context extends Surroundings {
  readonly endpoint: EndpointInfo
}

/** What surrounds a response: the same, but a request that matched nothing has no endpoint. */
export interface ResponseContext extends Surroundings {
  readonly endpoint: EndpointInfo | undefined
}

/** What is known of every request, matched or not. */
export interface Surroundings {
  readonly request: RequestContext
  readonly uri: UriInfo
  readonly security: SecurityContext
  readonly application: Application
  readonly response: ResponseFields
  /**
   * Has something done when the request has ended: the answer was handed to the connection, or the client has gone. What
   * was registered last is done first, and the next when that is done, also when it is a promise or a `Task`; what fails is
   * logged and nothing else. When the request has ended already, it is done at once.
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
   * await inMemory(routes({ report }))(new Request('http://localhost/report'))
   *
   * assert.deepEqual(done, ['cursor closed', 'connection closed after 200'])
   * ```
   */
  readonly onEnd: (close: (end: End) => unknown) => void
  /**
   * A logger of a category of one's own, whose lines carry the id of the request. Its level is that of the setting
   * `fw.log.category."NAME".level`, otherwise of `fw.log.level`. What it throws is dropped.
   */
  readonly logger: (category: string) => Logger
  /** Milliseconds since something asked this of the request first, or registered something for its end. */
  readonly elapsed: () => number
}

/** How a request ended. */
export interface End {
  /** The status of the answer that was handed over; `undefined` when the client had gone before. */
  readonly status: number | undefined
  /** The operation that was matched; `undefined` when there was none. */
  readonly endpoint: EndpointInfo | undefined
  /**
   * Milliseconds from when something asked the request for its time first, or registered something for its end. Done by a
   * filter before matching, that is all of the time that the request took.
   */
  readonly duration: number
}

export interface RequestContext {
  /** As received, or as a filter before matching has rewritten it; HEAD where GET answers it. */
  readonly method: string
  /** The path as received or rewritten, with percent-escapes and matrix parameters. */
  readonly path: string
  /** What follows the first `?`, as received or rewritten; `undefined` without one. */
  readonly query: string | undefined
  /** All fields of that name, in any case, joined by `, ` (RFC 9110, 5.3); `undefined` when there is none. */
  readonly header: (name: string) => string | undefined
  /** The value of each field of that name, in any case; none when there is none. */
  readonly headerLines: (name: string) => ReadonlyArray<string>
  /** Names and values in turn, as received or rewritten. */
  readonly headers: ReadonlyArray<string>
  /** The first cookie of that name, decoded; `undefined` when there is none. */
  readonly cookie: (name: string) => string | undefined
  /** All values of each cookie, decoded. */
  readonly cookies: ReadonlyMap<string, ReadonlyArray<string>>
  /** What `Content-Type` says; `undefined` when it is missing or malformed. */
  readonly mediaType: MediaType | undefined
  /** What `Content-Length` says, in octets; `undefined` when it is missing or malformed. */
  readonly length: number | undefined
  /** What `Date` says; `undefined` when it is missing or malformed. */
  readonly date: Date | undefined
  /**
   * The media types and ranges of `Accept`, the most preferred first, in the order of the field among equals; those of
   * weight 0 are left out. The range of everything, when the field is missing or malformed.
   */
  readonly accepts: ReadonlyArray<MediaType>
  /** The language ranges of `Accept-Language`, in the same order (RFC 9110, 12.5.4); none when the field is missing. */
  readonly languages: ReadonlyArray<string>
  /**
   * The address of the client, without a port: the peer, or what the proxies in `fw.http.proxy.trusted` tell of it.
   * `undefined` in memory, and when it is asked for the first time after the client has gone.
   */
  readonly address: string | undefined
  /** Identifies this request in problem documents and in the log. */
  readonly id: string
  /**
   * Aborts when the client disconnects or half-closes its connection (FIN), or when the time of the request is over: see
   * `limits`. After a half-close, a response other than a stream is still sent: see `fw.http.half-close-timeout`.
   */
  readonly signal: AbortSignal
}

/**
 * The URI of a request, in the forms that programs ask for: as the client wrote it, if the proxies between tell that and stand
 * in `fw.http.proxy.trusted`. Every getter gives a URL of its own, in the normal form of the WHATWG, without dot segments.
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
 * const call = inMemory(routes({ book }), { 'fw.rest.path': '/api' })
 *
 * assert.equal(
 *   await (await call(new Request('http://localhost/api/books/1'))).text(),
 *   'http://localhost/api/books/0-13 ../authors/7?full',
 * )
 * ```
 */
export interface UriInfo extends UriParameters {
  /** Where the application stands: scheme, authority, what a proxy has taken off, and `fw.rest.path`; it ends in a slash. */
  readonly base: URL
  /** The URI of the request without its query. */
  readonly absolute: URL
  /** The URI of the request. */
  readonly request: URL
  /** The path behind the base, as received, without a slash in front; outside of the base the whole path. */
  readonly path: string
  /** The same parameters as received: nothing is decoded. */
  readonly raw: UriParameters
  /** What a reference means for the base. Throws a `TypeError` for what is none. */
  readonly resolve: (reference: string) => URL
  /**
   * What a reference, read like one to `resolve`, is as seen from the request: the shortest path that leads there from
   * `request` (RFC 3986, 5.2), or the whole URI when it is on another server. Throws a `TypeError` for what is none.
   */
  readonly relativize: (reference: string) => string
}

/** The parameters in a URI, decoded unless it is said; what cannot be decoded is as it was received. */
export interface UriParameters {
  /** The values of the template's variables; none when nothing was matched. */
  readonly pathParameters: ReadonlyMap<string, string>
  /** All values of each name of the query. */
  readonly queryParameters: ReadonlyMap<string, ReadonlyArray<string>>
  /** All values of each matrix parameter, those of the last segment first. */
  readonly matrixParameters: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Who asks. Authentication filters fill it. */
export interface SecurityContext {
  /** `undefined` for somebody who is not known. */
  readonly principal: Principal | undefined
  /** Whether the principal has a role; never for somebody who is not known. */
  readonly hasRole: (role: string) => boolean
  /** How the principal was authenticated: `Basic`, `Bearer`, …; `undefined` for somebody who is not known. */
  readonly scheme: string | undefined
  /** Whether the client reached the service, or the first of the proxies that are trusted, over TLS. */
  readonly secure: boolean
}

/** Somebody who was authenticated. */
export interface Principal {
  readonly name: string
  readonly roles: ReadonlyArray<string>
  /** What else an authentication filter knows, such as the claims of a token. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** What is being served, and how it was set up. */
export interface Application {
  /** In the order of the tree. */
  readonly endpoints: ReadonlyArray<EndpointInfo>
  /** The text of a setting, or of a property of the application's own; `undefined` for one that nobody set. */
  readonly property: (name: string) => string | undefined
  /** Aborts when the server begins to stop: what would go on for ever has to end now. */
  readonly stopping: AbortSignal
}

/** The way around replies: fields that are added to whatever is answered, an error or a refusal too. */
export interface ResponseFields {
  /**
   * Adds a field behind those of the answer, and takes none of its own away; what frames messages (`Content-Length`, …) is
   * not sent. A field that says one thing (`Content-Type`, `Location`, `ETag`, …) is sent once (RFC 9110, 5.3): the answer's
   * own, else the last that was added; of `ETag`, `Last-Modified` and `Accept-Ranges`, what was added comes before what is made
   * of the content. Throws a `TypeError` for a name or value that cannot be sent.
   */
  readonly addHeader: (name: string, value: string) => void
}

/** Which operation is running. */
export interface EndpointInfo {
  /** Its keys in the tree, joined by dots: `books.get`. */
  readonly name: string
  readonly method: string
  /** The template with everything above it: `/api/books/{isbn}`. */
  readonly template: string
}

/** One line: members of an object, and a sentence. */
export type Log = (members: Readonly<Record<string, unknown>>, message: string) => void

export interface Logger {
  readonly trace: Log
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
  /**
   * A logger of the same place whose lines carry these members and which writes from this level on. Where there is none, the
   * members are put into each line.
   */
  readonly child?: (
    members: Readonly<Record<string, unknown>>,
    options: { readonly level: string },
  ) => Logger
}
