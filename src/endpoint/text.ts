/** Text representations: whole texts and streams. */
import type { Representation, TextStream } from './representation.ts'
import { makeRepresentation, makeReceivable } from './representation.ts'

/**
 * `text/plain` in UTF-8, which `Content-Type` announces. A request may name another charset; an unknown one results in
 * 415.
 *
 * `as('text/plain;charset=ISO-8859-1')(text)` is written in that charset; US-ASCII is supported too. Any other charset
 * is a configuration error (`FW-MEDIA-001`): encode the text and use `bytes`. Text with a character that the charset
 * does not have is an internal error.
 */
export const text: Representation<string, 'text/plain'> = makeRepresentation('text/plain', {
  _tag: 'Text',
  codec: undefined,
})

/** `text/html` in UTF-8. Otherwise like {@link text}. */
export const html: Representation<string, 'text/html'> = makeRepresentation('text/html', {
  _tag: 'Text',
  codec: undefined,
})

/**
 * `text/plain` in chunks.
 *
 * A response is sent in UTF-8, with nothing between the chunks. A request body is decoded while it arrives; its chunks
 * are those of the connection, not lines.
 *
 * | status | cause |
 * |---|---|
 * | 400 | bytes that are invalid in the charset; thrown where the stream is read |
 * | 413 | more bytes than `fw.http.limits.max-body-size`; thrown where the stream is read |
 * | 415 | unknown charset |
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, path, post, produces, routes, textStream } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* loud(chunks: AsyncIterable<string>) {
 *   for await (const chunk of chunks) yield chunk.toUpperCase()
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
