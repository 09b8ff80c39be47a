/** Operations as targets of links, and responses that carry links. Both stand on an operation, a resource or a tree, and the nearest wins. */
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { Mark } from './internal/set-attributes.ts'
import { mark } from './internal/set-attributes.ts'
import type { LinkMode, LinkMark } from './internal/attributes.ts'
import { runnable } from './representation.ts'

/** What links to an operation say beside their relation. */
export interface RelOptions {
  /** For people. */
  readonly title?: string
  /** The media type to expect, as a hint. */
  readonly type?: string
  /**
   * The entity to whose links it belongs: its codec, or the name of one that the tree has. By default that of its response;
   * without one, that of another operation on the same path, and otherwise that of its body.
   */
  readonly entity?: AnyCodec | string
}

/**
 * Makes an operation a target of links (RFC 8288). Unless it is said, the relation is `list` for GET of a collection, `self` for
 * any other GET, `add` for POST, `update` for PUT and PATCH, `delete` for DELETE, and otherwise the last key of the operation.
 * On a resource or tree it makes targets of all operations below.
 *
 * A relation that is neither a name nor a URI, and an entity that cannot be found, are mistakes when the tree is compiled.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { del, get, handle, int, json, list, path, produces, routes } from 'espalier'
 * import { injectLinks, rel } from 'espalier/links'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ id: int, title: t.string })
 * const books = pipe(path('/books'), rel())
 * const api = routes({
 *   list: pipe(
 *     books,
 *     get(),
 *     produces(json(list(Book))),
 *     injectLinks(),
 *     handle(() => []),
 *   ),
 *   get: pipe(
 *     books,
 *     get('/{id}'),
 *     produces(json(Book)),
 *     handle(() => ({ id: 1, title: 'Emma' })),
 *   ),
 *   remove: pipe(
 *     books,
 *     del('/{id}'),
 *     handle(() => {}),
 *   ),
 *   covers: pipe(
 *     path('/covers'),
 *     get(),
 *     rel('covers', { title: 'Covers', entity: Book }),
 *     handle(() => {}),
 *   ),
 * })
 * const response = await inMemory(api)(new Request('http://localhost/books'))
 *
 * assert.equal(
 *   response.headers.get('Link'),
 *   '<http://localhost/books>; rel="list", <http://localhost/covers>; rel="covers"; title="Covers"',
 * )
 * ```
 */
export const rel = (relation?: string, { title, type, entity }: RelOptions = {}): Mark => {
  const said: LinkMark = {
    relation,
    ...(title === undefined ? {} : { title }),
    ...(type === undefined ? {} : { type }),
    entity: codecOrName(entity),
  }
  return mark({ link: Object.freeze(said) })
}

const codecOrName = (entity: AnyCodec | string | undefined): Codec | string | undefined =>
  typeof entity === 'object' ? runnable(entity) : entity

/**
 * Has successful responses carry `Link` fields, one line a link, with absolute URIs. By `type` they are the targets of the
 * entity of the response whose templates have no variables; by `instance`, a response of a single entity carries all of its
 * targets, with variables filled from members of the same name. What nothing fills, or what is not for who asks, stays `{name}`.
 *
 * They come in the order of the tree. A response of a collection, or without an entity, carries those by type.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, int, json, path, produces, routes } from 'espalier'
 * import { injectLinks, rel } from 'espalier/links'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ id: int, author: t.string })
 * const emma = { id: 1, author: 'Jane Austen' }
 * const api = routes({
 *   get: pipe(
 *     path('/books/{id}'),
 *     get(),
 *     produces(json(Book)),
 *     rel(),
 *     injectLinks('instance'),
 *     handle(() => emma),
 *   ),
 *   by: pipe(
 *     path('/authors/{author}'),
 *     get(),
 *     rel('author', { entity: Book }),
 *     handle(() => {}),
 *   ),
 * })
 * const response = await inMemory(api)(new Request('http://localhost/books/1'))
 *
 * assert.equal(
 *   response.headers.get('Link'),
 *   '<http://localhost/books/1>; rel="self", <http://localhost/authors/Jane%20Austen>; rel="author"',
 * )
 * ```
 */
export const injectLinks = (mode: LinkMode = 'type'): Mark => mark({ linkMode: mode })
