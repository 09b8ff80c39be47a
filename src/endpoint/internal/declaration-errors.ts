/**
 * Declaration errors at the type level. A combinator that repeats a declaration adds the key `declarationError` to
 * the type of the endpoint. `handle` rejects such an endpoint with a message. A constraint on the combinator would
 * report the error at the exact position. However, combinators with such a constraint cannot be composed with `flow`,
 * which reusable parameter groups require.
 */
import type { Endpoint } from '../endpoint.ts'

/**
 * The record `S` with the members of `Added` added under the key `G`, or with a declaration error if a member of that
 * name already exists there.
 */
export type Add<S, G extends string, Added> = S &
  (G extends keyof S ? Redeclared<S[G], G, Added> : Record<G, Added>)
// The messages are keys. If two messages were values of the same key, their intersection would be `never`, and all
// declarations would become `never` too.

type Redeclared<B, G extends string, Added> = keyof B & keyof Added extends never
  ? Record<G, Added>
  : {
      readonly declarationError: Record<`${G} declares ${Name<keyof B & keyof Added>} twice`, never>
    }

type Name<K> = K extends string | number ? `"${K}"` : never

/** A combinator that adds members under the key `G`. */
export type AddTo<G extends string, Added> = <S>(
  endpoint: Endpoint<S>,
) => Endpoint<Add<S, G, Added>>

/** The record `S` with `Value` under the key `G`, which replaces an existing value. */
export type Override<S, G extends string, Value> = G extends keyof S
  ? { readonly [K in keyof S as K extends G ? never : K]: S[K] } & Record<G, Value>
  : S & Record<G, Value>

/**
 * A check for endpoints: `unknown` if an endpoint can have a handler, or otherwise the message that the compiler
 * shows.
 */
export type Ready<S> = S extends { readonly declarationError: infer Errors }
  ? keyof Errors
  : S extends { readonly method: string }
    ? unknown
    : 'the endpoint has no method: add get(), post(), put(), patch(), del() or method(…)'
