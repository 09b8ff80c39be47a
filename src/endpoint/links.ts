/** Operations as targets of links, and responses that carry links. Both stand on an operation, a resource or a tree, and the nearest wins. */
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { LinkMode, LinkAttribute } from './internal/attributes.ts'
import { toCodec } from './representation.ts'
import type { Link } from '../http/link.ts'
import type { Surroundings } from './context.ts'

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
 * const response = await inMemory(api)('http://localhost/books')
 *
 * assert.equal(
 *   response.headers.get('Link'),
 *   '<http://localhost/books>; rel="list", <http://localhost/covers>; rel="covers"; title="Covers"',
 * )
 * ```
 */
export const rel = (relation?: string, { title, type, entity }: RelOptions = {}): AttributeStep => {
  const said: LinkAttribute = {
    relation,
    ...(title === undefined ? {} : { title }),
    ...(type === undefined ? {} : { type }),
    entity: codecOrName(entity),
  }
  return setAttributes({ link: Object.freeze(said) })
}

const codecOrName = (entity: AnyCodec | string | undefined): Codec | string | undefined =>
  typeof entity === 'object' ? toCodec(entity) : entity

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
 * const response = await inMemory(api)('http://localhost/books/1')
 *
 * assert.equal(
 *   response.headers.get('Link'),
 *   '<http://localhost/books/1>; rel="self", <http://localhost/authors/Jane%20Austen>; rel="author"',
 * )
 * ```
 */
export const injectLinks = (mode: LinkMode = 'type'): AttributeStep =>
  setAttributes({ linkMode: mode })

/** How a member was marked. */
export type IdentifierKind = 'linkId' | 'primaryKey'

const identifierKey: unique symbol = Symbol.for('espalier.identifying')

/** How a codec was marked; `undefined` for one that was not. */
export const identifierKind = (codec: object): IdentifierKind | undefined =>
  hasIdentifierKind(codec) ? codec[identifierKey] : undefined

const hasIdentifierKind = (codec: object): codec is { readonly [identifierKey]: IdentifierKind } =>
  identifierKey in codec

const markIdentifier =
  (as: IdentifierKind) =>
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
 * const response = await inMemory(routes({ book }))('http://localhost/books/0-13')
 *
 * assert.equal(response.headers.get('Link'), '<http://localhost/books/0-13>; rel="self"')
 * ```
 */
export const linkId: <C extends AnyCodec>(codec: C) => C = markIdentifier('linkId')

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
export const primaryKey: <C extends AnyCodec>(codec: C) => C = markIdentifier('primaryKey')

/** Links as values, with absolute targets, in the order of the tree; none for an entity that has no targets. */
export interface Links {
  /** The targets of an entity, given by its codec or by the codec's name, whose templates have no variables. */
  readonly type: (entity: AnyCodec | string) => ReadonlyArray<Link>
  /** All targets of an entity, with the variables filled from a value of it. */
  readonly instance: {
    <C extends AnyCodec>(entity: C, value: C['_A']): ReadonlyArray<Link>
    (entity: string, value: unknown): ReadonlyArray<Link>
  }
}

/** Where a context has them. */
export const linksKey: unique symbol = Symbol.for('espalier.links')

/**
 * The links of the tree, as who asks may see them. A context that was made for a unit test has none.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { del, get, handle, int, json, path, produces, routes, string } from 'espalier'
 * import { linksOf, rel } from 'espalier/links'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ id: int })
 * const api = routes({
 *   remove: pipe(
 *     path('/books/{id}'),
 *     del(),
 *     rel('delete', { entity: Book }),
 *     handle(() => {}),
 *   ),
 *   hint: pipe(
 *     path('/hint'),
 *     get(),
 *     produces(json(string)),
 *     handle((_, context) => linksOf(context).instance(Book, { id: 7 })[0]?.target ?? ''),
 *   ),
 * })
 * const response = await inMemory(api)('http://localhost/hint')
 *
 * assert.equal(await response.json(), 'http://localhost/books/7')
 * ```
 */
export const linksOf = (context: Surroundings): Links =>
  hasLinks(context) ? context[linksKey] : noLinks

const hasLinks = (context: object): context is { readonly [linksKey]: Links } => linksKey in context

const noLinks: Links = Object.freeze({ type: () => [], instance: () => [] })
