/** The type-level check that a tree can be served: all endpoints have handlers, and all dependencies are provided. */
import type { RejectedTree, RejectedTreeStep } from '../../codec/codec.ts'
import type { Unhandled } from '../endpoint.ts'
import type { Routes } from '../routes.ts'
import type { ErrorKey, KeyOf } from '../definition/slot-types.ts'

// If the declaration of the tree has a type error, `R` is `never`. Another error would hide the first one.

/**
 * Resolves to `unknown` if the tree with the child nodes `T` has no unresolved dependencies `R`. Otherwise, causes a compile
 * error that ends in the names of the endpoints or slots, and the remedy.
 */
export type Complete<T, R, E = never> = [keyof R] extends [never]
  ? unknown
  : string extends keyof R
    ? unknown
    : Incomplete<RemedyFor<T, keyof R, E>>

/**
 * A tree that can be served. For other values, the error message of TypeScript ends in the remedy.
 */
export type Servable<T, R, E> =
  | (Routes<T, R, E> & Complete<T, R, E>)
  | RejectedTree<'serve a tree of endpoints: routes({ … })'>
  | RejectedTreeStep<"serve a tree: routes({ … }), or apply the step to it, as in pipe(tree, prefix('/x'))">

/** A type that no tree has. The error message ends in `Remedy`. */
interface Incomplete<Remedy extends string> {
  readonly complete: Remedy
}

type RemedyFor<T, K, E> = K extends keyof Unhandled
  ? `${UnhandledIn<T>} has no handler: add handle(…), implement(…) or implementAll(…)`
  : K extends ErrorKey<infer Tag>
    ? `the error ${Tag} is not mapped: add withMapper(mapTagged({ ${Tag}: … }))`
    : K extends PrefixKeys<E> | PrefixKeysIn<T>
      ? `the slot ${K & string} is filled only inside a prefix: apply prefix(…) after withFilter(…), or add provide({ ${K & string}: … })`
      : `the slot ${K & string} is not provided: add provide({ ${K & string}: … }), or a filter that gives it, after all steps that need it`

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

/** The keys of the slots that prefixes fill. `E` is the third type parameter of a tree. */
type PrefixKeys<E> = E extends { readonly _tag: 'PrefixInput'; readonly path: infer V }
  ? KeyOf<V[keyof V]>
  : never

/** The keys of the slots that prefixes of subtrees fill. */
type PrefixKeysIn<T> = {
  [K in keyof T]: T[K] extends { readonly _T: infer U; readonly _E: infer E }
    ? PrefixKeys<E> | PrefixKeysIn<U>
    : never
}[keyof T]
