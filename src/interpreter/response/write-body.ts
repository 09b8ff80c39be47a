/** Types for writing response bodies: the writer functions, their context and their results. */
import type { Exchange, EncodedResponse } from '../exchange.ts'
import type { ResponseContext } from '../../endpoint/context.ts'
import type { AuthenticatedPrincipal, NeededValues } from '../request-info.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'

/**
 * The parts of the request state that response writers can read. `RequestState` implements this interface, so no additional object
 * is created per request.
 */
export interface WriteContext {
  /** The exchange, possibly rewritten by a pre-matching filter. */
  readonly exchange: Exchange
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** The context that the application's writers and interceptors receive. */
  readonly context: ResponseContext
  /** The URI that identifies this request in problem documents. */
  readonly instance: string
  /** The values of the variables in path prefixes, by slot key. Links under such a prefix contain them. */
  readonly prefixValues: NeededValues
  /** The links to the operations in the route tree. If `undefined`, no links are written. */
  readonly links?: LinkTable
}

/** Writes a value as the body of a response. */
export type WriteResponseBody = (
  value: unknown,
  context: WriteContext,
) => string | Uint8Array | DeferredResponse

/**
 * A function that completes a response whose head depends on the body.
 *
 * The head of a streamed response is sent only after the first element is available. The headers of a file response depend on the
 * size and the modification time of the file. The application's writers and interceptors can change the head.
 */
export type DeferredResponse = (
  head: StatusAndHeaders,
  exchange: Exchange,
) => EncodedResponse | Promise<EncodedResponse>

/** The status code and the headers of a response. */
export type StatusAndHeaders = Pick<EncodedResponse, 'status' | 'headers'>
