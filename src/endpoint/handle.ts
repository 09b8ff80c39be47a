/** Handlers: the types of their input and results, and the functions that add handlers to endpoints. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Context } from './context.ts'
import type { AnyHandler, Endpoint, Unhandled } from './endpoint.ts'
import { makeEndpoint, updateDefinition } from './endpoint.ts'
import type { HttpError } from './http-error.ts'
import type { Ready } from './internal/declaration-errors.ts'
import type { Reply } from './reply.ts'
import type { NeedOf, ValueOf } from './internal/slot-types.ts'
import type { AnyNode, Routes, Without } from './routes.ts'
import { makeRoutes } from './routes.ts'

type Single = 'body' | 'queryMap'

type Grouped = 'query' | 'header' | 'cookie' | 'matrix' | 'form' | 'needs'

/**
 * The input of a handler, with one member for each kind of declaration. The `path` member exists only if the path has
 * variables.
 */
export type Input<S> = [
  { readonly [K in keyof S & InputKey<S>]: K extends Single ? ValueOf<S[K]> : Values<S[K]> },
][0]

/** The keys of declarations that become members of the handler input. */
export type InputKey<S> = S extends { readonly path: infer P }
  ? keyof P extends never
    ? Single | Grouped
    : Single | Grouped | 'path'
  : never

/**
 * The decoded values for a record of codecs. The type is defined as an element of a tuple type, so that editors show
 * the values instead of the alias.
 */
export type Values<P> = [{ readonly [K in keyof P]: ValueOf<P[K]> }][0]

/** The replies declared by a record that maps statuses to bodies. */
export type Replies<R> = {
  [K in keyof R & number]: Reply<K, ValueOf<R[K]>>
}[keyof R & number]

type Bodies<R> = { [K in keyof R]: ValueOf<R[K]> }[keyof R]

type DeclaredStatus<S, Default extends number> = S extends {
  readonly status: infer St extends number
}
  ? St
  : Default

type Success<S> = S extends { readonly produces: { readonly _A: infer A } }
  ? [A] extends [void]
    ? Empty<S>
    : A | Reply<DeclaredStatus<S, 200>, A>
  : Empty<S>

/**
 * The success result of an operation without a response body: either no value or a reply without a body. If `responds`
 * declares replies other than 304, the handler must return one of those replies instead.
 */
type Empty<S> = S extends { readonly responds: infer R }
  ? keyof R extends 304
    ? void | Reply<DeclaredStatus<S, 204>, void>
    : never
  : void | Reply<DeclaredStatus<S, 204>, void>

// Indexing a tuple type with `number` yields a union without an alias. Compiler messages therefore show the allowed
// results instead of the record of declarations.

export type Value<S> = [
  Success<S>,
  S extends { readonly responds: infer R } ? Replies<R> : never,
  S extends { readonly fails: infer R } ? Replies<R> : never,
][number]

/** The values that a handler can return in a `Left`. */
export type Failure<S> = [
  S extends { readonly fails: infer R } ? Bodies<R> | Replies<R> : never,
  S extends { readonly raises: infer X } ? X[keyof X] : never,
][number]

/**
 * The possible results of a handler: a value, a reply, an `HttpError`, or an `Either` that contains such a value. The
 * result can also be a `Promise`, a `Task` or a `TaskEither`.
 */
export type Returns<V, F> = Settled<V, F> | Promise<Settled<V, F>> | (() => Promise<Settled<V, F>>)

type Settled<V, F> = V | HttpError | Either<F | HttpError, V>

/** A function that receives the decoded input and the request context, and returns a result. */
export type Handler<S> = (input: Input<S>, context: Context) => Returns<Value<S>, Failure<S>>

/** An endpoint with a handler. Unit tests can call the handler as `run`. */
export interface HandledEndpoint<S> extends Endpoint<S> {
  readonly _R: (need: NeedOf<S>) => void
  readonly run: Handler<S>
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
export const handle =
  <S>(handler: Handler<S>) =>
  (endpoint: Endpoint<S> & Ready<S>): HandledEndpoint<S> =>
    implement<S>(endpoint, handler)

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
  endpoint: Endpoint<S> & Ready<S>,
  handler: Handler<S>,
): HandledEndpoint<S> => {
  // the handler is type-checked against `S` above, because the definition has no types
  const definition = { ...endpoint.definition, handler: handler as AnyHandler }
  return Object.freeze({ ...makeEndpoint<S>(definition), run: handler }) as HandledEndpoint<S>
}

/** The input received by the handler of an endpoint. For example: `InputOf<typeof getBook>`. */
export type InputOf<E> = E extends { readonly _S: infer S } ? Input<S> : never

/** The type of the handler of an endpoint. For example: `HandlerOf<typeof getBook>`. */
export type HandlerOf<E> = E extends { readonly _S: infer S } ? Handler<S> : never

/**
 * The handlers that are missing from a tree, as a record with the structure of the tree. Endpoints that already have
 * a handler are omitted.
 */
export type Handlers<T> = {
  readonly [K in keyof T as IsUnhandled<T[K]> extends true ? K : never]: T[K] extends {
    readonly _T: infer U
  }
    ? Handlers<U>
    : T[K] extends { readonly _S: infer S }
      ? S extends { readonly declarationError: infer Errors }
        ? keyof Errors
        : Handler<S>
      : never
}

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
 * changed.
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
  contract: Routes<T, R, E>,
  handlers: NoInfer<Handlers<T>>,
): Routes<T, Without<R, Unhandled>, E> => attachHandlers(contract, handlers, [])

const attachHandlers = <T, R, E>(
  { children, wrappers }: Extract<AnyNode, { readonly _tag: 'Routes' }>,
  handlers: unknown,
  keys: ReadonlyArray<string>,
): Routes<T, R, E> => {
  const handlersByKey = new Map<string, unknown>(
    Object.entries(typeof handlers === 'object' && handlers !== null ? handlers : {}),
  )
  for (const key of handlersByKey.keys())
    if (!children.has(key)) throw new TypeError(`unknown operation ${[...keys, key].join('.')}`)
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
        return [key, updateDefinition(child, () => ({ handler: handler as AnyHandler }))]
      }),
    ),
    wrappers,
  )
}
