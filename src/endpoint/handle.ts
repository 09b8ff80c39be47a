/** Handlers: the functions that add handlers to endpoints, and the types of handlers. */
import type { RejectedTree } from '../codec/codec.ts'
import type { Context } from './context.ts'
import type { AnyHandler, Endpoint, Unhandled, UnhandledEndpoint } from './endpoint.ts'
import { makeEndpoint, updateDefinition, withConflict } from './endpoint.ts'
import type { Ready } from './internal/declaration-errors.ts'
import { anyOf, checkTree, combinator } from './internal/combinator.ts'
import type { Input, ResultOf } from './internal/handler-types.ts'
import type { NeedOf } from './definition/slot-types.ts'
import type { AnyNode, Routes, Without } from './routes.ts'
import { makeRoutes } from './routes.ts'
import { isObject } from '../http/platform-value.ts'

/** A function that receives the decoded input and the request context, and returns a result. */
export type Handler<S> = (input: Input<S>, context: Context) => ResultOf<S>

// Where a type is displayed, it is written without the alias, or is a distributive conditional type: editors then show its members
// instead of the declarations `S`.

/** An endpoint with a handler. Unit tests can call the handler as `run`. */
export interface HandledEndpoint<S> extends Endpoint<S> {
  readonly _R: (need: NeedOf<S>) => void
  /** Distinguishes the endpoint from one without a handler. This member exists only at compile time. */
  readonly _H: true
  readonly run: (input: Input<S>, context: Context) => ResultOf<S>
}

/**
 * Adds a handler to an endpoint.
 *
 * The handler returns a value, a reply, an `HttpError`, or an `Either` that contains such a value. The result can
 * also be a `Promise`, `Task` or `TaskEither`. A thrown error results in a 500 response, unless it is an `HttpError` or a mapper
 * handles it. Unit tests can call the handler as `run`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { fails, get, handle, int, path, produces, text } from 'espalier'
 * import { testContext } from 'espalier/testing'
 *
 * const half = pipe(
 *   path('/half/{n}', { n: int }),
 *   get(),
 *   produces(int),
 *   fails(422, text),
 *   handle(({ path: { n } }) => (n % 2 === 0 ? E.right(n / 2) : E.left('not even'))),
 * )
 *
 * assert.deepEqual(half.run({ path: { n: 4 } }, testContext()), E.right(2))
 * assert.deepEqual(half.run({ path: { n: 3 } }, testContext()), E.left('not even'))
 * ```
 */
export const handle = combinator(
  'handle',
  'Endpoint',
  // `S` is inferred only from the endpoint, so that a handler can be a reference to a function. Without the alias `Handler`,
  // TypeScript instantiates fewer types.
  <S>(handler: NoInfer<(input: Input<S>, context: Context) => ResultOf<S>>) =>
    (endpoint: UnhandledEndpoint<S> & Ready<S>): HandledEndpoint<S> =>
      implement<S>(endpoint, handler),
)

/**
 * Adds a handler to an endpoint that is declared in a separate contract. This is the contract-first form of
 * {@link handle}.
 *
 * Returns a new endpoint, and leaves the contract unchanged. To add handlers to a whole tree, use
 * {@link implementAll}.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, implement, int, path, produces } from 'espalier'
 * import { testContext } from 'espalier/testing'
 *
 * const contract = { square: pipe(path('/square/{n}', { n: int }), get(), produces(int)) }
 * const square = implement(contract.square, ({ path: { n } }) => n * n)
 *
 * assert.equal(square.run({ path: { n: 3 } }, testContext()), 9)
 * assert.equal('run' in contract.square, false)
 * ```
 */
