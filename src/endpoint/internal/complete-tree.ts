/** The type-level check that a tree can be served: all endpoints have handlers, and all dependencies are provided. */
import type { Unhandled } from '../endpoint.ts'
import type { ErrorKey } from './slot-types.ts'

/**
 * Resolves to `unknown` if the tree with the child nodes `T` has no unresolved dependencies `R`. Otherwise, causes a compile
 * error that ends in the names of the endpoints or slots, and the remedy.
 */
export type Complete<T, R> = [keyof R] extends [never] ? unknown : Incomplete<RemedyFor<T, keyof R>>

/** A type that no tree has. The error message ends in `Remedy`. */
interface Incomplete<Remedy extends string> {
  readonly complete: Remedy
}

type RemedyFor<T, K> = K extends keyof Unhandled
  ? `${UnhandledIn<T>} has no handler: add handle(…)`
  : K extends ErrorKey<infer Tag>
    ? `the error ${Tag} is not mapped: add withMapper(mapTagged({ ${Tag}: … }))`
    : `the slot ${K & string} is not provided: add provide({ ${K & string}: … }) after all steps that need it`

/** The names of the endpoints without a handler. Subtrees whose handlers were added by `implementAll` are omitted. */
type UnhandledIn<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends { readonly _R: (need: infer R) => void }
    ? R extends Unhandled
      ? T[K] extends { readonly _T: infer U }
        ? UnhandledIn<U, `${Prefix}${K}.`>
        : `${Prefix}${K}`
      : never
    : never
}[keyof T & string]
