/** Representations of values one after another, of which nobody ever has all. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Receivable, TextStream } from './representation.ts'
import { receivable, runnable } from './representation.ts'
import type { Source } from './source.ts'

/**
 * `application/json`, element by element: one array, `[]` when there is none, or one value a line where a `multi` says
 * `encodeAsArray: false`. Elements are written by the codec, without what it does not declare. A server can send it and not receive it; a client reads
 * element by element.
 *
 * What fails before the first octet, a source that throws or an element that cannot be written, is answered like any other
 * error; what fails later cuts the connection, so that nothing passes for whole that is not.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, jsonStream, ndjson, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ title: t.string })
 * async function* found() {
 *   yield { title: 'Emma', shelf: 3 }
 *   yield { title: 'Persuasion', shelf: 4 }
 * }
 * const books = pipe(
 *   path('/books'),
 *   get(),
 *   produces(jsonStream(Book), ndjson(Book)),
 *   handle(() => found()),
 * )
 * const call = inMemory(routes({ books }))
 * const sentAs = async (accept: string) =>
 *   (await call(new Request('http://localhost/books', { headers: { Accept: accept } }))).text()
 *
 * assert.equal(await sentAs('application/json'), '[{"title":"Emma"},{"title":"Persuasion"}]')
 * assert.equal(await sentAs('application/x-ndjson'), '{"title":"Emma"}\n{"title":"Persuasion"}\n')
 * ```
 */
export const jsonStream = <C extends AnyCodec>(
  codec: C,
): Receivable<Source<C['_A']>, AsyncIterable<C['_A']>, 'application/json'> =>
  receivable('application/json', { _tag: 'JsonStream', codec: runnable(codec), isArray: true })

/** `application/x-ndjson`: as {@link jsonStream}, but always one JSON value a line. */
export const ndjson = <C extends AnyCodec>(
  codec: C,
): Receivable<Source<C['_A']>, AsyncIterable<C['_A']>, 'application/x-ndjson'> =>
  receivable('application/x-ndjson', { _tag: 'JsonStream', codec: runnable(codec), isArray: false })

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
export const textStream: TextStream<'text/plain'> = receivable('text/plain', {
  _tag: 'TextStream',
})
