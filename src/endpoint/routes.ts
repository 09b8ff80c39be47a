/** Route trees: named endpoints and subtrees. Names appear in logs, in `explain` and as methods of clients. */
import type { Definition } from './endpoint.ts'
import type { AnyFilter } from './filter.ts'
import type { AnyEntityProvider } from './interceptor.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeChanges } from './internal/attributes.ts'

/**
 * An immutable route tree. `T` is the record of its children, `R` its unresolved dependencies, and `E` the
 * replies that filters and mappers add to all endpoints.
 */
export interface Routes<T, R, E> {
  readonly _tag: 'Routes'
  readonly children: ReadonlyMap<string, AnyNode>
  /** Wrappers of the tree, outermost first. */
  readonly wrappers: ReadonlyArray<Wrapper>
  /** `_T`, `_R` and `_E` exist only at compile time. */
  readonly _T: T
  readonly _R: (need: R) => void
  readonly _E: E
}

/** A wrapper of a tree, which applies to all endpoints in it. */
export type Wrapper =
  | { readonly _tag: 'Prefix'; readonly path: string }
  | { readonly _tag: 'Provide'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly _tag: 'Filters'; readonly filters: ReadonlyArray<AnyFilter> }
  | { readonly _tag: 'Mappers'; readonly mappers: ReadonlyArray<AnyMapper> }
  | { readonly _tag: 'Attributes'; readonly changes: AttributeChanges }
  | { readonly _tag: 'EntityProviders'; readonly providers: ReadonlyArray<AnyEntityProvider> }

/** A node of a tree without its types: the input of the compiler. */
export type AnyNode =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | {
      readonly _tag: 'Routes'
      readonly children: ReadonlyMap<string, AnyNode>
      readonly wrappers: ReadonlyArray<Wrapper>
    }

/** A child of `routes`: a tree, or an endpoint with a method. */
type Node = AnyNode & { readonly _R: (need: never) => void } & (
    | { readonly _S: { readonly method: string } }
    | { readonly _T: unknown }
  )

/** Children of a tree by name. */
export interface Children {
  readonly [name: string]: Node
}

// Inference from a union of functions yields the intersection of their parameters: the dependencies of all children. A
// conditional type per child would cost 130 more instantiations per endpoint.
type NeedOfAll<T extends Children> = T[keyof T]['_R']
type Parameter<F> = [F] extends [(need: infer R) => void] ? R : never

/** Makes a tree. The type arguments are not checked: each combinator states in its signature what it changes. */
export const makeRoutes = <T, R, E>(
  children: ReadonlyMap<string, AnyNode>,
  wrappers: ReadonlyArray<Wrapper>,
): Routes<T, R, E> =>
  // `_T`, `_R` and `_E` exist only at compile time
  Object.freeze({
    _tag: 'Routes',
    children,
    wrappers: Object.freeze(wrappers),
  }) as unknown as Routes<T, R, E>

/**
 * Combines endpoints and trees into a route tree.
 *
 * The key of an endpoint is its name. Configuration errors refer to it, and are all reported together when the
 * tree is compiled.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const list = pipe(
 *   path('/books'),
 *   get(),
 *   produces(text),
 *   handle((_, { endpoint }) => endpoint.name),
 * )
 * const send = inMemory(routes({ books: routes({ list }) }))
 *
 * assert.equal(await (await send('http://localhost/books')).text(), 'books.list')
 * assert.throws(() => inMemory(routes({ list, again: list })), /list[^]*again/)
 * ```
 */
export const routes = <T extends Children>(
  children: T,
): Routes<T, Parameter<NeedOfAll<T>>, never> => makeRoutes(new Map(Object.entries(children)), [])

/**
 * The record of a tree's children. `interface Api extends TreeOf<typeof tree> {}` keeps declaration files
 * small.
 */
export type TreeOf<R> = R extends { readonly _T: infer T } ? T : never

const around =
  (wrap: Wrapper) =>
  <T, R, E>(api: Routes<T, R, E>): Routes<T, R, E> =>
    makeRoutes(api.children, [Object.freeze(wrap), ...api.wrappers])

type NoVariables<P extends string> = P extends `${string}{${string}`
  ? 'a prefix must not have variables: declare them in path(template, codecs)'
  : P

/**
 * Adds a literal path prefix to all endpoints in the tree. Exactly one slash separates prefix and path.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, prefix, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const send = inMemory(pipe(routes({ hello }), prefix('/v1/'), prefix('api')))
 *
 * assert.equal((await send('http://localhost/api/v1/hello')).status, 200)
 * assert.equal((await send('http://localhost/hello')).status, 404)
 * ```
 */
export const prefix = <const P extends string>(
  literal: NoVariables<P>,
): (<T, R, E>(api: Routes<T, R, E>) => Routes<T, R, E>) => around({ _tag: 'Prefix', path: literal })

/** `unknown` if the values `G` fit the dependencies `R`; otherwise a compile error that names the slot. */
export type Fits<G, R> = [keyof G & keyof R] extends [never]
  ? unknown
  : G extends Pick<R, keyof G & keyof R>
    ? unknown
    : { readonly 'the value of a slot has the wrong type': Pick<R, keyof G & keyof R> }
/** The dependencies `R` that `G` does not provide. */
export type Without<R, G> = [keyof R] extends [keyof G] ? {} : Omit<R, keyof G>

/**
 * Provides values for slots in the tree, by slot key. The values live as long as the application.
 *
 * The innermost value wins. A tree with an unresolved dependency does not compile where it is served.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, needs, path, produces, provide, routes, slot, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Name = slot<string>()('name')
 * const hello = pipe(
 *   path('/'),
 *   get(),
 *   needs({ name: Name }),
 *   produces(text),
 *   handle((input) => input.needs.name),
 * )
 * const api = pipe(routes({ hello }), provide({ name: 'near' }), provide({ name: 'far' }))
 *
 * assert.equal(await (await inMemory(api)('http://localhost/')).text(), 'near')
 * ```
 */
export const provide =
  <G extends Readonly<Record<string, unknown>>>(values: G) =>
  <T, R, E>(api: Routes<T, R, E> & Fits<G, R>): Routes<T, Without<R, G>, E> =>
    makeRoutes(api.children, [
      Object.freeze({ _tag: 'Provide', values: Object.freeze({ ...values }) }),
      ...api.wrappers,
    ])
