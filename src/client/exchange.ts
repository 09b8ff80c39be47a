/**
 * The request, the response and the functions between a call and the network.
 *
 * A call creates a `ClientRequest`. Policies and filters wrap the `Passage` that sends it; the innermost passage is the transport.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Duration } from '../endpoint/limits.ts'
import type { Headers } from '../http/headers.ts'
import type { ClientError } from './client-error.ts'

/** A request before it is sent. */
export interface ClientRequest {
  readonly operation: OperationInfo
  readonly method: string
  /** An absolute URL. */
  readonly url: string
  readonly headers: Headers
  readonly body: ClientBody | undefined
  /** Whether the operation declares a redirection as a response. Default: `true`. */
  readonly mayRedirect?: boolean
  /** Aborts the request, and the response while its body is read. */
  readonly signal: AbortSignal | undefined
  /**
   * How long this attempt waits for the head of its response. Default: `timeout` of the client. The limit for pauses of the
   * response body is fixed before policies run.
   */
  readonly timeout?: Duration | false
  /** Set after a redirect to another origin. Policies add no credentials to such a request. */
  readonly strayed?: true
}

/** A request body. Its `Content-Type` is one of the headers of the request. */
export type ClientBody =
  /** A buffered body, which can be sent again. */
  | { readonly _tag: 'Whole'; readonly content: string | Uint8Array | Blob }
  /** A `FormData` object. The `fetch` that sends it, which must be that of the platform, adds `Content-Type` with the boundary. */
  | { readonly _tag: 'Form'; readonly form: FormData }
  /** A stream. `open` is called when the body is sent, and at most once, because the source may not be repeatable. */
  | { readonly _tag: 'Pieces'; readonly open: () => AsyncIterable<Uint8Array> }

/** A response whose head has arrived. */
export interface ClientResponse {
  readonly status: number
  readonly headers: Headers
  /** The URL of the response, after redirects. */
  readonly url: string
  /** The body, which can be read once; cancel it if it is not read. `null` for a response without a body. */
  readonly body: ReadableStream<Uint8Array> | null
}

/** Describes an operation to policies and filters. */
export interface OperationInfo {
  /** The keys on the path to the operation in the route tree, joined by dots. */
  readonly name: string
  readonly template: string
  readonly method: string
}

/** Sends a request. The task never throws and never rejects. */
export type Passage = (request: ClientRequest) => TaskEither<ClientError, ClientResponse>

/** Wraps the passage between calls and the network. */
export interface Policy {
  readonly _tag: 'Policy'
  /** Called once per client, so that state such as a retry budget belongs to that client. */
  readonly around: (next: Passage) => Passage
  /** A lower value is further outside; equal values keep the order of `policies`. Default: 5000. */
  readonly priority?: number
}
