/**
 * Codecs for collections. A collection codec decodes all values of a parameter, as in `?tag=a&tag=b`, or an array in a body.
 *
 * A missing parameter is decoded as an empty collection. In a JSON body, a missing member results in a `400` response, because
 * JSON can represent empty collections. Codecs made with `optional` and `withDefault` treat missing values equally everywhere.
 */
import { map } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Codec } from './codec.ts'
import { children } from './structure/codec-structure.ts'

type Element<C extends t.Mixed> = t.TypeOf<C>
type Elements<C extends t.Mixed> = ReadonlyArray<t.OutputOf<C>>

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
export const list = <C extends t.Mixed>(codec: C): ListC<C> =>
  t.readonlyArray(codec, `list of ${codec.name}`)

/** A function that arranges decoded values in the order in which they will be added to a set. */
type Arrange<C extends t.Mixed> = (values: ReadonlyArray<Element<C>>) => ReadonlyArray<Element<C>>

/** A codec for a set of distinct values. The set is encoded as an array. */
export class SetType<C extends t.Mixed> extends t.Type<ReadonlySet<Element<C>>, Elements<C>> {
  readonly _tag = 'SetType' as const
  readonly codec: C
  readonly arrange: Arrange<C>
  constructor(name: string, codec: C, arrange: Arrange<C>) {
    const array = t.readonlyArray(codec, name)
    super(
      name,
      (value): value is ReadonlySet<Element<C>> =>
        value instanceof Set && [...value].every(codec.is),
      (value, context) =>
        pipe(
          array.validate(value, context),
          map((values) => new Set(arrange(values))),
        ),
      (values) => [...values].map((value) => codec.encode(value)),
    )
    this.codec = codec
    this.arrange = arrange
  }
}

/**
 * Creates a codec for a set. The values keep the order of their first occurrence.
 *
 * Values are compared in the same way as in a JavaScript `Set`. Two objects therefore remain distinct even if they represent
 * the same value, such as the same date.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { int, set } from 'espalier'
 *
 * assert.deepEqual(set(int).decode([3, 1, 3]), E.right(new Set([3, 1])))
 * assert.deepEqual(set(int).encode(new Set([3, 1])), [3, 1])
 * ```
 */
export const set = <C extends t.Mixed>(codec: C): SetType<C> =>
  new SetType(`set of ${codec.name}`, codec, (values) => values)

/**
 * Creates a codec for a sorted set. When a set is decoded, its values are sorted in ascending order of their encoded form.
 *
 * Numbers are compared numerically. All other values are compared as text, by UTF-16 code units.
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
export const sortedSet = <C extends t.Mixed>(codec: C): SetType<C> =>
  new SetType(`sorted set of ${codec.name}`, codec, (values) =>
    values.toSorted((a, b) => order(codec.encode(a), codec.encode(b))),
  )

const order = (a: unknown, b: unknown): number => {
  if (
    (typeof a === 'number' && typeof b === 'number') ||
    (typeof a === 'bigint' && typeof b === 'bigint')
  )
    return a < b ? -1 : a > b ? 1 : 0
  const [left, right] = [String(a), String(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** A codec for a collection parameter. Each value of the parameter can contain multiple elements, joined by a separator. */
export class SeparatedType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'SeparatedType' as const
  readonly codec: C
  readonly separator: string
  constructor(separator: string, codec: C) {
    super(
      `${codec.name} separated by ${JSON.stringify(separator)}`,
      codec.is,
      codec.validate,
      codec.encode,
    )
    this.codec = codec
    this.separator = separator
  }
}

/**
 * A function that creates a codec for values joined with a separator. The argument is a codec for a collection, or a codec for the
 * elements of a list.
 */
export interface Separate {
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
export const separated = (separator: string): Separate => {
  function separate<C extends t.Mixed & { readonly _O: ReadonlyArray<unknown> }>(
    collection: C,
  ): SeparatedType<C>
  function separate<C extends t.Mixed>(element: C): SeparatedType<ListC<C>>
  function separate<C extends t.Mixed>(codec: C): SeparatedType<C> | SeparatedType<ListC<C>> {
    return isCollection(codec)
      ? new SeparatedType(separator, codec)
      : new SeparatedType(separator, list(codec))
  }
  return separate
}

/** Whether a codec describes a collection, either directly or inside wrappers such as refinements and brands. */
export const isCollection = (codec: Codec): boolean =>
  collections.has(codec._tag ?? '') ||
  (wrappers.has(codec._tag ?? '') && children(codec).some(isCollection))

const collections = new Set(['SetType', 'ArrayType', 'ReadonlyArrayType'])

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
