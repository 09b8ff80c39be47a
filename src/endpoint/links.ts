/**
 * Web links (RFC 8288). Combinators turn operations into link targets and add `Link` headers to responses, and
 * `linksOf` returns links as values.
 */
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import type { CodecFor, CodecOrSchema } from '../codec/standard-schema/standard-schema.ts'
import { codecFor } from '../codec/standard-schema/standard-schema.ts'
import type { AnyCodec, Codec } from '../codec/codec.ts'
import type { AttributeStep } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'
import { checkOneOf } from './definition/describe-value.ts'
import { combinatorFactory } from './internal/combinator.ts'
import type { LinkMode, LinkAttribute } from './definition/attributes.ts'
import type { ValueOf } from './definition/slot-types.ts'
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
   * The entity to which the link belongs: a codec, or the name of a codec in the tree. By default, the entity in the
   * response is used. If the response has no entity, the response entity of another operation with the same path is
   * used. Otherwise, the entity in the request body is used.
   */
  readonly entity?: AnyCodec | AnySchema | string
}

/**
 * Makes an operation a link target. If `rel` is applied to a resource or a tree, all operations in it become link
 * targets.
 *
 * | operation | default relation |
 * |---|---|
 * | GET that returns a collection | `list` |
 * | GET that returns anything else | `self` |
 * | POST | `add` |
 * | PUT, PATCH | `update` |
 * | DELETE | `delete` |
 * | other methods | the last key in the operation name |
 *
 * An invalid relation (`FW-LINK-003`) or an unknown entity (`FW-LINK-001`) is a configuration error. A relation must
 * be a name or a URI.
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
export const rel: (relation?: string, options?: RelOptions) => AttributeStep = combinatorFactory(
  'rel',
  (relation?: string, { title, type, entity }: RelOptions = {}) => {
    const link: LinkAttribute = {
      relation,
      ...(title === undefined ? {} : { title }),
      ...(type === undefined ? {} : { type }),
      entity: codecOrName(entity),
    }
    return setAttributes({ link: Object.freeze(link) })
  },
)

const codecOrName = (
  entity: AnyCodec | AnySchema | string | undefined,
): Codec | string | undefined =>
  entity === undefined || typeof entity === 'string' ? entity : toCodec(entity)

/**
 * Adds `Link` headers to success responses: one header for each link target that belongs to the response entity.
 * Targets are absolute URIs, in the order of the route tree.
 *
 * In `type` mode, which is the default, only targets without path variables are included. Variables of a prefix are
 * allowed if the path of the request provides their values. In `instance` mode, a response with a single entity
 * includes all targets. Members of the entity provide the values of path variables with the same name. A variable remains `{name}` if it has no value, or if the caller is not allowed to see the value.
 * For a response with a collection or without an entity, both modes have the same effect.
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
export const injectLinks: (mode?: LinkMode) => AttributeStep = combinatorFactory(
  'injectLinks',
  (mode: LinkMode = 'type') =>
    setAttributes({
      linkMode: checkOneOf<LinkMode>('injectLinks', 'mode', ['type', 'instance'], mode),
    }),
)

/** The annotations that mark the codec of a member as an identifier. */
export type IdentifierKind = 'linkId' | 'primaryKey'

const identifierKey: unique symbol = Symbol.for('espalier.identifying')

/** Returns the identifier annotation of a codec, or `undefined` if the codec has no such annotation. */
export const identifierKind = (codec: object): IdentifierKind | undefined =>
  hasIdentifierKind(codec) ? codec[identifierKey] : undefined

const hasIdentifierKind = (codec: object): codec is { readonly [identifierKey]: IdentifierKind } =>
  identifierKey in codec

const annotateIdentifier =
  (kind: IdentifierKind) =>
  <C extends CodecOrSchema>(declared: C): CodecFor<C> => {
    const codec = codecFor(declared)
    return Object.create(Object.getPrototypeOf(codec), {
      ...Object.getOwnPropertyDescriptors(codec),
      [identifierKey]: { value: kind },
    })
  }

/**
 * Annotates the codec of the member that identifies an entity in links. The annotated codec behaves like the
 * original.
 *
 * The value of the member is used for the path variable with the name of the member. If the template has no such
 * variable, the value is used for `{id}`. A variable of another name without a member of this name remains `{name}`.
 *
 * If no member is annotated with `linkId`, links use the member annotated with `primaryKey`, or otherwise the member
 * `id`. Annotating multiple members with `linkId` is a configuration error (`FW-LINK-002`). If no member is annotated
 * with `linkId`, annotating multiple members with `primaryKey` is also an error.
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
export const linkId: <C extends CodecOrSchema>(codec: C) => CodecFor<C> =
  annotateIdentifier('linkId')

/**
 * Annotates the codec of the member that is the primary key of an entity. Links use the primary key if the entity has
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
export const primaryKey: <C extends CodecOrSchema>(codec: C) => CodecFor<C> =
  annotateIdentifier('primaryKey')

/**
 * Functions that return links as values. Targets are absolute URIs. Links are listed in the order in which their
 * operations appear in the route tree. The list is empty if an entity has no link targets.
 */
export interface Links {
  /**
   * Returns links to the targets that belong to an entity and have no path variables, except those of a prefix whose
   * values the path of the request provides. The entity is a codec or the name of a codec.
   */
  readonly type: (entity: AnyCodec | AnySchema | string) => ReadonlyArray<Link>
  /** Returns links to all targets that belong to an entity. Members of `value` provide the values of path variables. */
  readonly instance: {
    <C extends AnyCodec | AnySchema>(entity: C, value: ValueOf<C>): ReadonlyArray<Link>
    (entity: string, value: unknown): ReadonlyArray<Link>
  }
}

/** Key of the context property that contains the links. */
export const linksKey: unique symbol = Symbol.for('espalier.links')

/**
 * Returns functions that create links to operations in the tree. Values that the caller is not allowed to see are not
 * inserted into links. A context created by `testContext` contains no links.
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
