/** Calls of other operations in the same route tree, without a request. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { CommonContext } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpError } from './http-error.ts'
import type { DeclaredStatus, Input, Replies, Values } from './internal/handler-types.ts'
import type { ValueOf } from './definition/slot-types.ts'
import { operationsOf } from './tree/tree-operations.ts'
import type { Reply } from './reply.ts'
import type { Nothing } from './representation.ts'

/** Options for {@link call}. */
export interface LocalCallOptions {
  /**
   * Name of the operation, such as `v1.books.get`. Required only if the endpoint occurs multiple times in the tree, and
   * none of its operations is closer to the current operation than the others.
   */
  readonly name?: string | undefined
}

type Needs<S> = 'needs' extends keyof S ? { readonly needs?: Partial<Values<S['needs']>> } : unknown

type Flat<T> = [{ readonly [K in keyof T]: T[K] }][0]

/** The input for a call: decoded values, as for `run`. Slot values in `needs` override those of the tree. */
export type LocalInput<S> = Flat<
  { readonly [K in Exclude<keyof Input<S>, 'needs'>]: Input<S>[K] } & Needs<S>
>

type Produced<S> = 'produces' extends keyof S ? ProducedReply<S, S['produces']> : Empty<S>
type ProducedReply<S, X> = [X] extends [Nothing]
  ? Empty<S>
  : Reply<DeclaredStatus<S, 200>, ValueOf<X>> | NoContent<ValueOf<X>>
// a handler that returns `undefined` or `null` replies with 204
type NoContent<A> = undefined extends A
  ? Reply<204, void>
  : null extends A
    ? Reply<204, void>
    : never
type Empty<S> = 'responds' extends keyof S
  ? EmptyDefault<S, S['responds'], Exclude<keyof S['responds'], 304>>
  : Reply<DeclaredStatus<S, 204>, void>
// `responds` is the default if it declares only one status, in addition to 304
type EmptyDefault<S, R, Statuses extends keyof R> = [Statuses] extends [never]
  ? Reply<DeclaredStatus<S, 204>, void>
  : {
      [K in Statuses & number]: [Statuses] extends [K] ? NoContentBody<ValueOf<R[K]>> : never
    }[Statuses & number]
type NoContentBody<A> = [A] extends [void] ? never : NoContent<A>

/** The successful results of a call: the replies that the operation declares, with unencoded entities. */
export type LocalSuccess<S> = [
  Produced<S>,
  'responds' extends keyof S ? Replies<S['responds']> : never,
][number]

/** The failures of a call: declared failures as replies, tagged errors declared with `raises`, and `HttpError`s. */
export type LocalFailure<S> = [
  HttpError,
  'fails' extends keyof S ? Replies<S['fails']> : never,
  'raises' extends keyof S ? S['raises'][keyof S['raises']] : never,
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
