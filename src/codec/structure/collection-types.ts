/** The codec classes of sets, of separated values, and of tuples with further elements. The functions that create them are in `codec/collection.ts`. */
import { map } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { isSet } from '../../http/platform-value.ts'
import type { Codec } from '../codec.ts'

type Elements<C extends t.Mixed> = ReadonlyArray<t.OutputOf<C>>

/** A function that encodes a value, in order to compare it with others. */
export type EncodeElement = (value: unknown) => unknown

/** A function that arranges decoded values in the order in which they will be added to a set. */
type Arrange<C extends t.Mixed> = (
  values: ReadonlyArray<t.TypeOf<C>>,
  encode: EncodeElement,
) => ReadonlyArray<t.TypeOf<C>>

/** A codec for a set of distinct values. The set is encoded as an array. */
export class SetType<C extends t.Mixed> extends t.Type<ReadonlySet<t.TypeOf<C>>, Elements<C>> {
  readonly _tag = 'SetType' as const
  readonly codec: C
  readonly arrange: Arrange<C>
  constructor(name: string, codec: C, arrange: Arrange<C>, encode: EncodeElement = codec.encode) {
    const array = t.readonlyArray(codec, name)
    super(
      name,
      (value): value is ReadonlySet<t.TypeOf<C>> => isSet(value) && [...value].every(codec.is),
      (value, context) =>
        pipe(
          array.validate(value, context),
          map((values) => new Set(arrange(values, encode))),
        ),
      (values) => [...values].map((value) => codec.encode(value)),
    )
    this.codec = codec
    this.arrange = arrange
  }
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

/** Combines any number of codecs. The signatures of io-ts limit the number. */
export const combineAll = (
  combine: typeof t.tuple | typeof t.union,
  codecs: ReadonlyArray<Codec>,
  name?: string,
): Codec => Reflect.apply(combine, undefined, [codecs, name])

/** A codec for a tuple that is followed by any number of elements with the same codec. A value is validated and encoded as a tuple of its length. */
export class RestTupleType extends t.Type<unknown> {
  readonly _tag = 'RestTupleType' as const
  /** The codecs of the first elements and, at the end, the codec of all further elements. */
  readonly types: ReadonlyArray<Codec>
  readonly elements: RestTupleElements
  readonly rest: Codec
  constructor(elements: RestTupleElements, rest: Codec) {
    const tupleFor = ({ length }: ReadonlyArray<unknown>): Codec => {
      const further = Array.from({ length: Math.max(0, length - elements.length) }, () => rest)
      return combineAll(t.tuple, [...elements, ...further])
    }
    super(
      `[${elements.map(({ name }) => name).join(', ')}, ...${rest.name}]`,
      (value): value is unknown => t.UnknownArray.is(value) && tupleFor(value).is(value),
      (value, context) =>
        t.UnknownArray.is(value)
          ? tupleFor(value).validate(value, context)
          : t.failure(value, context),
      (values) => tupleFor(t.UnknownArray.is(values) ? values : []).encode(values),
    )
    this.types = [...elements, rest]
    this.elements = elements
    this.rest = rest
  }
}

type RestTupleElements = readonly [Codec, ...Codec[]]
