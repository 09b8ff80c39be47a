/** Settles the results of handlers in unit tests. */
import type { Left, Right } from 'fp-ts/lib/Either.js'
import { right } from 'fp-ts/lib/Either.js'
import { settle as toPromise } from '../body/maybe-async.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { Undeclared } from '../endpoint/internal/handler-types.ts'
import type { Reply } from '../endpoint/reply.ts'
import { isReply } from '../endpoint/reply.ts'
import { isEither } from '../interpreter/response/handler-result.ts'

/** The success value in the result `X` of a handler. */
export type SuccessOf<X> = ValueIn<X extends () => Promise<infer Y> ? Y : Awaited<X>>

type ValueIn<Y> = Y extends HttpError | Left<unknown> | Undeclared<string>
  ? never
  : Y extends Right<infer A>
    ? EntityIn<A>
    : EntityIn<Y>

type EntityIn<A> = A extends HttpError
  ? never
  : A extends Reply<infer St, infer B>
    ? `${St}` extends `${4 | 5}${string}`
      ? never
      : B
    : A

/**
 * Settles the result of a handler: a value, a reply, an `HttpError`, an `Either`, or a promise, `Task` or `TaskEither` of these.
 *
 * Resolves to the success value. For a `Right` or a reply, this is the value that it contains. Rejects with the failure: the value
 * of a `Left`, an `HttpError`, or a reply with a status from 400 to 599. To test the status or the headers of a reply, use
 * `call(testContext(), endpoint, input)`, which resolves to an `Either` of replies.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as TE from 'fp-ts/lib/TaskEither.js'
 * import * as t from 'io-ts'
 * import { fails, get, handle, int, json, path, produces } from 'espalier'
 * import { settle, testContext } from 'espalier/testing'
 *
 * const find = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(json(t.type({ title: t.string }))),
 *   fails(404, json(t.type({ missing: t.number }))),
 *   handle(({ path: { id } }) => (id === 1 ? TE.right({ title: 'Emma' }) : TE.left({ missing: id }))),
 * )
 *
 * assert.equal((await settle(find.run({ path: { id: 1 } }, testContext()))).title, 'Emma')
 * await assert.rejects(settle(find.run({ path: { id: 2 } }, testContext())), { missing: 2 })
 * ```
 */
export function settle<X>(result: X): Promise<SuccessOf<X>>
export async function settle(result: unknown): Promise<unknown> {
  const settled = await toPromise(result)
  const either = isEither(settled) ? settled : right(settled)
  if (either._tag === 'Left') throw either.left
  const success = either.right
  if (isHttpError(success) || (isReply(success) && success.status >= 400)) throw success
  return isReply(success) ? success.entity : success
}
