/** Who asks for a representation: what its writers may know of the request. */
import type { Underway } from './underway.ts'

/** A call itself, as a rule: nothing is made to tell writers of it. */
export type Asking = Pick<Underway, 'exchange' | 'identity'>
