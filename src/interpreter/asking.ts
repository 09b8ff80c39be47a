/** Who asks for a representation: what its writers may know of the request. */
import type { LinkTable } from './links/link-table.ts'
import type { Underway } from './underway.ts'

/** A call itself, as a rule: nothing is made to tell writers of it. */
export type Asking = Pick<Underway, 'exchange' | 'identity'> & {
  /** The links of the tree; none where it is left out. */
  readonly links?: LinkTable
}
