/** Calls of other operations in the same route tree, without a request. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { CommonContext } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import type { Input, Replies, Values } from './handle.ts'
import type { HttpError } from './http-error.ts'
import { operationsOf } from './internal/tree-operations.ts'
import type { Reply } from './reply.ts'

/** Options for {@link call}. */
export interface LocalCallOptions {
  /**
   * Name of the operation, such as `v1.books.get`. Required only if the endpoint occurs several times in the tree, and
   * none of its operations is closer to the current operation than the others.
   */
  readonly name?: string | undefined
}

type Needs<S> = S extends { readonly needs: infer N }
  ? { readonly needs?: Partial<Values<N>> }
  : unknown

type Flat<T> = [{ readonly [K in keyof T]: T[K] }][0]

/** The input for a call: decoded values, as for `run`. Slot values in `needs` override those of the tree. */
export type LocalInput<S> = Flat<
  { readonly [K in Exclude<keyof Input<S>, 'needs'>]: Input<S>[K] } & Needs<S>
>

type StatusOf<S, Default extends number> = S extends { readonly status: infer St extends number }
  ? St
  : Default

type Produced<S> = S extends { readonly produces: { readonly _A: infer A } }
  ? [A] extends [void]
    ? Empty<S>
    : Reply<StatusOf<S, 200>, A> | NoContent<A>
  : Empty<S>
// a handler that returns `undefined` or `null` replies with 204
type NoContent<A> = undefined extends A
  ? Reply<204, void>
  : null extends A
    ? Reply<204, void>
    : never
type Empty<S> = S extends { readonly responds: unknown } ? never : Reply<StatusOf<S, 204>, void>

/** The successful results of a call: the replies that the operation declares, with unencoded entities. */
export type LocalSuccess<S> = [
  Produced<S>,
  S extends { readonly responds: infer R } ? Replies<R> : never,
][number]

/** The failures of a call: declared failures as replies, tagged errors declared with `raises`, and `HttpError`s. */
export type LocalFailure<S> = [
  HttpError,
  S extends { readonly fails: infer R } ? Replies<R> : never,
  S extends { readonly raises: infer X } ? X[keyof X] : never,
][number]

type Arguments<S> =
  {} extends LocalInput<S>
    ? [input?: LocalInput<S>, options?: LocalCallOptions]
    : [input: LocalInput<S>, options?: LocalCallOptions]

/**
 * Calls the handler of another operation in the same tree, within the process and without its filters.
 *
 * The input and the result are decoded values, which are neither encoded nor validated. Access rules, error mappers,
 * timeouts and response filters do not apply, and a blocking operation runs on the current thread. To call an operation
 * through the complete pipeline, use `callWithFilters` from `espalier/client`.
 *
 * Slots are filled by `provide`, by the prefix variables of the current request, and by filters that have already run
 * for the current request. Pass other values in `needs`. The handler receives the current context, except that
 * `endpoint` describes the called operation.
 *
 * The `Right` is a reply with a declared success, the `Left` a declared failure or an `HttpError`. The promise is
 * rejected with any other error that the handler throws, and with a `TypeError` if the tree does not contain the
 * endpoint or a slot has no value. With a context created by `testContext`, the handler of the endpoint itself is
 * called.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as TE from 'fp-ts/lib/TaskEither.js'
 * import { call, fails, get, handle, int, notFound, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const title = pipe(
 *   path('/books/{id}/title', { id: int }),
 *   get(),
 *   produces(text),
 *   fails(404),
 *   handle(({ path: { id } }) => (id === 7 ? 'Emma' : notFound())),
 * )
 * const label = pipe(
 *   path('/books/{id}/label', { id: int }),
 *   get(),
 *   produces(text),
 *   fails(404),
 *   handle(({ path }, context) =>
 *     pipe(
 *       call(context, title, { path }),
 *       TE.map(({ entity }) => `Title: ${entity}`),
 *     ),
 *   ),
 * )
 * const send = inMemory(routes({ title, label }))
 *
 * assert.equal(await (await send('http://localhost/books/7/label')).text(), 'Title: Emma')
 * assert.equal((await send('http://localhost/books/8/label')).status, 404)
 * ```
 */
export const call = <S>(
  context: CommonContext,
  { definition }: Endpoint<S>,
  ...[input, options]: Arguments<S>
): TaskEither<LocalFailure<S>, LocalSuccess<S>> =>
  // the handler was type-checked against `S`; an async function turns exceptions into rejections
  (async () => operationsOf(context).run(definition, { ...input }, options?.name)) as TaskEither<
    LocalFailure<S>,
    LocalSuccess<S>
  >
