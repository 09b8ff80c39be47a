/** Entities: values of which the declaration says what they are, and what stands around the operation how they travel. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Representation } from './representation.ts'
import { ofEntity } from './representation.ts'

/**
 * A value by its codec, in every media type that a reader or writer around the operation has for it, and in the built-in ones:
 * JSON for everything but octets; text, before JSON, for strings, numbers, booleans and literals; octets for a codec of
 * `Uint8Array` alone; XML where `withXml` of `espalier/xml` asks for it. `as` narrows it to one media type or to a range; a
 * tree in which nobody reads or writes that is refused when it is compiled.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { as, entity, get, handle, path, produces, routes, withWriter, writer } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ title: t.string }, 'Book')
 * const html = writer({ mediaType: 'text/html', of: Book, write: ({ title }) => `<h1>${title}</h1>` })
 * const api = (book = entity(Book)) =>
 *   routes({ get: pipe(path('/'), get(), produces(book), handle(() => ({ title: 'Emma' }))) })
 * const typeOf = async (tree: ReturnType<typeof api>) =>
 *   (await inMemory(tree)(new Request('http://localhost/'))).headers.get('Content-Type')
 *
 * assert.equal(await typeOf(api()), 'application/json')
 * assert.equal(await typeOf(pipe(api(), withWriter(html))), 'text/html;charset=UTF-8')
 * assert.throws(() => inMemory(api(as('text/html')(entity(Book)))), /nothing writes Book as text\/html/)
 * ```
 */
export const entity = <C extends AnyCodec>(codec: C): Representation<C['_A']> => ofEntity(codec)
