/** The representation of entities and collections with their links in HAL. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Curies, HalLink } from '../http/hal.ts'
import type { Representation } from './representation.ts'
import { makeReceivable, toCodec } from './representation.ts'

/** What a representation in HAL says beside its codec. */
export interface HalOptions {
  /** What the elements of a collection are called in `_embedded`; `items` by default. */
  readonly collection?: string
  /** Short names for the documentation of relations: `{ acme: 'https://docs.example/{rel}' }` for `acme:cover`. */
  readonly curies?: Curies
}

/** What a handler may return where HAL is produced: the value, or one with links of its own. */
export type HalValue<A> =
  | A
  | (A extends ReadonlyArray<infer E> | ReadonlySet<infer E>
      ? HalCollection<E>
      : HalEntity<NonNullable<A>>)

/** A value travelling as HAL. What is received is the value alone. */
export interface HalRepresentation<A> extends Representation<HalValue<A>, 'application/hal+json'> {
  /** The type of what is received; there is no such member at run time. */
  readonly _received: A
}

/**
 * `application/hal+json`: an entity with its members and, behind them, `_links`: all targets of its codec (`rel`), with variables
 * filled from its members. A collection is `{"_embedded":{"items":[…]},"_links":{…}}`, with the links of each element in it, and
 * those of all by type around. A relation with several links has an array of them; a link with variables left is `templated`.
 *
 * It stands beside others, and `Accept` chooses. As a body it is read as JSON is; `_links` and `_embedded` are left out. A codec
 * that is neither of an object nor of a collection of objects, and one with a member `_links` or `_embedded`, are mistakes when the
 * tree is compiled.
 *
 * What is said of JSON holds: views and secured fields, also in links; a library such as `lossless`; and `customSerialization`,
 * whose function is given the whole document, `_links` among its members.
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

/** An entity and the links that are added to those of the tree. */
export interface HalEntity<A> {
  readonly _tag: 'HalEntity'
  readonly value: A
  readonly links: ReadonlyArray<HalLink>
}

/** Entities, some of them with links of their own, and the links of all of them together. */
export interface HalCollection<A> {
  readonly _tag: 'HalCollection'
  readonly values: ReadonlyArray<A | HalEntity<A>>
  /** What they are called in `_embedded`; what the representation says where it is left out. */
  readonly name: string | undefined
  readonly links: ReadonlyArray<HalLink>
}

/** What no JSON has: a value that a client sent and a handler returns is never taken for a wrapper. */
const mark = Symbol.for('espalier.Hal')

/**
 * An entity that links can be added to.
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
 * Entities that links can be added to, to each or to all together. `name` is what they are called in `_embedded`: `items`, or what
 * the representation says, unless it is given.
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

/** Adds links behind those that are there; the wrapper that was given stays what it is. */
export const addLinks =
  (...links: ReadonlyArray<HalLink>) =>
  <W extends HalEntity<unknown> | HalCollection<unknown>>(wrapper: W): W =>
    Object.freeze({ ...wrapper, links: Object.freeze([...wrapper.links, ...links]) })

export const isHalEntity = (value: unknown): value is HalEntity<unknown> =>
  isWrapper(value) && value._tag === 'HalEntity'

export const isHalCollection = (value: unknown): value is HalCollection<unknown> =>
  isWrapper(value) && value._tag === 'HalCollection'

const isWrapper = (value: unknown): value is HalEntity<unknown> | HalCollection<unknown> =>
  typeof value === 'object' && value !== null && mark in value

/** The value without what is around it. */
export const unwrapHal = (value: unknown): unknown =>
  isHalEntity(value)
    ? value.value
    : isHalCollection(value)
      ? value.values.map((one) => (isHalEntity(one) ? one.value : one))
      : value
