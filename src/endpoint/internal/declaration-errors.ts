/**
 * Types of declarations, and of errors in declarations. A combinator that repeats a declaration adds the key `declarationError` to the type
 * of the endpoint. `handle` rejects such an endpoint with a message.
 *
 * A constraint on the combinator would report the error at the exact position. However, `flow` cannot compose
 * combinators with such a constraint, and reusable parameter groups require `flow`.
 */
import type { UnhandledEndpoint } from '../endpoint.ts'

// The result of a combinator is an intersection without a type alias, because editors would show the alias.

/**
 * A combinator that adds the declaration `M` to an endpoint. `G` is the key of `M`, and `K` are the names of its members. If one of them has
 * already been declared, the combinator adds a declaration error instead.
 */
export type AddTo<G extends string, K, M> = <S>(
  endpoint: UnhandledEndpoint<S>,
) => UnhandledEndpoint<S & Redeclared<MembersOf<S, G> & K, G, M>>

/** Like {@link AddTo}, for parameters. */
export type AddParameters<G extends keyof ParametersIn<unknown>, P> = <S>(
  endpoint: UnhandledEndpoint<S>,
) => UnhandledEndpoint<S & Redeclared<MembersOf<S, G> & keyof P, G, ParametersIn<P>[G]>>

/** The declaration that {@link AddTo} adds to `S`. */
export type Added<S, G extends string, K, M> = Redeclared<MembersOf<S, G> & K, G, M>

/** The names of the members that `S` declares under the key `G`. */
export type MembersOf<S, G> = G extends keyof S ? keyof S[G] : never

/** The declaration `M`, or a declaration error for the names `K` if there are any. */
// TypeScript compares the results of combinators, and instantiates both branches of a conditional type in them. They must therefore be
// cheap: the names are computed once, outside of the condition.
export type Redeclared<K, G extends string, M> = [K] extends [never]
  ? M
  : {
      readonly declarationError: Record<`${G} declares ${Name<K>} twice: keep one`, never>
    }
// The messages are keys. If two messages were values of the same key, their intersection would be `never`, and all
// declarations would become `never` too.

type Name<K> = K extends string | number ? `"${K}"` : never

/**
 * A combinator that adds the declaration `M` to an endpoint. `G` is the key of `M`. A declaration on an operation replaces the declaration
 * on its resource. A second declaration on the same level is a declaration error.
 */
export type SetIn<G extends string, M> = <S>(
  endpoint: UnhandledEndpoint<S>,
) => UnhandledEndpoint<
  (G extends keyof S ? Redeclare<S, G> : S) &
    ('method' extends keyof S ? M : M & Record<SharedKey<G>, true>)
>

// Only the declarations of resources are marked, because most declarations belong to operations.

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
    : 'the endpoint has no method: add get(), post(), put(), patch(), del() or method(…) before handle'

// The declarations of each kind. Editors show their names, as in `Query<{ page: IntC }>`.

export interface Query<P> {
  readonly query: P
}

export interface Header<P> {
  readonly header: P
}

export interface Cookie<P> {
  readonly cookie: P
}

export interface Matrix<P> {
  readonly matrix: P
}

/** The declarations of the parameters `P`, by group. */
export interface ParametersIn<P> {
  readonly query: Query<P>
  readonly header: Header<P>
  readonly cookie: Cookie<P>
  readonly matrix: Matrix<P>
}

export interface Form<F> {
  readonly form: F
}

export interface Needs<N> {
  readonly needs: N
}

export interface Raises<X> {
  readonly raises: X
}

export interface Responds<R> {
  readonly responds: R
}

export interface Fails<R> {
  readonly fails: R
}

export interface Produces<X> {
  readonly produces: X
}

export interface StatusIs<St> {
  readonly status: St
}
