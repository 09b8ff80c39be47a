/**
 * Route trees: named endpoints and subtrees. The names appear in logs, in the output of `describeRoutes`, and as
 * method names of clients.
 */
import type { RecordOnly, RejectedTree, RejectedTreeStep } from '../codec/codec.ts'
import type { Definition } from './endpoint.ts'
import { emptyDefinition, makeEndpoint, withIssue } from './endpoint.ts'
import type { AnyFilter } from './filter.ts'
import type { AnyEntityProvider } from './interceptor.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeChanges } from './definition/attributes.ts'
import { checkTree, combinator, isNode } from './internal/combinator.ts'
import { ConfigurationError } from './definition/configuration-error.ts'
import { describeValue } from './definition/describe-value.ts'
import type { AnySlot, WrongValue } from './definition/slot-types.ts'
import { isObject } from '../http/platform-value.ts'

/**
 * An immutable route tree. `T` is the record of child nodes, and `R` describes the unresolved dependencies. `E`
 * describes what the tree adds to the calls of all endpoints: the replies of filters and mappers, and the variables of
 * prefixes.
 */
export interface Routes<T, R = {}, E = never> {
  readonly _tag: 'Routes'
  readonly children: ReadonlyMap<string, AnyNode>
  /** Wrappers that apply to the tree, outermost first. */
  readonly wrappers: ReadonlyArray<Wrapper>
  /** The type parameters. `_T`, `_R` and `_E` exist only at compile time. */
  readonly _T: T
  readonly _R: (need: R) => void
  readonly _E: E
  // Not present. If a step of endpoints is applied to a tree, TypeScript reports missing members before `children`, whose type
  // states the remedy.
  readonly definition?: undefined
  readonly _S?: undefined
}

/** A wrapper around a tree, such as a prefix or a list of filters. It applies to all endpoints in the tree. */
export type Wrapper =
  | {
      readonly _tag: 'Prefix'
      readonly path: string
      /** The slots of the variables in the path, by variable name. */
      readonly slots?: ReadonlyMap<string, AnySlot>
    }
  | { readonly _tag: 'Provide'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly _tag: 'Filters'; readonly filters: ReadonlyArray<AnyFilter> }
  | { readonly _tag: 'Mappers'; readonly mappers: ReadonlyArray<AnyMapper> }
  | { readonly _tag: 'Attributes'; readonly changes: AttributeChanges }
  | { readonly _tag: 'EntityProviders'; readonly providers: ReadonlyArray<AnyEntityProvider> }

/** A node of a tree, without type parameters. This is the input of the compiler. */
export type AnyNode =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | {
      readonly _tag: 'Routes'
      readonly children: ReadonlyMap<string, AnyNode>
      readonly wrappers: ReadonlyArray<Wrapper>
    }

/** An endpoint with a method. */
interface Operation {
  readonly _tag: 'Endpoint'
  readonly definition: Definition
  readonly _S: WithMethod<'a resource is not an operation: add get(), post(), put(), patch(), del() or method(…)'>
  readonly _R: (need: never) => void
}

/** Declarations that contain a method. Otherwise, the error message of TypeScript ends in `Remedy`. */
interface WithMethod<Remedy extends string> {
  readonly method: string
  readonly _remedy?: Remedy
}

interface TreeNode {
  readonly _tag: 'Routes'
  readonly children: ReadonlyMap<string, AnyNode>
  readonly wrappers: ReadonlyArray<Wrapper>
  readonly _T: unknown
  readonly _R: (need: never) => void
}

/**
 * An alternative to a node that no value has. TypeScript selects it for a function, a filter and a record that is not a tree, so that the
 * error message ends in `Remedy`.
 */
interface NotANode<Remedy extends string> {
  (...args: never): unknown
  readonly [name: string]: object
  readonly _R: (need: never) => Remedy
}

/** The child nodes of a tree by name. */
export interface Children {
  readonly [name: string]:
    | Operation
    | TreeNode
    | NotANode<'use endpoints, routes({ … }) or pipe(tree, step)'>
}

// Inference from a union of function types yields the intersection of the parameter types: here, the dependencies of
// all child nodes. A conditional type for each child node would need 130 more type instantiations per endpoint.

type NeedOfAll<T extends Children> = T[keyof T]['_R']
type Parameter<F> = [F] extends [(need: infer R) => void] ? R : never

