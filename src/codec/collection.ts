/**
 * Codecs for collections. A collection codec decodes all values of a parameter, as in `?tag=a&tag=b`, or an array in a body.
 *
 * A missing parameter is decoded as an empty collection. In a JSON body, a missing member results in a `400` response, because
 * JSON can represent empty collections. Codecs made with `optional` and `withDefault` treat missing values equally everywhere.
 */
import type { AnySchema, StandardSchema } from './standard-schema/schema-types.ts'
import * as t from 'io-ts'
import type { Codec, RejectedOptions, RejectedCodecOf } from './codec.ts'
import type { CodecOrSchema, SchemaCodec } from './standard-schema/standard-schema.ts'
import { acceptsOnlyLists } from './standard-schema/accepted-types.ts'
import { isStandardType, toMixed } from './standard-schema/standard-schema.ts'
import { compareDecimals, isDecimal } from './decimal.ts'
import { children, isListOrSet } from './codec-structure.ts'
import type { EncodeElement } from './structure/collection-types.ts'
import { SeparatedType, SetType, RestTupleType } from './structure/collection-types.ts'
import { unrestricted } from './unrestricted.ts'

/** An argument that TypeScript rejects where the codec of elements is required. */
type NotAnElement<X> = X &
  (X extends { readonly _tag: 'Representation' }
    ? RejectedCodecOf<
        string,
        'use a codec, such as int, and apply json to the whole, as in json(list(codec))'
      >
    : RejectedCodecOf<string, 'use a codec, such as int'>)

/** A codec for an array. */
export interface ListC<C extends t.Mixed> extends t.ReadonlyArrayC<C> {}

/**
 * Creates a codec for an array. The order of the elements is preserved.
 *
 * A missing parameter, and a member without elements in XML, are decoded as an empty array. A missing member in JSON is
 * rejected: make it {@link optional}, or give it a default value with {@link withDefault}.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { int, list } from 'espalier'
 *
 * assert.deepEqual(list(int).decode([3, 1, 3]), E.right([3, 1, 3]))
 * assert.deepEqual(list(int).decode([]), E.right([]))
 * assert.ok(E.isLeft(list(int).decode([3, 'one']))) // all elements must be valid
 * ```
 */
export function list<C extends t.Mixed>(codec: C): ListC<C>
export function list<S extends AnySchema>(schema: S): ListC<SchemaCodec<S>>
export function list<X>(declared: NotAnElement<X>): never
export function list(declared: t.Mixed | AnySchema): t.Mixed {
  const codec = toMixed(declared)
  return t.readonlyArray(codec, `list of ${codec.name}`)
}

/** A codec for a tuple with further elements. */
export interface RestTupleC<
  E extends readonly [t.Mixed, ...t.Mixed[]],
  R extends t.Mixed,
> extends t.Type<
  readonly [...{ readonly [K in keyof E]: t.TypeOf<E[K]> }, ...ReadonlyArray<t.TypeOf<R>>],
  readonly [...{ readonly [K in keyof E]: t.OutputOf<E[K]> }, ...ReadonlyArray<t.OutputOf<R>>]
> {}

/**
 * Creates a codec for an array that begins with the elements of a tuple, followed by any number of elements with another codec.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { int, string, tupleWithRest } from 'espalier'
 *
 * const Score = tupleWithRest([string], int)
 *
 * assert.deepEqual(Score.decode(['ann', 3, 1]), E.right(['ann', 3, 1]))
 * assert.deepEqual(Score.decode(['ann']), E.right(['ann']))
 * assert.ok(E.isLeft(Score.decode(['ann', 3, 'one'])))
 * ```
 */
export function tupleWithRest<const E extends readonly [t.Mixed, ...t.Mixed[]], R extends t.Mixed>(
  elements: E,
  rest: R,
): RestTupleC<E, R>
export function tupleWithRest(elements: readonly [Codec, ...Codec[]], rest: Codec): Codec {
  return new RestTupleType(elements, rest)
}

