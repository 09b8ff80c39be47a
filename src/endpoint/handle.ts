/** The last step of a pipe: the handler, and what it is given and may return. */
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

/** What a handler is given: a member for everything that was declared. A path without variables is not there. */
export type Input<S> = [
  { readonly [K in keyof S & InputKey<S>]: K extends Single ? ValueOf<S[K]> : Values<S[K]> },
][0]

export type InputKey<S> = S extends { readonly path: infer P }
  ? keyof P extends never
    ? Single | Grouped
    : Single | Grouped | 'path'
  : never

/** The types of a record of codecs. The index takes the alias off what a hover shows. */
export type Values<P> = [{ readonly [K in keyof P]: ValueOf<P[K]> }][0]

/** The replies of a record from statuses to contents. */
export type Replies<R> = {
  [K in keyof R & number]: Reply<K, ValueOf<R[K]>>
}[keyof R & number]

type Contents<R> = { [K in keyof R]: ValueOf<R[K]> }[keyof R]

type DeclaredStatus<S, Usual extends number> = S extends {
  readonly status: infer St extends number
}
  ? St
  : Usual

type Success<S> = S extends { readonly produces: { readonly _A: infer A } }
  ? [A] extends [void]
    ? Empty<S>
    : A | Reply<DeclaredStatus<S, 200>, A>
  : Empty<S>

/** Without content: nothing needs to be returned, unless replies were declared. */
type Empty<S> = S extends { readonly responds: unknown }
  ? never
  : void | Reply<DeclaredStatus<S, 204>, void>

// A tuple indexed by `number`: the union that comes out has no alias, so that messages show what may be returned and not
// the whole record of declarations.
export type Value<S> = [
  Success<S>,
  S extends { readonly responds: infer R } ? Replies<R> : never,
  S extends { readonly fails: infer R } ? Replies<R> : never,
][number]

export type Failure<S> = [
  S extends { readonly fails: infer R } ? Contents<R> | Replies<R> : never,
  S extends { readonly raises: infer X } ? X[keyof X] : never,
][number]

/** A value, a reply, an error with a status; an `Either` of them; or a promise, a `Task` or a `TaskEither`. */
export type Returns<V, F> = Settled<V, F> | Promise<Settled<V, F>> | (() => Promise<Settled<V, F>>)

type Settled<V, F> = V | HttpError | Either<F | HttpError, V>

/** A function of the decoded input and of the request's context. */
export type Handler<S> = (input: Input<S>, context: Context) => Returns<Value<S>, Failure<S>>

/** An endpoint with its handler: what a server runs. `run` is the handler itself, to be called in a unit test. */
export interface HandledEndpoint<S> extends Endpoint<S> {
  readonly _R: (need: NeedOf<S>) => void
  readonly run: Handler<S>
}

/**
 * Gives an endpoint its handler. What it returns is a value, a reply, an `HttpError`, or an `Either` of them, now or as
 * a `Promise`, `Task` or `TaskEither`. The handler stays a function, and is tested as one.
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
 *   handle(({ path: { n } }) => (n % 2 === 0 ? E.right(n / 2) : E.left('odd'))),
 * )
 *
 * assert.deepEqual(half.run({ path: { n: 4 } }, testContext()), E.right(2))
 * assert.deepEqual(half.run({ path: { n: 3 } }, testContext()), E.left('odd'))
 * ```
 */
export const handle =
  <S>(handler: Handler<S>) =>
  (endpoint: Endpoint<S> & Ready<S>): HandledEndpoint<S> =>
    implement<S>(endpoint, handler)

/**
 * Gives an endpoint that was declared elsewhere its handler: the twin of {@link handle} for contract-first work. The
 * declaration is not changed. `implementAll` gives a whole tree its handlers.
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
  // the handler was checked against `S` just now; the definition keeps it without its types
  const definition = { ...endpoint.definition, handler: handler as AnyHandler }
  return Object.freeze({ ...makeEndpoint<S>(definition), run: handler }) as HandledEndpoint<S>
}

/** The input of an endpoint's handler, for handlers that are written apart. */
export type InputOf<E> = E extends { readonly _S: infer S } ? Input<S> : never

/** The handler of an endpoint, for handlers that are written apart. */
export type HandlerOf<E> = E extends { readonly _S: infer S } ? Handler<S> : never

/** The handlers that a tree needs still, in its shape; what has them all already is left out. */
export type Handlers<T> = {
  readonly [K in keyof T as IsUnhandled<T[K]> extends true ? K : never]: T[K] extends {
    readonly _T: infer U
  }
    ? Handlers<U>
    : T[K] extends { readonly _S: infer S }
      ? S extends { readonly mistake: infer Mistakes }
        ? keyof Mistakes
        : Handler<S>
      : never
}

type IsUnhandled<X> = X extends { readonly _R: (need: infer R) => void }
  ? R extends Unhandled
    ? true
    : false
  : false

/** The handlers of a contract, for those that are written apart: `HandlersOf<typeof contract>['books']`. */
export type HandlersOf<C> = C extends { readonly _T: infer T } ? Handlers<T> : never

/**
 * Gives a tree that was declared elsewhere its handlers, in its own shape; what stands around it stays. A handler that is missing, or
 * is of no operation, does not compile. The contract is not changed, so that its module stays without handlers, and so does a page that
 * loads it with `espalier/client`. Where a bundler resolves the package for browsers, it throws, as `handle` and `implement` do: what a
 * page loads everybody can read.
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
 * const response = await inMemory(api)(new Request('http://localhost/api/square/3'))
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
  const given = new Map<string, unknown>(
    Object.entries(typeof handlers === 'object' && handlers !== null ? handlers : {}),
  )
  for (const key of given.keys())
    if (!children.has(key)) throw new TypeError(`there is no operation ${[...keys, key].join('.')}`)
  return makeRoutes<T, R, E>(
    new Map(
      Array.from(children, ([key, child]): readonly [string, AnyNode] => {
        const one = given.get(key)
        if (one === undefined) return [key, child]
        const name = [...keys, key]
        if (child._tag === 'Routes') return [key, attachHandlers(child, one, name)]
        if (typeof one !== 'function')
          throw new TypeError(`the handler of ${name.join('.')} is no function`)
        // its types were checked where it was given
        return [key, updateDefinition(child, () => ({ handler: one as AnyHandler }))]
      }),
    ),
    wrappers,
  )
}
