/**
 * Identifiers of entities: which member tells one entity from another, so that links can lead to it. A marked codec is the same
 * codec in every other respect.
 */
import type { AnyCodec } from '../codec/codec.ts'

/** How a member was marked. */
export type Identifying = 'linkId' | 'primaryKey'

const identifierKey: unique symbol = Symbol.for('espalier.identifying')

/** How a codec was marked; `undefined` for one that was not. */
export const identifying = (codec: object): Identifying | undefined =>
  isMarked(codec) ? codec[identifierKey] : undefined

const isMarked = (codec: object): codec is { readonly [identifierKey]: Identifying } => identifierKey in codec

const marking =
  (as: Identifying) =>
  <C extends AnyCodec>(codec: C): C => {
    const made: unknown = Object.create(Object.getPrototypeOf(codec), {
      ...Object.getOwnPropertyDescriptors(codec),
      [identifierKey]: { value: as },
    })
    // the same prototype and the same members, so it is what the codec is; the identifierKey is nobody else's business
    return made as C
  }

/**
 * Marks the member of an entity that identifies it in links. It fills the variable `{id}` of a template or, where there is none,
 * the only variable that is called like no member, if the template ends with it, or goes on behind one that answers with the
 * entity. Without it, the `primaryKey` does, and otherwise a member `id` fills `{id}`. An entity with two of them is a mistake
 * when the tree is compiled.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, json, path, produces, routes } from 'espalier'
 * import { injectLinks, linkId, rel } from 'espalier/links'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ isbn: linkId(t.string), title: t.string })
 * const book = pipe(
 *   path('/books/{id}'),
 *   get(),
 *   produces(json(Book)),
 *   rel(),
 *   injectLinks('instance'),
 *   handle(({ path: { id } }) => ({ isbn: id, title: 'Emma' })),
 * )
 * const response = await inMemory(routes({ book }))(new Request('http://localhost/books/0-13'))
 *
 * assert.equal(response.headers.get('Link'), '<http://localhost/books/0-13>; rel="self"')
 * ```
 */
export const linkId: <C extends AnyCodec>(codec: C) => C = marking('linkId')

/**
 * Marks the member that identifies an entity where it is stored. Links use it as they use a `linkId`, unless the entity has one
 * of those.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { int } from 'espalier'
 * import { primaryKey } from 'espalier/links'
 *
 * const Book = t.type({ number: primaryKey(int), title: t.string })
 *
 * assert.ok(Book.is({ number: 7, title: 'Emma' })) // in every other respect it is what it was
 * ```
 */
export const primaryKey: <C extends AnyCodec>(codec: C) => C = marking('primaryKey')
