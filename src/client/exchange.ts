/**
 * Defines the requests and responses of a client, and the functions through which they pass.
 *
 * A call creates a `ClientRequest`, which a `Passage` sends. The innermost passage is the transport. Policies and
 * filters wrap this passage.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Duration } from '../endpoint/limits.ts'
import type { Headers } from '../http/headers.ts'
import type { ClientError } from './client-error.ts'

/** A request that is sent through policies and a transport. */
export interface ClientRequest {
  readonly operation: OperationInfo
  readonly method: string
  /** An absolute URL. */
  readonly url: string
  readonly headers: Headers
  readonly body: ClientBody | undefined
  /** Whether the operation declares a response with a redirect status. Default: `true`. */
  readonly mayRedirect?: boolean
  /** A signal that aborts the request. While the response body is being read, the signal also aborts the response. */
  readonly signal: AbortSignal | undefined
  /**
   * How long this attempt waits for the head of its response. Default: the `timeout` option of the client. Policies
   * cannot change the limit for pauses in the response body, because that limit is set before policies run.
   */
  readonly timeout?: Duration | false
  /**
   * `true` if a redirect to another origin led to this request. Policies must not add credentials to such a request.
   */
  readonly crossOrigin?: true
}

/** A request body. The media type is in the `Content-Type` header of the request. */
export type ClientBody =
  /** A buffered body, which can be sent again. */
  | { readonly _tag: 'Buffered'; readonly data: string | Uint8Array | Blob }
  /**
   * A `FormData` object. The platform's `fetch`, or `undiciTransport`, adds the `Content-Type` header with the
   * boundary.
   */
  | { readonly _tag: 'Form'; readonly form: FormData }
  /**
   * A streamed body. `open` is called at most once, when the body is sent, because the source may not be repeatable.
   */
  | { readonly _tag: 'Streamed'; readonly open: () => AsyncIterable<Uint8Array> }

/** A response whose head has arrived. */
export interface ClientResponse {
  readonly status: number
  readonly headers: Headers
  /** The URL of the response, after any redirects. */
  readonly url: string
  /**
   * The body, which can be read only once, or `null` if the response has no body. Cancel the body if you do not read
   * it.
   */
  readonly body: ReadableStream<Uint8Array> | null
}

/** Describes an operation to policies and filters. */
export interface OperationInfo {
  /**
   * The name of the operation. It consists of the keys that lead to the operation in the route tree, joined by dots.
   */
  readonly name: string
  readonly template: string
  readonly method: string
}

/** Returns a task that sends a request. The task never throws and never rejects. */
export type Passage = (request: ClientRequest) => TaskEither<ClientError, ClientResponse>

/** A policy, which wraps the passage between calls and the network. */
export interface Policy {
  readonly _tag: 'Policy'
  /**
   * Wraps the passage `next`. For a policy in the client options, this function is called once per client, so that
   * state such as a retry budget belongs to that client. For a policy in the call options, this function is called once
   * per call.
   */
  readonly around: (next: Passage) => Passage
  /**
   * The position among the policies. A policy with a lower value wraps policies with higher values. Policies with equal
   * values keep the order of `policies`. Default: 5000.
   */
  readonly priority?: number
}
