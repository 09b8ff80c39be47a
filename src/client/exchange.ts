/**
 * Defines the requests and responses of a client, and the functions that process them.
 *
 * Each call creates a `ClientRequest` and sends it through a `Passage`. The innermost passage is the transport.
 * Policies and filters wrap the transport.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Duration } from '../endpoint/limits.ts'
import type { Headers } from '../http/headers.ts'
import type { ClientError } from './client-error.ts'

/** A request that passes through policies and a transport. */
export interface ClientRequest {
  readonly operation: OperationInfo
  readonly method: string
  /** Absolute URL of the request. */
  readonly url: string
  readonly headers: Headers
  readonly body: ClientBody | undefined
  /**
   * Whether a redirect must be returned as a response: the operation declares one, or a policy follows redirects. If
   * `false`, a redirect of a request with a `Blob`, a form or a stream may result in a `NetworkError`, so that `fetch` needs no
   * copy of the body. Default: `true`.
   */
  readonly mayRedirect?: boolean
  /** Signal that aborts the request. It also aborts the response while the response body is being read. */
  readonly signal: AbortSignal | undefined
  /**
   * Maximum time that this attempt waits for the response headers. Default: the `timeout` option of the client.
   *
   * Policies cannot change the limit for pauses in the response body, because that limit is determined before policies
   * run.
   */
  readonly timeout?: Duration | false
  /** Counts the attempts of the call that this request is part of. `undefined` if they are not observed. */
  readonly attempts?: { count: number }
  /**
   * `true` if the request is the result of a redirect to another origin. Policies must not add credentials to such a
   * request.
   */
  readonly crossOrigin?: true
}

/** A request body. Its media type is in the `Content-Type` header of the request. */
export type ClientBody =
  /** A buffered body, which can be sent again. */
  | { readonly _tag: 'Buffered'; readonly data: string | Uint8Array | Blob }
  /** A `FormData` object. `fetch` or `undiciTransport` adds the `Content-Type` header with the boundary. */
  | { readonly _tag: 'Form'; readonly form: FormData }
  /**
   * A streamed body. `open` is called at most once, when the body is sent, because the source might not be repeatable.
   */
  | { readonly _tag: 'Streamed'; readonly open: () => AsyncIterable<Uint8Array> }

/** A response whose headers have arrived. The body might still be arriving. */
export interface ClientResponse {
  readonly status: number
  readonly headers: Headers
  /** URL of the response after any redirects. */
  readonly url: string
  /**
   * Response body, or `null` if the response has no body. It can be read only once. Cancel the body if you do not read
   * it.
   */
  readonly body: ReadableStream<Uint8Array> | null
  /** Error message if the transport cannot decode the content coding of the body. */
  readonly codingError?: string | undefined
}

/** Describes an operation for use in policies and filters. */
export interface OperationInfo {
  /** Name of the operation: the keys that lead to it in the route tree, joined by dots, such as `books.get`. */
  readonly name: string
  readonly template: string
  readonly method: string
  /** The API keys that the authentication filters of the operation declare. They are not sent to other origins. */
  readonly apiKeys?: ReadonlyArray<ApiKey>
  /** Whether the client adds an `Idempotency-Key` to requests: `idempotent` applies to the operation, and its method is not idempotent. */
  readonly isKeyed?: true
}

/** The place and the name of an API key in a request. */
export interface ApiKey {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
}

/** Function that accepts a request and returns a task that sends it. The task never rejects. */
export type Passage = (request: ClientRequest) => TaskEither<ClientError, ClientResponse>

/** A policy that changes how requests are sent, for example, by retrying, limiting or logging them. */
export interface Policy {
  readonly _tag: 'Policy'
  /**
   * Wraps `next`, the function that sends requests.
   *
   * For a policy in the client options, `around` is called once per client. State such as a retry budget is therefore
   * shared by all calls of that client. For a policy in the call options, `around` is called once per call.
   */
  readonly around: (next: Passage) => Passage
  /**
   * Position among the policies. Policies with lower values wrap policies with higher values. Policies with equal
   * values keep their order in `policies`. Default: 5000.
   */
  readonly priority?: number
}