/**
 * Creates a codec for a set. The values keep the order of their first occurrence.
 *
 * When a set is decoded, duplicates are removed. Values are compared in the same way as in a JavaScript `Set`. In addition, objects
 * that are encoded as the same text are equal, such as two objects for the same date.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { int, plainDate, set } from 'espalier'
 *
 * const days = pipe(set(plainDate).decode(['2024-02-29', '2024-02-29']), E.map(Array.from))
 *
 * assert.deepEqual(set(int).decode([3, 1, 3]), E.right(new Set([3, 1])))
 * assert.deepEqual(set(int).encode(new Set([3, 1])), [3, 1])
 * assert.deepEqual(pipe(days, E.map(String)), E.right('2024-02-29'))
 * ```
 */
export function set<C extends t.Mixed>(codec: C): SetType<C>
export function set<S extends AnySchema>(schema: S): SetType<SchemaCodec<S>>
export function set<X>(declared: NotAnElement<X>): never
export function set(declared: t.Mixed | AnySchema): t.Mixed {
  const codec = toMixed(declared)
  return new SetType(`set of ${codec.name}`, codec, distinct, encodeFor(codec))
}

const encodeFor =
  (codec: t.Mixed): EncodeElement =>
  (value) =>
    unrestricted(codec).encode(value)

