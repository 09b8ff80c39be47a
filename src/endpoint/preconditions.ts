/** A function for evaluating the preconditions of conditional requests in handlers. */
import * as O from 'fp-ts/lib/Option.js'
import * as EntityTag from '../http/entity-tag.ts'
import * as Preconditions from '../http/preconditions.ts'
import type { CommonContext } from './context.ts'
import type { Replies } from './internal/handler-types.ts'
import type { Reply } from './reply.ts'
import { reply } from './reply.ts'
import { etag, lastModified } from './reply-header.ts'

/** The current state of a resource. */
export interface ResourceState {
  /**
   * Time of the last change to the resource. Milliseconds are discarded, because HTTP dates have a resolution of one
   * second.
   */
  readonly lastModified?: Date | undefined
  /**
   * Current ETag of the resource. A string is treated as the opaque part of a strong ETag, without quotes. Invalid ETags result
   * in a `TypeError`, as in {@link etag}.
   */
  readonly etag?: string | EntityTag.EntityTag | undefined
}

/** The reply to a request whose precondition fails, or `none` if the request can proceed. */
export type Preconditioned<St extends 304 | 412> = O.Option<Replies<Record<St, { _A: void }>>>

/**
 * Evaluates the preconditions of a request against the state of the resource (RFC 9110, 13.2.2).
 *
 * Returns `none` if the request can proceed. Otherwise, returns a 304 or 412 reply without a body, which the handler
 * must return. If `state` is omitted, the resource is treated as nonexistent, so `If-Match` results in a 412 response.
 *
 * A 412 reply contains the `ETag` and `Last-Modified` values in `state`. A 304 reply contains `Last-Modified` only if
 * `state` has no ETag. The framework adds `Vary`, `Date`, and the `Cache-Control` value declared with `cache`. If the
 * 200 response has an `Expires` or `Content-Location` header, add it to the 304 reply too (RFC 9110, 15.4.5).
 *
 * Declare both statuses with `responds(304)` and `fails(412)`. Only GET, HEAD and QUERY requests can result in a 304 response. For other
 * methods, declare only 412 and call `evaluatePreconditions<412>`. If you use ETags to prevent lost updates, apply
 * `uncompressed` to the operation, because `If-Match` never matches the weak ETag of a compressed response. To evaluate
 * the preconditions before the handler runs, use {@link conditional}.
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
  { request }: Pick<CommonContext, 'request'>,
  state?: ResourceState,
): Preconditioned<St> => {
  const current = state && validatorsOf(state)
  const decision = Preconditions.evaluate(request.method, request.headers, current)
  if (decision === 'proceed') return O.none
  const response = withValidators(reply(decision), current)
  // 304 occurs only for GET, HEAD and QUERY, and a reply without a body needs no declaration, so `<412>` is safe
  return O.some(response) as Preconditioned<St>
}

/** Converts the state of a resource to validators. Throws a `TypeError` if the ETag is invalid. */
export const validatorsOf = ({
  etag: tag,
  lastModified: date,
}: ResourceState): Preconditions.Validators => ({
  etag: tag === undefined ? undefined : EntityTag.from(tag),
  lastModified: date,
})

/** Adds the `ETag` and `Last-Modified` headers to a reply. If a 304 reply has an `ETag`, `Last-Modified` is omitted. */
export const withValidators = <St extends number>(
  plain: Reply<St, void>,
  { etag: tag, lastModified: date }: Preconditions.Validators = {},
): Reply<St, void> => {
  const withTag = tag === undefined ? plain : etag(tag)(plain)
  return date === undefined || (plain.status === 304 && tag !== undefined)
    ? withTag
    : lastModified(date)(withTag)
}
