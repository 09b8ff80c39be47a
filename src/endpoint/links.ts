/**
 * Web links (RFC 8288): combinators that make operations link targets and add `Link` headers to responses, and a
 * function that returns links as values.
 */
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { AttributeStep } from './internal/tree-scope.ts'
import { setAttributes } from './internal/tree-scope.ts'
import type { LinkMode, LinkAttribute } from './internal/attributes.ts'
import { toCodec } from './representation.ts'
import type { Link } from '../http/link.ts'
import type { CommonContext } from './context.ts'

/** Attributes of the links to an operation. */
export interface RelOptions {
  /** Human-readable title of the target. */
  readonly title?: string
  /** Hint about the media type of the target. */
  readonly type?: string
  /**
   * The entity that the link belongs to: a codec, or the name of a codec in the tree. By default, the entity in the
   * response is used. If the response has no entity, the response entity of another operation with the same path is
   * used, or otherwise the entity in the request body.
   */
  readonly entity?: AnyCodec | string
}

/**
 * Makes an operation a link target. Applied to a resource or a tree, makes all operations in that resource or tree
 * link targets.
 *
 * | operation | default relation |
 * |---|---|
 * | GET that returns a collection | `list` |
 * | GET that returns anything else | `self` |
 * | POST | `add` |
 * | PUT, PATCH | `update` |
 * | DELETE | `delete` |
 * | other methods | the last key in the name of the operation |
 *
 * It is a configuration error if the relation is neither a name nor a URI (`FW-LINK-003`), or if the entity is
 * unknown (`FW-LINK-001`).
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
 * Adds a `Link` header with an absolute URI to success responses, for each link target that belongs to the entity in
 * the response. The headers are in the order in which the targets appear in the tree.
 *
 * In the mode `type`, which is the default, only targets without path variables are included. In the mode `instance`,
 * a response with a single entity includes all targets, and members of the entity fill the path variables of the same
 * name. A variable stays `{name}` if it has no value, or if the caller is not allowed to see the value. A response
 * with a collection or without an entity always behaves as in the mode `type`.
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

/** The role that a member has as an identifier in links. */
export type IdentifierKind = 'linkId' | 'primaryKey'

const identifierKey: unique symbol = Symbol.for('espalier.identifying')

/** Returns the identifier role that a codec is annotated with, or `undefined` if it has no such annotation. */
export const identifierKind = (codec: object): IdentifierKind | undefined =>
  hasIdentifierKind(codec) ? codec[identifierKey] : undefined

const hasIdentifierKind = (codec: object): codec is { readonly [identifierKey]: IdentifierKind } =>
  identifierKey in codec

const annotateIdentifier =
  (kind: IdentifierKind) =>
  <C extends AnyCodec>(codec: C): C => {
    const annotated: unknown = Object.create(Object.getPrototypeOf(codec), {
      ...Object.getOwnPropertyDescriptors(codec),
      [identifierKey]: { value: kind },
    })
    // the copy has the same prototype and members, and a symbol that only this file uses
    return annotated as C
  }

/**
 * Annotates the codec of the member that identifies an entity in links. The annotated codec behaves like the
 * original.
 *
 * The member fills the path variable `{id}`. If the template has no `{id}`, the member fills the only variable that
 * has no member of the same name. The template must end with that variable, or extend a template that returns the
 * entity. If no member is annotated with `linkId`, links use the member that is annotated with `primaryKey`, or
 * otherwise the member `id`. It is a configuration error (`FW-LINK-002`) if several members have the annotation that
 * is used.
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
export const linkId: <C extends AnyCodec>(codec: C) => C = annotateIdentifier('linkId')

/**
 * Annotates the codec of a member that is the primary key of an entity. Links use the primary key if the entity has
 * no `linkId`. The annotated codec behaves like the original.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { int } from 'espalier'
 * import { primaryKey } from 'espalier/links'
 *
 * const Book = t.type({ number: primaryKey(int), title: t.string })
 *
 * assert.ok(Book.is({ number: 7, title: 'Emma' })) // the codec behaves as before
 * ```
 */
export const primaryKey: <C extends AnyCodec>(codec: C) => C = annotateIdentifier('primaryKey')

/**
 * Functions that return links as values. Targets are absolute URIs, in the order in which they appear in the tree.
 * The list is empty if an entity has no link targets.
 */
export interface Links {
  /**
   * Returns links to the targets that belong to an entity and have no path variables. The entity is a codec or the
   * name of a codec.
   */
  readonly type: (entity: AnyCodec | string) => ReadonlyArray<Link>
  /** Returns links to all targets that belong to an entity. Members of `value` fill the path variables. */
  readonly instance: {
    <C extends AnyCodec>(entity: C, value: C['_A']): ReadonlyArray<Link>
    (entity: string, value: unknown): ReadonlyArray<Link>
  }
}

/** The key under which a context contains the links. */
export const linksKey: unique symbol = Symbol.for('espalier.links')

/**
 * Returns functions that find the links in the tree that the caller is allowed to see. A context from `testContext`
 * contains no links.
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
export const linksOf = (context: CommonContext): Links =>
  hasLinks(context) ? context[linksKey] : noLinks

const hasLinks = (context: object): context is { readonly [linksKey]: Links } => linksKey in context

const noLinks: Links = Object.freeze({ type: () => [], instance: () => [] })
