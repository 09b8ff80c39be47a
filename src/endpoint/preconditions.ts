/** Conditional requests, as a handler decides them: it alone knows what state its resource is in. */
import * as O from 'fp-ts/lib/Option.js'
import type { EntityTag } from '../http/entity-tag.ts'
import * as Preconditions from '../http/preconditions.ts'
import type { Surroundings } from './context.ts'
import type { Replies } from './handle.ts'
import type { Reply } from './reply.ts'
import { reply } from './reply.ts'
import { etag, lastModified } from './reply-header.ts'

/** The state of a resource, as far as it is known. */
export interface ResourceState {
  /** When it last changed. Milliseconds are dropped: no header field can say them. */
  readonly lastModified?: Date | undefined
  /** The opaque part of a strong tag, or a tag. */
  readonly etag?: string | EntityTag | undefined
}

/** What the conditions of a request came to: an answer, or nothing, and the handler goes on. */
export type Preconditioned<St extends 304 | 412> = O.Option<Replies<Record<St, { _A: void }>>>

/**
 * Decides the conditions of a request (RFC 9110, 13.2.2): `none` when it may proceed, otherwise what to return, 304 or 412
 * without content. Without a state, the resource does not exist yet: `If-Match` is then answered with 412.
 *
 * Both replies carry the tag, a 412 the date too, and a 304 the date where there is no tag; the engine adds `Cache-Control` of
 * `cache`, `Vary` and `Date`. `Expires` and `Content-Location`, if 200 has them, are added as to any reply (15.4.5). The
 * operation declares both, with `responds(304)` and `fails(412)`. Only GET and HEAD are answered with 304: for other methods,
 * `evaluatePreconditions<412>` says so, and 412 alone is declared.
 *
 * What a client has of a compressed response has a weak tag, which `If-Match` never matches: an operation whose tags guard
 * against lost updates is `uncompressed`.
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
  // only GET and HEAD come to 304, and there nobody who says `<412>` is misled: a reply without content need not be declared
  return O.some(answer) as Preconditioned<St>
}

const validatorsOf = ({
  etag: tag,
  lastModified: date,
}: ResourceState): Preconditions.Validators => ({
  etag: typeof tag === 'string' ? { weak: false, opaque: tag } : tag,
  lastModified: date,
})

/** The date is no use to a cache that has the tag. */
const withValidators = (
  answer: Reply<304 | 412, void>,
  { etag: tag, lastModified: date }: Preconditions.Validators = {},
): Reply<304 | 412, void> => {
  const tagged = tag === undefined ? answer : etag(tag)(answer)
  return date === undefined || (answer.status === 304 && tag !== undefined)
    ? tagged
    : lastModified(date)(tagged)
}
