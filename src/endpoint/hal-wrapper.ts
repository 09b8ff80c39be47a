/** Values with links of their own, for operations that produce HAL. Where another representation is chosen, only the value is sent. */
import type { HalLink } from '../http/hal.ts'

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
 * const response = await inMemory(routes({ book }))(new Request('http://localhost/book'))
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
 * const response = await inMemory(routes({ books }))(new Request('http://localhost/books'))
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
export const bare = (value: unknown): unknown =>
  isHalEntity(value)
    ? value.value
    : isHalCollection(value)
      ? value.values.map((one) => (isHalEntity(one) ? one.value : one))
      : value