/** Creates a tree. TypeScript cannot check `T`, `R` and `E`, so the signature of each caller must specify them correctly. */
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

/** A value that is used as a tree. A combinator or the compiler of trees throws a `ConfigurationError` for other values. */
export type TreeInput = AnyNode | RejectedTree<string> | RejectedTreeStep<string>

/** Adds an outermost wrapper to a tree. The type arguments are not checked. Throws a `ConfigurationError` for other values. */
export const wrapTree = <T, R, E>(api: TreeInput, wrapper: Wrapper): Routes<T, R, E> => {
  checkTree('the tree', api)
  return makeRoutes(api.children, [Object.freeze(wrapper), ...api.wrappers])
}

/**
 * Combines endpoints and trees into a route tree.
 *
 * The key of an endpoint is its name. Configuration errors refer to endpoints by name. All configuration errors are
 * reported together when the tree is compiled.
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
export function routes<T extends RecordOnly<'pass a record: routes({ hello })'> & Children>(
  children: T,
): Routes<T, Parameter<NeedOfAll<T>>>
// `ReturnType<typeof routes>` is the result of the last signature, which no call needs: a tree that can be served
export function routes(
  children: RecordOnly<'pass a record: routes({ hello })'> & Children,
): Routes<Children, {}, unknown>
export function routes<T, R, E>(children: Children): Routes<T, R, E> {
  if (!isObject(children) || Array.isArray(children) || isNode(children))
    throw new ConfigurationError([
      {
        code: 'FW-ROUTE-008',
        concerns: ['routes'],
        remedy: `expected a record of endpoints and route trees, got ${describeValue(children)}: pass a record, as in routes({ getBook })`,
      },
    ])
  return makeRoutes(
    new Map(Object.entries(children).map(([key, child]) => [key, toNode(child)])),
    [],
  )
}

/** Returns a child unchanged if it is a node. Otherwise, returns an endpoint that records a configuration error. */
const isChild = (child: Children[string]): child is Operation | TreeNode => isNode(child)

const toNode = (child: Children[string]): AnyNode =>
  isChild(child)
    ? child
    : makeEndpoint(
        withIssue(
          emptyDefinition,
          'FW-ROUTE-008',
          `expected an endpoint or a route tree, got ${describeValue(child)}`,
        ),
      )

/**
 * The record of child nodes in a tree, to name its type. Declaration files of modules that import `books` then contain the name
 * instead of all its endpoints:
 *
 * ```ts
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import type { Routes, TreeOf } from 'espalier'
 *
 * const tree = routes({ hello: pipe(path('/hello'), get(), produces(text), handle(() => 'Hello')) })
 * export interface Books extends TreeOf<typeof tree> {}
 * export const books: Routes<Books> = tree
 * ```
 */
export type TreeOf<R> = R extends { readonly _T: infer T } ? T : never

/**
 * Checks the types of provided values. Resolves to `unknown` if the values `G` have the types required by the
 * dependencies `R`. Otherwise, causes a compile error that ends in the names of the slot and of the
 * property that is missing or has the wrong type.
 */
export type Fits<G, R> = [keyof G & keyof R] extends [never]
  ? unknown
  : G extends Pick<R, keyof G & keyof R>
    ? unknown
    : string extends keyof G // the values are not a record, which is another error
      ? unknown
      : WrongValue<G, R>

/** The dependencies in `R` that `G` does not provide. */
export type Without<R, G> = [keyof R] extends [keyof G] ? {} : Omit<R, keyof G>

/**
 * Provides slot values to all endpoints and filters in the tree. The keys of `values` are slot keys. All requests
 * share the values.
 *
 * If multiple values are provided for a slot, the innermost value applies. Serving a tree with an unresolved
 * dependency is a compile error.
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
export const provide = combinator(
  'provide',
  'Routes',
  // without an index signature, so that an object of an interface is accepted, and the missing slot is the only error
  <G extends object>(values: G) =>
    <T, R, E>(
      api: (Routes<T, R, E> & Fits<G, R>) | RejectedTree<'apply provide to a tree: routes({ … })'>,
    ): Routes<T, Without<R, G>, E> =>
      wrapTree(api, { _tag: 'Provide', values: Object.freeze({ ...values }) }),
)
