/**
 * Type-level declaration errors. A combinator that repeats a declaration adds the key `declarationError` to the type
 * of the endpoint. `handle` rejects such an endpoint with a message.
 *
 * A constraint on the combinator would report the error at the exact position. However, `flow` cannot compose
 * combinators with such a constraint, and reusable parameter groups require `flow`.
 */
import type { UnhandledEndpoint } from '../endpoint.ts'

/**
 * Adds the members of `Added` to the record `S` under the key `G`. If a member with the same name already exists
 * there, adds a declaration error instead.
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

/** A combinator that adds the declarations in `Added` to an endpoint, under the key `G`. */
export type AddTo<G extends string, Added> = <S>(
  endpoint: UnhandledEndpoint<S>,
) => UnhandledEndpoint<Add<S, G, Added>>

/**
 * Sets the key `G` of the record `S` to `Value`. A declaration on an operation replaces the declaration on its resource. A second
 * declaration on the same level is a declaration error.
 */
export type Override<S, G extends string, Value> = (G extends keyof S ? Redeclare<S, G> : S) &
  ('method' extends keyof S ? Record<G, Value> : Shared<G, Value>)

// Only the declarations of resources are marked, because most declarations belong to operations.

type Shared<G extends string, Value> = Record<G, Value> & Record<SharedKey<G>, true>

type SharedKey<G extends string> = `shared ${G}`

type Redeclare<S, G extends string> = Remove<S, G | SharedKey<G>> &
  ('method' extends keyof S
    ? SharedKey<G> extends keyof S
      ? unknown
      : RepeatedError<G>
    : RepeatedError<G>)

type RepeatedError<G extends string> = {
  readonly declarationError: Record<`${G} is declared twice: keep one`, never>
}

/** Removes the key `G` from the record `S`. */
export type Remove<S, G extends string> = {
  readonly [K in keyof S as K extends G ? never : K]: S[K]
}

/**
 * Resolves to `unknown` if a handler can be added to an endpoint, and otherwise to the message that the compiler
 * displays.
 */
export type Ready<S> = 'declarationError' extends keyof S
  ? [S] extends [never] // an earlier step has a type error
    ? unknown
    : keyof S['declarationError']
  : 'method' extends keyof S
    ? unknown
    : 'the endpoint has no method: add get(), post(), put(), patch(), del() or method(…)'
