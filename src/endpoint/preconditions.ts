/** Conditional requests, evaluated by handlers. */
import * as O from 'fp-ts/lib/Option.js'
import type { EntityTag } from '../http/entity-tag.ts'
import * as Preconditions from '../http/preconditions.ts'
import type { Surroundings } from './context.ts'
import type { Replies } from './handle.ts'
import type { Reply } from './reply.ts'
import { reply } from './reply.ts'
import { etag, lastModified } from './reply-header.ts'

/** The current state of a resource. */
export interface ResourceState {
  /** Time of the last change. Milliseconds are dropped, because HTTP dates have a resolution of one second. */
  readonly lastModified?: Date | undefined
  /** Current ETag: the opaque part of a strong one, or an entity tag. */
  readonly etag?: string | EntityTag | undefined
}

/** The response to a failed precondition, or `none`. */
export type Preconditioned<St extends 304 | 412> = O.Option<Replies<Record<St, { _A: void }>>>

/**
 * Evaluates the preconditions of a request against the state of the resource (RFC 9110, 13.2.2).
 *
 * Returns `none` if the request may proceed; otherwise the reply to return, 304 or 412 without a body. Without a
 * state, the resource does not exist, and `If-Match` results in 412.
 *
 * A 412 reply has the `ETag` and `Last-Modified` of the state; a 304 reply has `Last-Modified` only if there is no
 * `ETag`. The framework adds `Cache-Control` of `cache`, `Vary` and `Date`. Add `Expires` and `Content-Location` if
 * the 200 response has them (RFC 9110, 15.4.5).
 *
 * Declare both statuses with `responds(304)` and `fails(412)`. Only GET and HEAD result in 304; for other methods,
 * declare 412 only and call `evaluatePreconditions<412>`. Use `uncompressed` for operations whose ETags prevent lost
 * updates: `If-Match` never matches the weak ETag of a compressed response.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as O from 'fp-ts/lib/Option.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { etag, evaluatePreconditions, fails, get, handle, ok, path, produces, responds, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const note = { text: 'buy milk', version: 'v7' }
 * const getNote = pipe(
 *   path('/note'),
 *   get(),
 *   produces(text),
 *   responds(304),
 *   fails(412),
 *   handle((_, context) =>
 *     pipe(
 *       evaluatePreconditions(context, { etag: note.version }),
 *       O.getOrElseW(() => pipe(ok(note.text), etag(note.version))),
 *     ),
 *   ),
 * )
 * const send = inMemory(routes({ getNote }))
 * const headers = { 'If-None-Match': '"v7"' }
 * const again = await send('http://localhost/note', { headers })
 *
 * assert.equal((await send('http://localhost/note')).status, 200)
 * assert.deepEqual([again.status, again.headers.get('ETag')], [304, '"v7"'])
 * ```
 */
export const evaluatePreconditions = <St extends 304 | 412 = 304 | 412>(
  { request }: Pick<Surroundings, 'request'>,
  state?: ResourceState,
): Preconditioned<St> => {
  const current = state && validatorsOf(state)
  const decided = Preconditions.evaluate(request.method, request.headers, current)
  if (decided === 'proceed') return O.none
  const answer = withValidators(reply(decided), current)
  // 304 occurs only for GET and HEAD; a reply without a body needs no declaration, so `<412>` is safe
  return O.some(answer) as Preconditioned<St>
}

const validatorsOf = ({
  etag: tag,
  lastModified: date,
}: ResourceState): Preconditions.Validators => ({
  etag: typeof tag === 'string' ? { weak: false, opaque: tag } : tag,
  lastModified: date,
})

/** Adds the validators to a reply. A 304 with an `ETag` needs no `Last-Modified`. */
const withValidators = (
  answer: Reply<304 | 412, void>,
  { etag: tag, lastModified: date }: Preconditions.Validators = {},
): Reply<304 | 412, void> => {
  const tagged = tag === undefined ? answer : etag(tag)(answer)
  return date === undefined || (answer.status === 304 && tag !== undefined)
    ? tagged
    : lastModified(date)(tagged)
}
