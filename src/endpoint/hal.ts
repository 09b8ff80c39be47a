/** HAL: JSON documents with links, and values with links of their own. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Curies, HalLink } from '../http/hal.ts'
import type { Representation } from './representation.ts'
import { makeReceivable, toCodec } from './representation.ts'

/** Options of {@link hal}. */
export interface HalOptions {
  /** Name of a collection's elements in `_embedded`. Default: `items`. */
  readonly collection?: string
  /** URI templates for the documentation of relations: `{ acme: 'https://docs.example/{rel}' }` for `acme:cover`. */
  readonly curies?: Curies
}

/** The result of a handler that produces HAL: the value, or the value with links of its own. */
export type HalValue<A> =
  | A
  | (A extends ReadonlyArray<infer E> | ReadonlySet<infer E>
      ? HalCollection<E>
      : HalEntity<NonNullable<A>>)

/** A HAL representation. A received value has no links. */
export interface HalRepresentation<A> extends Representation<HalValue<A>, 'application/hal+json'> {
  /** The type of the received value. Exists only at compile time. */
  readonly _received: A
}

/**
 * `application/hal+json`: an entity with `_links`, or a collection with `_embedded` and `_links`.
 *
 * Links come from operations with `rel` for the same codec; path variables are filled from the entity's members. Each
 * element of a collection has links of its own, and the collection has those without variables. Several links of one
 * relation become an array. A link with unfilled variables is `templated`.
 *
 * A body is read like JSON, without `_links` and `_embedded`. Configuration errors (`FW-HAL-001`) are a codec that is
 * neither an object nor a collection of objects, and a codec with a member `_links` or `_embedded`.
 *
 * JSON customization applies: views, secured members (also in links), libraries such as `lossless`, and
 * `customSerialization`, whose function receives the whole document.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, int, json, path, produces, routes } from 'espalier'
 * import { hal } from 'espalier/hal'
 * import { rel } from 'espalier/links'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ id: int, title: t.string })
 * const book = pipe(
 *   path('/books/{id}'),
 *   get(),
 *   produces(json(Book), hal(Book)),
 *   rel(),
 *   handle(() => ({ id: 1, title: 'Emma' })),
 * )
 * const send = inMemory(routes({ book }))
 * const request = async (accept: string) =>
 *   (await send('http://localhost/books/1', { headers: { accept } })).text()
 *
 * assert.equal(await request('application/json'), '{"id":1,"title":"Emma"}')
 * assert.equal(
 *   await request('application/hal+json'),
 *   '{"id":1,"title":"Emma","_links":{"self":{"href":"http://localhost/books/1"}}}',
 * )
 * ```
 *
 * @see https://datatracker.ietf.org/doc/html/draft-kelly-json-hal
 */
export const hal = <C extends AnyCodec>(
  codec: C,
  { collection = 'items', curies = {} }: HalOptions = {},
): HalRepresentation<C['_A']> => {
  return makeReceivable('application/hal+json', {
    _tag: 'Hal',
    codec: toCodec(codec),
    collection,
    curies: Object.freeze({ ...curies }),
  })
}

/** An entity with additional links. */
export interface HalEntity<A> {
  readonly _tag: 'HalEntity'
  readonly value: A
  readonly links: ReadonlyArray<HalLink>
}

/** A collection with additional links. Its elements may have additional links too. */
export interface HalCollection<A> {
  readonly _tag: 'HalCollection'
  readonly values: ReadonlyArray<A | HalEntity<A>>
  /** Name of the elements in `_embedded`. Default: that of the representation. */
  readonly name: string | undefined
  readonly links: ReadonlyArray<HalLink>
}

/** A symbol, so that client data in JSON can never pass for a value with links. */
const mark = Symbol.for('espalier.Hal')

/**
 * Wraps an entity, so that {@link addLinks} can add links to it. Other representations than HAL send only the value.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, path, produces, routes } from 'espalier'
 * import { addLinks, hal, halEntity } from 'espalier/hal'
 * import { inMemory } from 'espalier/testing'
 *
 * const book = pipe(
 *   path('/book'),
 *   get(),
 *   produces(hal(t.type({ title: t.string }))),
 *   handle(() => pipe(halEntity({ title: 'Emma' }), addLinks({ rel: 'cover', target: '/cover' }))),
 * )
 * const response = await inMemory(routes({ book }))('http://localhost/book')
 *
 * assert.equal(await response.text(), '{"title":"Emma","_links":{"cover":{"href":"/cover"}}}')
 * ```
 */
export const halEntity = <A>(value: A): HalEntity<A> => {
  const made = { _tag: 'HalEntity', value, links: none, [mark]: true } as const
  return Object.freeze(made)
}

/**
 * Wraps a collection, so that {@link addLinks} can add links to it or to its elements. `name` is the name of the
 * elements in `_embedded`. Default: that of the representation. Other representations than HAL send only the values.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, list, path, produces, routes } from 'espalier'
 * import { addLinks, hal, halCollection } from 'espalier/hal'
 * import { inMemory } from 'espalier/testing'
 *
 * const books = pipe(
 *   path('/books'),
 *   get(),
 *   produces(hal(list(t.type({ title: t.string })))),
 *   handle(() =>
 *     pipe(
 *       halCollection([{ title: 'Emma' }], 'books'),
 *       addLinks({ rel: 'next', target: '/books?page=2' }),
 *     ),
 *   ),
 * )
 * const response = await inMemory(routes({ books }))('http://localhost/books')
 *
 * assert.deepEqual(await response.json(), {
 *   _embedded: { books: [{ title: 'Emma', _links: {} }] },
 *   _links: { next: { href: '/books?page=2' } },
 * })
 * ```
 */
export const halCollection = <A>(
  values: Iterable<A | HalEntity<A>>,
  name?: string,
): HalCollection<A> => {
  const all = Object.freeze([...values])
  const made = { _tag: 'HalCollection', values: all, name, links: none, [mark]: true } as const
  return Object.freeze(made)
}

const none: ReadonlyArray<HalLink> = Object.freeze([])

/** Appends links to a copy of the wrapper. */
export const addLinks =
  (...links: ReadonlyArray<HalLink>) =>
  <W extends HalEntity<unknown> | HalCollection<unknown>>(wrapper: W): W =>
    Object.freeze({ ...wrapper, links: Object.freeze([...wrapper.links, ...links]) })

/** Whether a value is a wrapped entity, of this or another copy of the package. */
export const isHalEntity = (value: unknown): value is HalEntity<unknown> =>
  isWrapper(value) && value._tag === 'HalEntity'

/** Whether a value is a wrapped collection, of this or another copy of the package. */
export const isHalCollection = (value: unknown): value is HalCollection<unknown> =>
  isWrapper(value) && value._tag === 'HalCollection'

const isWrapper = (value: unknown): value is HalEntity<unknown> | HalCollection<unknown> =>
  typeof value === 'object' && value !== null && mark in value

/** Returns the value without its additional links. */
export const unwrapHal = (value: unknown): unknown =>
  isHalEntity(value)
    ? value.value
    : isHalCollection(value)
      ? value.values.map((element) => (isHalEntity(element) ? element.value : element))
      : value
