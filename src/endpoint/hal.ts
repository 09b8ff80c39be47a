/** HAL representations (JSON documents with links), and wrappers that add links to individual values. */
import type { PlainCodec, SentValue } from '../codec/sent-value.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from '../codec/standard-schema/schema-types.ts'
import type {
  AnyCodec,
  RejectedRepresentation,
  RejectedForCodec,
  VerifiedCodec,
} from '../codec/codec.ts'
import type { Curies, HalLink } from '../http/hal.ts'
import type { Encodable, Receivable, Representation } from './representation.ts'
import { makeFromCodec, toCodec } from './representation.ts'
import { isObject } from '../http/platform-value.ts'

/** Options for {@link hal}. */
export interface HalOptions {
  /** Key under which the elements of a collection appear in `_embedded`. Default: `items`. */
  readonly collection?: string
  /**
   * URI templates for the documentation of link relations, keyed by prefix. For example,
   * `{ acme: 'https://docs.example/{rel}' }` documents the relation `acme:cover`.
   */
  readonly curies?: Curies
}

/** The result of a handler that produces HAL: a plain value, or a value wrapped to add links. */
export type HalValue<A> =
  | A
  | (A extends ReadonlyArray<infer E> | ReadonlySet<infer E>
      ? HalCollection<E>
      : HalEntity<NonNullable<A>>)

/** A HAL representation. Values that a client receives do not contain links. */
export interface HalRepresentation<A> extends Representation<HalValue<A>, 'application/hal+json'> {
  /** The type of the value that a client receives. This member exists only at compile time. */
  readonly _received: A
}

/** A HAL representation for which a client sends an `I`, which is received as an `O`. */
export interface HalSchemaRepresentation<I, O> extends Receivable<
  HalValue<Encodable<I, O>>,
  O,
  'application/hal+json'
> {
  /** The type of the value that a client sends. This member exists only at compile time. */
  readonly _sent: I
}

/**
 * Creates an `application/hal+json` representation: an entity with `_links`, or a collection with `_embedded` and
 * `_links`.
 *
 * Links point to the operations that declare `rel` for the same codec. Members of the entity provide the values of
 * path variables. In a collection, each element has its own links, and the collection itself has only links without
 * path variables. Several links with the same relation become an array. A link in which a variable has no value is
 * marked as `templated`.
 *
 * A request body is decoded in the same way as JSON. The `_links` and `_embedded` members are ignored. The codec must
 * be an object or a collection of objects, and must not have a member `_links` or `_embedded`. Any other codec is a
 * configuration error (`FW-HAL-001`).
 *
 * The combinators that customize JSON also apply to HAL: `jsonView`, `secureField`, `customSerialization`, and JSON
 * libraries such as `lossless`. Values that `secureField` hides from the caller are not inserted into links. The
 * function passed to `customSerialization` receives the whole document.
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
export const hal: CreateHal = (
  codec: AnyCodec | AnySchema | RejectedForCodec,
  { collection = 'items', curies = {} }: HalOptions = {},
) =>
  makeFromCodec('application/hal+json', {
    _tag: 'Hal',
    codec: toCodec(codec),
    collection,
    curies: Object.freeze({ ...curies }),
  })

/** The type of {@link hal}. */
export interface CreateHal {
  <C extends PlainCodec>(codec: C, options?: HalOptions): HalRepresentation<C['_A']>
  <C extends AnyCodec>(
    codec: C,
    options?: HalOptions,
  ): HalSchemaRepresentation<SentValue<C>, C['_A']>
  <S extends AnySchema>(
    schema: S,
    options?: HalOptions,
  ): HalSchemaRepresentation<SchemaInput<S>, SchemaOutput<S>>
  (
    codec:
      | RejectedRepresentation<'use the codec without json(…)'>
      | VerifiedCodec<'use a codec, such as t.type({ … }) or list(codec), or a schema'>,
    options?: HalOptions,
  ): HalRepresentation<never>
}

/** An entity with additional links. */
export interface HalEntity<A> {
  readonly _tag: 'HalEntity'
  readonly value: A
  readonly links: ReadonlyArray<HalLink>
}

/** A collection with additional links. Its elements can have additional links too. */
export interface HalCollection<A> {
  readonly _tag: 'HalCollection'
  readonly values: ReadonlyArray<A | HalEntity<A>>
  /** Key under which the elements appear in `_embedded`. Default: the `collection` option of the representation. */
  readonly name: string | undefined
  readonly links: ReadonlyArray<HalLink>
}

/**
 * Key that marks wrapped values. JSON cannot contain a symbol, so JSON from a client is never treated as a wrapped
 * value.
 */
const brandKey = Symbol.for('espalier.Hal')

/**
 * Wraps an entity, so that {@link addLinks} can add links to it. Representations other than HAL send only the value.
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
  const wrapper = { _tag: 'HalEntity', value, links: none, [brandKey]: true } as const
  return Object.freeze(wrapper)
}

/**
 * Wraps a collection, so that {@link addLinks} can add links to the collection or its elements. Representations other
 * than HAL send only the values.
 *
 * The elements appear in `_embedded` under the key `name`, which defaults to the `collection` option of the
 * representation.
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
  const wrapper = {
    _tag: 'HalCollection',
    values: all,
    name,
    links: none,
    [brandKey]: true,
  } as const
  return Object.freeze(wrapper)
}

const none: ReadonlyArray<HalLink> = Object.freeze([])

/** Returns a function that copies a wrapped value and appends links to the copy. */
export const addLinks =
  (...links: ReadonlyArray<HalLink>) =>
  <W extends HalEntity<unknown> | HalCollection<unknown>>(wrapper: W): W =>
    Object.freeze({ ...wrapper, links: Object.freeze([...wrapper.links, ...links]) })

/** Whether a value is a wrapped entity. Also recognizes entities wrapped by another copy of the package. */
export const isHalEntity = (value: unknown): value is HalEntity<unknown> =>
  isWrapper(value) && value._tag === 'HalEntity'

/** Whether a value is a wrapped collection. Also recognizes collections wrapped by another copy of the package. */
export const isHalCollection = (value: unknown): value is HalCollection<unknown> =>
  isWrapper(value) && value._tag === 'HalCollection'

const isWrapper = (value: unknown): value is HalEntity<unknown> | HalCollection<unknown> =>
  isObject(value) && brandKey in value

/** Removes the wrappers from a value and its elements. Returns other values unchanged. */
export const unwrapHal = (value: unknown): unknown =>
  isHalEntity(value)
    ? value.value
    : isHalCollection(value)
      ? value.values.map((element) => (isHalEntity(element) ? element.value : element))
      : value
