/** The tree: endpoints and trees by name. The names are those of operations: in logs, in explanations, of a client's methods. */
import type { Definition } from './endpoint.ts'
import type { AnyFilter } from './filter.ts'
import type { AnyEntityProvider } from './interceptor.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeChanges } from './internal/attributes.ts'

/**
 * An immutable tree. `T` is the record of its children, `R` what it still needs, `E` the replies that filters and mappers
 * add to every endpoint below.
 */
export interface Routes<T, R, E> {
  readonly _tag: 'Routes'
  readonly children: ReadonlyMap<string, AnyNode>
  /** What was put around it, the outermost first. */
  readonly wrappers: ReadonlyArray<Wrapper>
  /** These three have no counterpart at run time. */
  readonly _T: T
  readonly _R: (need: R) => void
  readonly _E: E
}

/** What can be put around a tree. */
export type Wrapper =
  | { readonly _tag: 'Prefix'; readonly path: string }
  | { readonly _tag: 'Provide'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly _tag: 'Filters'; readonly filters: ReadonlyArray<AnyFilter> }
  | { readonly _tag: 'Mappers'; readonly mappers: ReadonlyArray<AnyMapper> }
  | { readonly _tag: 'Attributes'; readonly changes: AttributeChanges }
  | { readonly _tag: 'EntityProviders'; readonly providers: ReadonlyArray<AnyEntityProvider> }

/** A node as an interpreter sees it. */
export type AnyNode =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | {
      readonly _tag: 'Routes'
      readonly children: ReadonlyMap<string, AnyNode>
      readonly wrappers: ReadonlyArray<Wrapper>
    }

/** What `routes` takes: trees, and endpoints that have their method. */
type Node = AnyNode & { readonly _R: (need: never) => void } & (
    | { readonly _S: { readonly method: string } }
    | { readonly _T: unknown }
  )

export interface Children {
  readonly [name: string]: Node
}

// A union of functions infers the intersection of their parameters: what all children need. Asking each child with a
// conditional type instead costs the compiler 130 instantiations more for every endpoint.
type NeedOfAll<T extends Children> = T[keyof T]['_R']
type Parameter<F> = [F] extends [(need: infer R) => void] ? R : never

/** A tree. Its types are the caller's claim: what is put around one states them in its own signature. */
export const makeRoutes = <T, R, E>(
  children: ReadonlyMap<string, AnyNode>,
  wrappers: ReadonlyArray<Wrapper>,
): Routes<T, R, E> =>
  // `_T`, `_R` and `_E` are for the compiler alone, so the value need not have them
  Object.freeze({
    _tag: 'Routes',
    children,
    wrappers: Object.freeze(wrappers),
  }) as unknown as Routes<T, R, E>

/**
 * A tree of endpoints and trees. Whatever is wrong with one is reported when it is compiled, all at once, by these
 * names.
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
 * const call = inMemory(routes({ books: routes({ list }) }))
 *
 * assert.equal(await (await call(new Request('http://localhost/books'))).text(), 'books.list')
 * assert.throws(() => inMemory(routes({ list, again: list })), /list[^]*again/)
 * ```
 */
export const routes = <T extends Children>(
  children: T,
): Routes<T, Parameter<NeedOfAll<T>>, never> => makeRoutes(new Map(Object.entries(children)), [])

/** The record of a tree's children. `interface Api extends TreeOf<typeof tree> {}` keeps declaration files small. */
export type TreeOf<R> = R extends { readonly _T: infer T } ? T : never

const around =
  (wrap: Wrapper) =>
  <T, R, E>(api: Routes<T, R, E>): Routes<T, R, E> =>
    makeRoutes(api.children, [Object.freeze(wrap), ...api.wrappers])

type NoVariables<P extends string> = P extends `${string}{${string}`
  ? 'a prefix has no variables: they belong to a resource, path(template, codecs)'
  : P

/**
 * Puts a literal path in front of everything in the tree. Between the two stands one slash, however many are written.
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
 * const call = inMemory(pipe(routes({ hello }), prefix('/v1/'), prefix('api')))
 *
 * assert.equal((await call(new Request('http://localhost/api/v1/hello'))).status, 200)
 * assert.equal((await call(new Request('http://localhost/hello'))).status, 404)
 * ```
 */
export const prefix = <const P extends string>(
  literal: NoVariables<P>,
): (<T, R, E>(api: Routes<T, R, E>) => Routes<T, R, E>) => around({ _tag: 'Prefix', path: literal })

/** What is given has the type that was asked for. */
export type Fits<G, R> = [keyof G & keyof R] extends [never]
  ? unknown
  : G extends Pick<R, keyof G & keyof R>
    ? unknown
    : { readonly 'a slot is given a value of the wrong type': Pick<R, keyof G & keyof R> }
/** What is needed still. */
export type Without<R, G> = [keyof R] extends [keyof G] ? {} : Omit<R, keyof G>

/**
 * Fills slots of the tree, by their keys, with values that last as long as the application. The nearest wins. A tree
 * that still needs something does not compile where it is served.
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
 * assert.equal(await (await inMemory(api)(new Request('http://localhost/'))).text(), 'near')
 * ```
 */
export const provide =
  <G extends Readonly<Record<string, unknown>>>(values: G) =>
  <T, R, E>(api: Routes<T, R, E> & Fits<G, R>): Routes<T, Without<R, G>, E> =>
    makeRoutes(api.children, [
      Object.freeze({ _tag: 'Provide', values: Object.freeze({ ...values }) }),
      ...api.wrappers,
    ])
