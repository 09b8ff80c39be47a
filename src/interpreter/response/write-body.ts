/** Types for the functions that write response bodies, and for the data that these functions receive. */
import type { Exchange, EncodedResponse } from '../exchange.ts'
import type { AuthenticatedPrincipal } from '../context/request-info.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'

/**
 * The parts of a request that response writers may read. `RequestState` implements this interface, so no object is created per
 * request.
 */
export interface WriteContext {
  /** The exchange, which a pre-matching filter may have rewritten. */
  readonly exchange: Exchange
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** The links in the route tree. If `undefined`, there are no links. */
  readonly links?: LinkTable
}

/** Writes a value as the body of a response. */
export type WriteResponseBody = (
  value: unknown,
  context: WriteContext,
) => string | Uint8Array | DeferredResponse

/**
 * Completes a response whose head depends on the body.
 *
 * A response with a stream starts after the first element. The headers for a file depend on the size and modification time of the
 * file.
 */
export type DeferredResponse = (
  head: StatusAndHeaders,
  exchange: Exchange,
) => Promise<EncodedResponse>

/** The status code and the headers of a response. */
export type StatusAndHeaders = Pick<EncodedResponse, 'status' | 'headers'>
