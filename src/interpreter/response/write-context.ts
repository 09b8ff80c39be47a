/** Who asks for a representation: what its writers may know of the request. */
import type { Exchange } from '../exchange.ts'
import type { AuthenticatedPrincipal } from '../context/request-info.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'

/** A call itself, as a rule: nothing is made to tell writers of it. */
export interface WriteContext {
  /** As a filter before matching has rewritten it. */
  readonly exchange: Exchange
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** The links of the tree; none where it is left out. */
  readonly links?: LinkTable
}
