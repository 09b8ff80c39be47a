/** What functions of a program's own give back in the place of a response. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientResponse } from '../exchange.ts'
import type { Outcome } from './outcome.ts'

/** A response or an outcome, `undefined` where `N` allows it; now, as a promise, a `Task` or a `TaskEither`. */
export type Returned<N = never> =
  | ClientResponse
  | Outcome
  | N
  | Promise<ClientResponse | Outcome | N>
  | (() => Promise<ClientResponse | Outcome | N>)

/** Waits for it. */
export const outcomeOf = async <N extends undefined = never>(
  returned: Returned<N>,
): Promise<Outcome | N> => {
  const value = await (typeof returned === 'function' ? returned() : returned)
  return value === undefined || '_tag' in value ? value : E.right(value)
}
