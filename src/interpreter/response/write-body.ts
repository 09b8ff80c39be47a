/** The functions that write the bodies of responses, and the data they receive. */
import type { Exchange, EncodedResponse } from '../exchange.ts'
import type { AuthenticatedPrincipal } from '../context/request-info.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'

/** The parts of a request that response writers may read. `RequestState` implements it, so no object is created per request. */
export interface WriteContext {
  /** The exchange, as rewritten by a pre-matching filter. */
  readonly exchange: Exchange
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** The links of the tree. Default: no links. */
  readonly links?: LinkTable
}

/** Writes a value as the body of a response. */
export type WriteBody = (
  value: unknown,
  context: WriteContext,
) => string | Uint8Array | DeferredResponse

/**
 * Completes a response whose head depends on its body.
 *
 * A stream responds after its first element, and the headers of a file follow from its size and modification time.
 */
export type DeferredResponse = (
  head: StatusAndHeaders,
  exchange: Exchange,
) => Promise<EncodedResponse>

/** The status code and the headers of a response. */
export type StatusAndHeaders = Pick<EncodedResponse, 'status' | 'headers'>
