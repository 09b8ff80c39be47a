/**
 * The context: the one way from a handler, a filter or a mapper to the request itself. What an endpoint declares arrives
 * decoded in its input; here is everything else. Each part is built when it is first touched.
 */
import type { MediaType } from '../http/media-type.ts'
import type { Logger } from './logger.ts'

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
   * was registered last is done first; what it throws is logged.
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
  /** The status that was sent; `undefined` when the client had gone before. */
  readonly status: number | undefined
  /** The operation that was matched; `undefined` when there was none. */
  readonly endpoint: EndpointInfo | undefined
  /** Milliseconds from the head of the request to its end. */
  readonly duration: number
}

export interface RequestContext {
  /** As received, or as a filter before matching has rewritten it; HEAD where GET answers it. */
  readonly method: string
  /** The path as received, with percent-escapes and matrix parameters. */
  readonly path: string
  /** What follows the first `?`, as received; `undefined` without one. */
  readonly query: string | undefined
  /** All fields of that name, in any case, joined by `, ` (RFC 9110, 5.3); `undefined` when there is none. */
  readonly header: (name: string) => string | undefined
  /** Names and values in turn, as received. */
  readonly headers: ReadonlyArray<string>
  /** The first cookie of that name, decoded; `undefined` when there is none. */
  readonly cookie: (name: string) => string | undefined
  /** What `Content-Type` says; `undefined` when it is missing or malformed. */
  readonly mediaType: MediaType | undefined
  /** What `Content-Length` says, in octets; `undefined` when it is missing. */
  readonly length: number | undefined
  /** What `Date` says; `undefined` when it is missing or malformed. */
  readonly date: Date | undefined
  /** The media types of `Accept`, the most preferred first; all of them without the field. */
  readonly accepts: ReadonlyArray<MediaType>
  /** The language tags of `Accept-Language`, the most preferred first. */
  readonly languages: ReadonlyArray<string>
  /** The address of the client, or of the proxy nearest to it that is not trusted; `undefined` in memory. */
  readonly address: string | undefined
  /** Identifies this request in problem documents and in the log. */
  readonly id: string
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
}

/** The URI of a request, in the forms that programs ask for. Every getter gives a URL of its own. */
export interface UriInfo {
  /** Where the application stands: scheme, authority and `fw.rest.path`, with a slash at the end. */
  readonly base: URL
  /** The URI of the request without its query. */
  readonly absolute: URL
  /** The URI of the request. */
  readonly request: URL
  /** The path behind the base, without a slash in front. */
  readonly path: string
  /** The values of the template's variables, decoded, as text. */
  readonly pathParameters: ReadonlyMap<string, string>
  /** All values of each name of the query, decoded. */
  readonly queryParameters: ReadonlyMap<string, ReadonlyArray<string>>
  /** All values of each matrix parameter, decoded, in the order of the segments. */
  readonly matrixParameters: ReadonlyMap<string, ReadonlyArray<string>>
  /** A URI reference against the base. */
  readonly resolve: (reference: string) => URL
}

/** Who asks. Authentication filters fill it. */
export interface SecurityContext {
  /** `undefined` for somebody who is not known. */
  readonly principal: Principal | undefined
  /** Whether the principal has a role; never for somebody who is not known. */
  readonly hasRole: (role: string) => boolean
  /** How the principal was authenticated: `Basic`, `Bearer`, …; `undefined` for somebody who is not known. */
  readonly scheme: string | undefined
  /** Whether the client reached the service over TLS. */
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
  readonly endpoints: ReadonlyArray<EndpointInfo>
  /** The text of a setting, or of a property of the application's own; `undefined` for one that nobody set. */
  readonly property: (name: string) => string | undefined
  /** Aborts when the server begins to stop: what would go on for ever has to end now. */
  readonly stopping: AbortSignal
}

/** The way around replies: fields that are added to whatever is answered, an error or a refusal too. */
export interface ResponseFields {
  /** Throws a `TypeError` for a name or value that cannot be sent. */
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
