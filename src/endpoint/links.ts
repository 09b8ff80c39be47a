/** Web links (RFC 8288): operations as link targets, responses with `Link` headers, and links as values. */
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { LinkMode, LinkAttribute } from './internal/attributes.ts'
import { toCodec } from './representation.ts'
import type { Link } from '../http/link.ts'
import type { Surroundings } from './context.ts'

/** Attributes of links to an operation. */
export interface RelOptions {
  /** Human-readable title. */
  readonly title?: string
  /** Hint about the media type of the target. */
  readonly type?: string
  /**
   * The entity that the link belongs to: its codec, or the name of a codec in the tree. Default: the entity of the
   * response; without one, that of another operation with the same path, otherwise that of the body.
   */
  readonly entity?: AnyCodec | string
}

/**
 * Makes an operation a link target. On a resource or a tree, it applies to all operations in it.
 *
 * | operation | default relation |
 * |---|---|
 * | GET of a collection | `list` |
 * | other GET | `self` |
 * | POST | `add` |
 * | PUT, PATCH | `update` |
 * | DELETE | `delete` |
 * | others | the last key of the operation's name |
 *
 * A relation that is neither a name nor a URI (`FW-LINK-003`) and an unknown entity (`FW-LINK-001`) are configuration
 * errors.
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
  const link: LinkAttribute = {
    relation,
    ...(title === undefined ? {} : { title }),
    ...(type === undefined ? {} : { type }),
    entity: codecOrName(entity),
  }
  return setAttributes({ link: Object.freeze(link) })
}

const codecOrName = (entity: AnyCodec | string | undefined): Codec | string | undefined =>
  typeof entity === 'object' ? toCodec(entity) : entity

/**
 * Adds a `Link` header with an absolute URI to success responses, for each target of the response's entity. The order
 * is that of the tree.
 *
 * With `type`, the default, these are targets without path variables. With `instance`, the response of a single entity
 * has all targets, and variables are filled from members of the same name. A variable without a value, or with one
 * that the caller may not see, stays `{name}`. Responses of collections and responses without an entity always behave
 * as with `type`.
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

/** The role of a member as identifier. */
export type IdentifierKind = 'linkId' | 'primaryKey'

const identifierKey: unique symbol = Symbol.for('espalier.identifying')

/** Returns the role of a codec as identifier; `undefined` if it has none. */
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
    // the same prototype and members, and a symbol that only this file uses
    return made as C
  }

/**
 * Marks the member that identifies an entity in links. The codec behaves like the original.
 *
 * The member fills the variable `{id}`. If the template has no `{id}`, it fills the only variable without a member of
 * the same name. The template must end with that variable, or extend one that returns the entity. Without a `linkId`,
 * the `primaryKey` is used, otherwise the member `id`. An entity with two of them is a configuration error
 * (`FW-LINK-002`).
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
 * Marks the primary key of an entity. Links use it if the entity has no `linkId`. The codec behaves like the original.
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

/** Links as values, with absolute targets in the order of the tree. Empty for an entity without targets. */
export interface Links {
  /** Returns the targets of an entity without path variables. The entity is a codec or the name of one. */
  readonly type: (entity: AnyCodec | string) => ReadonlyArray<Link>
  /** Returns all targets of an entity, with variables filled from a value. */
  readonly instance: {
    <C extends AnyCodec>(entity: C, value: C['_A']): ReadonlyArray<Link>
    (entity: string, value: unknown): ReadonlyArray<Link>
  }
}

/** The key of links in a context. */
export const linksKey: unique symbol = Symbol.for('espalier.links')

/**
 * Returns the links of the tree that the caller may see. Contexts of unit tests have no links.
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
