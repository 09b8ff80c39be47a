/**
 * What passes between a call and the network. A call makes a `ClientRequest`, policies and filters stand around the passage,
 * and the innermost passage is `fetch`.
 */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Headers } from '../http/headers.ts'
import type { ClientError } from './client-error.ts'
import type { Duration } from '../endpoint/limits.ts'

/** A request before it is sent. */
export interface ClientRequest {
  readonly operation: OperationInfo
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: Headers
  readonly body: ClientBody | undefined
  /** Whether the operation declares redirections as answers; what is not said counts as so. */
  readonly mayRedirect?: boolean
  /** Aborts the request, and the response while it is read. */
  readonly signal: AbortSignal | undefined
  /**
   * How long this try waits for the head of its response; what the client says unless it is said. How long a content may be silent,
   * the call has said before policies see it.
   */
  readonly timeout?: Duration | false
  /** A redirect has led it away from the origin of the call: nobody adds credentials to it any more. */
  readonly strayed?: true
}

/** What is sent, under the `Content-Type` that stands in the headers. */
export type ClientBody =
  /** Whole, so that it can be sent again. */
  | { readonly _tag: 'Whole'; readonly content: string | Uint8Array | Blob }
  /** A form of the platform, whose `Content-Type` with its boundary is made where it is sent: by a `fetch` that is of the platform too. */
  | { readonly _tag: 'Form'; readonly form: FormData }
  /** In pieces, which are asked for when they are sent: once, because their source may have no second beginning. */
  | { readonly _tag: 'Pieces'; readonly open: () => AsyncIterable<Uint8Array> }

/** A response whose head is there. */
export interface ClientResponse {
  readonly status: number
  readonly headers: Headers
  /** The URL that answered, after redirects. */
  readonly url: string
  /** Its octets, which can be taken once; whoever does not want them cancels them. `null` where there are none. */
  readonly body: ReadableStream<Uint8Array> | null
}

/** What a client says of an operation to those who stand between. */
export interface OperationInfo {
  /** The keys on the way to it, joined by dots. */
  readonly name: string
  readonly template: string
  readonly method: string
}

/** The way of a request to its response. It never throws and never rejects. */
export type Passage = (request: ClientRequest) => TaskEither<ClientError, ClientResponse>

/**
 * What stands between calls and the network. `around` is called once for each client, so that what it remembers (a budget, the
 * state of a breaker) belongs to that client.
 */
export interface Policy {
  readonly _tag: 'Policy'
  readonly around: (next: Passage) => Passage
  /** Smaller numbers stand further outside, equal ones in the order in which they are given; 5000 unless it is said. */
  readonly priority?: number
}
