/** The links of a tree, for handlers and filters. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Link } from '../http/link.ts'
import type { Surroundings } from './context.ts'

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
export const linked: unique symbol = Symbol.for('espalier.links')

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
 * const response = await inMemory(api)(new Request('http://localhost/hint'))
 *
 * assert.equal(await response.json(), 'http://localhost/books/7')
 * ```
 */
export const linksOf = (context: Surroundings): Links =>
  isLinked(context) ? context[linked] : unlinked

const isLinked = (context: object): context is { readonly [linked]: Links } => linked in context

const unlinked: Links = Object.freeze({ type: () => [], instance: () => [] })
