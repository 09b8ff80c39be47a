/** Text representations. */
import type { Representation, TextStream } from './representation.ts'
import { makeRepresentation, makeReceivable } from './representation.ts'

/**
 * `text/plain` in UTF-8, which `Content-Type` announces. A request may name another charset; an unknown one gets 415.
 *
 * `as('text/plain;charset=ISO-8859-1')(text)` is written in that charset; US-ASCII is supported too. Any other charset is a
 * configuration error (`FW-MEDIA-001`): encode the text and use `bytes`. Text with a character that the charset does not have
 * is an internal error.
 */
export const text: Representation<string, 'text/plain'> = makeRepresentation('text/plain', {
  _tag: 'Text',
  codec: undefined,
})

/** `text/html` in UTF-8. */
export const html: Representation<string, 'text/html'> = makeRepresentation('text/html', {
  _tag: 'Text',
  codec: undefined,
})

/**
 * `text/plain`, piece by piece. What is produced is sent in UTF-8, with nothing in between. A handler reads a body of it while it
 * comes, decoded by the charset that the request states; the pieces are those of the connection, and no lines. A charset that is
 * not known is refused with 415. What shows later does so where it is read, as an `HttpError`: 400 for octets that are not of the
 * charset, 413 for more of them than `fw.http.limits.max-body-size`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, path, post, produces, routes, textStream } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* loud(pieces: AsyncIterable<string>) {
 *   for await (const piece of pieces) yield piece.toUpperCase()
 * }
 * const shout = pipe(
 *   path('/shout'),
 *   post(),
 *   body(textStream),
 *   produces(textStream),
 *   handle((input) => loud(input.body)),
 * )
 * const sent = new Request('http://localhost/shout', { method: 'POST', body: 'é' })
 *
 * assert.equal(await (await inMemory(routes({ shout }))(sent)).text(), 'É')
 * ```
 */
export const textStream: TextStream<'text/plain'> = makeReceivable('text/plain', {
  _tag: 'TextStream',
})