/** Removes each object that is encoded as the same text as a previous one. */
const distinct = <A>(values: ReadonlyArray<A>, encode: EncodeElement): ReadonlyArray<A> => {
  if (!values.some(isObject)) return values
  const texts = new Set<string>()
  return values.filter((value) => {
    const text: unknown = isObject(value) ? encode(value) : undefined
    if (typeof text !== 'string') return true
    const isFirst = !texts.has(text)
    texts.add(text)
    return isFirst
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Creates a codec for a sorted set. When a set is decoded, duplicates are removed as in {@link set}, and the values are sorted in
 * ascending order.
 *
 * Numbers, decimal numbers, dates and times are compared by value, and so are instances of any class with a static method
 * `compare`. All other values are compared by their encoded form, as text, by UTF-16 code units. Durations are also compared as
 * text if one of them contains years, months or weeks.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { int, sortedSet, string } from 'espalier'
 *
 * const numbers = pipe(sortedSet(int).decode([10, 9, 10]), E.map(Array.from))
 * const texts = pipe(sortedSet(string).decode(['10', '9', 'a', 'B']), E.map(Array.from))
 *
 * assert.deepEqual(numbers, E.right([9, 10]))
 * assert.deepEqual(texts, E.right(['10', '9', 'B', 'a']))
 * ```
 */
export function sortedSet<C extends t.Mixed>(codec: C): SetType<C>
export function sortedSet<S extends AnySchema>(schema: S): SetType<SchemaCodec<S>>
export function sortedSet<X>(declared: NotAnElement<X>): never
export function sortedSet(declared: t.Mixed | AnySchema): t.Mixed {
  const codec = toMixed(declared)
  return new SetType(`sorted set of ${codec.name}`, codec, sortedDistinct, encodeFor(codec))
}

const sortedDistinct = <A>(values: ReadonlyArray<A>, encode: EncodeElement): ReadonlyArray<A> =>
  sorted(distinct(values, encode).map((value) => [value, encode(value)] as const)).map(
    ([value]) => value,
  )

/** A decoded value with its encoded form. */
type Entry<A> = readonly [value: A, encoded: unknown]

const sorted = <A>(entries: ReadonlyArray<Entry<A>>): ReadonlyArray<Entry<A>> => {
  try {
    return entries.toSorted(
      ([a, encodedA], [b, encodedB]) => compareValues(a, b) ?? compareEncoded(encodedA, encodedB),
    )
  } catch {
    return entries.toSorted(([, a], [, b]) => compareEncoded(a, b))
  }
}

/** Compares two values of the same type. Returns `undefined` if the type has no order. */
const compareValues = (a: unknown, b: unknown): number | undefined => {
  if (!isObject(a) || !isObject(b)) return compareNumbers(a, b)
  if (isDecimal(a) && isDecimal(b)) return compareDecimals(a, b)
  const type: unknown = a.constructor
  return type === b.constructor && isOrdered(type) ? type.compare(a, b) : undefined
}

const compareNumbers = (a: unknown, b: unknown): number | undefined =>
  (typeof a === 'number' && typeof b === 'number') ||
  (typeof a === 'bigint' && typeof b === 'bigint')
    ? order(a, b)
    : undefined

const compareEncoded = (a: unknown, b: unknown): number =>
  compareNumbers(a, b) ?? order(String(a), String(b))

const order = <A extends string | number | bigint>(a: A, b: A): number =>
  a < b ? -1 : a > b ? 1 : 0

/** A class whose instances have an order, such as those of Temporal. */
interface OrderedClass {
  readonly compare: (a: object, b: object) => number
}

const isOrdered = (type: unknown): type is OrderedClass =>
  typeof type === 'function' && 'compare' in type && typeof type.compare === 'function'

/**
 * A function that creates a codec for values joined with a separator. The argument is a codec for a collection, or a codec for the
 * elements of a list.
 */
export interface Separate {
  <S extends StandardSchema<ReadonlyArray<unknown>, ReadonlyArray<unknown>>>(
    collection: S,
  ): SeparatedType<SchemaCodec<S>>
  <S extends AnySchema>(element: S): SeparatedType<ListC<SchemaCodec<S>>>
  <C extends t.Mixed & { readonly _O: ReadonlyArray<unknown> }>(collection: C): SeparatedType<C>
  <C extends t.Mixed>(element: C): SeparatedType<ListC<C>>
}

/**
 * Splits each value of a parameter at `separator` and collects the parts in a list. To use another collection, pass its codec,
 * as in `separated(',')(set(int))`.
 *
 * Values are split after percent-decoding. Therefore, `%2C` also acts as a comma separator. Empty parts are kept if the
 * elements are strings, and dropped otherwise. Arrays in bodies are not affected.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, query, routes, separated, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const search = pipe(
 *   path('/books'),
 *   get(),
 *   query({ sort: separated(',')(string) }),
 *   produces(text),
 *   handle(({ query: { sort } }) => sort.join(' ')),
 * )
 * const send = inMemory(routes({ search }))
 *
 * const response = await send(new Request('http://localhost/books?sort=title,year&sort=isbn'))
 * assert.equal(await response.text(), 'title year isbn')
 * ```
 */
export function separated(separator: string): Separate
// the type of an error
export function separated(
  element: RejectedOptions<"call twice: separated(',')(int)">,
  separator: string,
): never
export function separated(separator: string): Separate {
  function separate<S extends StandardSchema<ReadonlyArray<unknown>, ReadonlyArray<unknown>>>(
    collection: S,
  ): SeparatedType<SchemaCodec<S>>
  function separate<S extends AnySchema>(element: S): SeparatedType<ListC<SchemaCodec<S>>>
  function separate<C extends t.Mixed & { readonly _O: ReadonlyArray<unknown> }>(
    collection: C,
  ): SeparatedType<C>
  function separate<C extends t.Mixed>(element: C): SeparatedType<ListC<C>>
  function separate(declared: CodecOrSchema): t.Mixed {
    const codec = toMixed(declared)
    return new SeparatedType(separator, isCollection(codec) ? codec : list(codec))
  }
  return separate
}

/** Whether a codec describes a collection, either directly or inside wrappers such as refinements and brands. */
export const isCollection = (codec: Codec): boolean =>
  isListOrSet(codec) ||
  (isStandardType(codec) && acceptsOnlyLists(codec.schema)) ||
  (wrappers.has(codec._tag ?? '') && children(codec).some(isCollection))

/** The tags of wrapper codecs that use the encoded form of their inner codec. */
const wrappers = new Set([
  'RefinementType',
  'ReadonlyType',
  'RecursiveType',
  'EncodedType',
  'CombinedType',
  'SeparatedType',
  'XmlType',
  'RestrictedType',
])