export const implement = <S>(
  endpoint: UnhandledEndpoint<S> & Ready<S>,
  handler: NoInfer<Handler<S>>,
): HandledEndpoint<S> => {
  // the handler is type-checked against `S` above, because the definition has no types
  const definition = {
    ...(endpoint.definition.handler === undefined
      ? endpoint.definition
      : withConflict(endpoint.definition, 'the handler is declared twice')),
    handler: handler as AnyHandler,
  }
  const handled: unknown = withRun(makeEndpoint<S>(definition), handler)
  // `_H` exists only at compile time
  return handled as HandledEndpoint<S>
}

/** Adds `run` to an endpoint whose definition contains the handler. */
const withRun = <X extends object>(endpoint: X, run: unknown): X & { readonly run: unknown } =>
  Object.freeze({ ...endpoint, run })

/**
 * The input received by the handler of an endpoint. For example: `InputOf<typeof getBook>`. For an operation of a contract, use
 * `Parameters<HandlersOf<typeof contract>['books']['find']>[0]`.
 */
export type InputOf<E> = E extends { readonly _S: infer S } ? Input<S> : never

/** The type of the handler of an endpoint. For example: `HandlerOf<typeof getBook>`. */
export type HandlerOf<E> = E extends { readonly _S: infer S }
  ? (input: Input<S>, context: Context) => ResultOf<S>
  : never

/**
 * The handlers that are missing from a tree, as a record with the structure of the tree. Endpoints that already have
 * a handler are omitted.
 */
export type Handlers<T> = T extends unknown
  ? {
      readonly [K in keyof T as IsUnhandled<T[K]> extends true ? K : never]: T[K] extends {
        readonly _T: infer U
      }
        ? Handlers<U>
        : T[K] extends { readonly _S: infer S }
          ? S extends { readonly declarationError: infer Errors }
            ? keyof Errors
            : (input: Input<S>, context: Context) => ResultOf<S>
          : never
    }
  : never

type IsUnhandled<X> = X extends { readonly _R: (need: infer R) => void }
  ? R extends Unhandled
    ? true
    : false
  : false

/** The handlers that are missing from a contract, as a record. For example: `HandlersOf<typeof contract>['books']`. */
export type HandlersOf<C> = C extends { readonly _T: infer T } ? Handlers<T> : never

/**
 * Adds handlers to all endpoints in a tree that is declared as a separate contract.
 *
 * The record of handlers has the structure of the tree. A missing handler or an unknown name is a compile error. An
 * unknown name also throws a `TypeError`. Filters and other wrappers of the tree are kept. The contract is not
 * changed. Unit tests call the handlers with `endpointsOf` from `espalier/testing`.
 *
 * Apply filters to the returned tree. To apply different filters to parts of a contract, declare each part as a tree, and call
 * `implementAll` for each of them.
 *
 * Because the contract is separate, a web page can load it for `espalier/client` without loading any handlers. In a
 * web page, `handle`, `implement`, `implementAll` and `provide` throw a `TypeError`, because all code loaded by a
 * page is public.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, implementAll, int, path, prefix, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * // contract.ts
 * const square = pipe(path('/square/{n}', { n: int }), get(), produces(int))
 * const hello = pipe(path('/hello'), get(), produces(text))
 * const contract = pipe(routes({ numbers: routes({ square }), hello }), prefix('/api'))
 *
 * // service.ts
 * const api = implementAll(contract, {
 *   numbers: { square: ({ path: { n } }) => n * n },
 *   hello: () => 'Hello',
 * })
 * const response = await inMemory(api)('http://localhost/api/square/3')
 * assert.equal(await response.text(), '9')
 * ```
 */
export const implementAll = <T, R, E>(
  contract:
    | Routes<T, R, E>
    | RejectedTree<'the first argument is a tree of endpoints: routes({ … })'>,
  handlers: NoInfer<Handlers<T>>,
): Routes<T, Without<R, Unhandled>, E> => {
  checkTree('the contract', contract)
  return attachHandlers(contract, handlers, [])
}

