/** The representation of entities and collections with their links in HAL. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Curies } from '../http/hal.ts'
import { metHal } from './hal-met.ts'
import type { HalCollection, HalEntity } from './hal-wrapper.ts'
import type { Representation } from './representation.ts'
import { of, runnable } from './representation.ts'

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
 * const call = inMemory(routes({ book }))
 * const ask = async (accept: string) =>
 *   (await call(new Request('http://localhost/books/1', { headers: { accept } }))).text()
 *
 * assert.equal(await ask('application/json'), '{"id":1,"title":"Emma"}')
 * assert.equal(
 *   await ask('application/hal+json'),
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
  metHal()
  // `_received` is for the compiler alone, so the value need not have it
  return of('application/hal+json', {
    _tag: 'Hal',
    codec: runnable(codec),
    collection,
    curies: Object.freeze({ ...curies }),
  }) as HalRepresentation<C['_A']>
}
