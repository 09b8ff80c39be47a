/**
 * Declaration errors at the type level. A combinator that declares something twice adds the key `declarationError`, which
 * `handle` rejects with its message. A constraint on the combinator itself would report the error at its exact
 * position. But such combinators could not be composed with `flow`, which reusable parameter groups need.
 */
import type { Endpoint } from '../endpoint.ts'

/** Adds the members of `Added` to the key `G` of `S`, or an error if `G` already has one of them. */
export type Add<S, G extends string, Added> = S &
  (G extends keyof S ? Redeclared<S[G], G, Added> : Record<G, Added>)
// The messages are keys. As values of one key, two of them would intersect to `never`, and with it all declarations.
type Redeclared<B, G extends string, Added> = keyof B & keyof Added extends never
  ? Record<G, Added>
  : {
      readonly declarationError: Record<`${G} declares ${Name<keyof B & keyof Added>} twice`, never>
    }

type Name<K> = K extends string | number ? `"${K}"` : never

/** A combinator that adds members to the key `G`. */
export type AddTo<G extends string, Added> = <S>(
  endpoint: Endpoint<S>,
) => Endpoint<Add<S, G, Added>>

/** Sets the key `G` of `S`. */
export type Override<S, G extends string, Value> = G extends keyof S
  ? { readonly [K in keyof S as K extends G ? never : K]: S[K] } & Record<G, Value>
  : S & Record<G, Value>

/** `unknown` if an endpoint can have a handler; otherwise the message that the compiler shows. */
export type Ready<S> = S extends { readonly declarationError: infer Errors }
  ? keyof Errors
  : S extends { readonly method: string }
    ? unknown
    : 'the endpoint has no method: add get(), post(), put(), patch(), del() or method(…)'