const attachHandlers = <T, R, E>(
  { children, wrappers }: Extract<AnyNode, { readonly _tag: 'Routes' }>,
  handlers: unknown,
  keys: ReadonlyArray<string>,
): Routes<T, R, E> => {
  const handlersByKey = new Map<string, unknown>(Object.entries(isObject(handlers) ? handlers : {}))
  for (const key of handlersByKey.keys())
    if (!children.has(key))
      throw new TypeError(
        `unknown operation ${[...keys, key].join('.')}: expected ${anyOf([...children.keys()])}, or declare the operation in the contract`,
      )
  return makeRoutes<T, R, E>(
    new Map(
      Array.from(children, ([key, child]): readonly [string, AnyNode] => {
        const handler = handlersByKey.get(key)
        if (handler === undefined) return [key, child]
        const name = [...keys, key]
        if (child._tag === 'Routes') return [key, attachHandlers(child, handler, name)]
        if (typeof handler !== 'function')
          throw new TypeError(`invalid handler for ${name.join('.')}: expected a function`)
        // the signature of `implementAll` has type-checked the handler
        const implemented = updateDefinition(child, () => ({ handler: handler as AnyHandler }))
        return [key, withRun(implemented, handler)]
      }),
    ),
    wrappers,
  )
}

/** Replaces each handler of a tree with the result of `wrap`. `run`, which unit tests call, is not replaced. */
export const wrapHandlers = <T, R, E>(
  { children, wrappers }: Extract<AnyNode, { readonly _tag: 'Routes' }>,
  wrap: (handler: AnyHandler) => AnyHandler,
): Routes<T, R, E> =>
  makeRoutes<T, R, E>(
    new Map(
      Array.from(children, ([key, child]): readonly [string, AnyNode] => [
        key,
        child._tag === 'Routes'
          ? wrapHandlers(child, wrap)
          : updateDefinition(child, ({ handler }) =>
              handler === undefined ? {} : { handler: wrap(handler) },
            ),
      ]),
    ),
    wrappers,
  )

/** The endpoints of a tree whose endpoints all have handlers, as a record with the structure of the tree. */
export type EndpointsOf<T> = T extends unknown
  ? {
      readonly [K in keyof T]: T[K] extends { readonly _T: infer U }
        ? EndpointsOf<U>
        : T[K] extends { readonly _S: infer S }
          ? HandledEndpoint<S>
          : never
    }
  : never

/** Resolves to `unknown` if no handler is missing, and otherwise to the message that the compiler displays. */
type Complete<R> = R extends Unhandled
  ? 'the tree has an endpoint without a handler: add handle(…), implement(…) or implementAll(…)'
  : unknown

/**
 * Returns the endpoints of a tree, as a record with the structure of the tree. Unit tests use it to call the handlers that
 * {@link implementAll} has added to a contract.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, implementAll, int, path, prefix, produces, routes } from 'espalier'
 * import { endpointsOf, testContext } from 'espalier/testing'
 *
 * const square = pipe(path('/square/{n}', { n: int }), get(), produces(int))
 * const contract = pipe(routes({ numbers: routes({ square }) }), prefix('/api'))
 * const api = implementAll(contract, { numbers: { square: ({ path: { n } }) => n * n } })
 *
 * const { numbers } = endpointsOf(api)
 * assert.equal(numbers.square.run({ path: { n: 3 } }, testContext()), 9)
 * ```
 */
export const endpointsOf = <T, R, E>(
  api: (Routes<T, R, E> & Complete<R>) | RejectedTree<'pass a tree of endpoints: routes({ … })'>,
): EndpointsOf<T> => {
  checkTree('endpointsOf', api)
  return recordOf(api) as EndpointsOf<T>
}

const recordOf = ({ children }: Extract<AnyNode, { readonly _tag: 'Routes' }>): object =>
  Object.freeze(
    Object.fromEntries(
      Array.from(children, ([key, child]) => [
        key,
        child._tag === 'Routes' ? recordOf(child) : child,
      ]),
    ),
  )
