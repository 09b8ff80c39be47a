/** The codec classes of sets and of separated values. The functions that create them are in `codec/collection.ts`. */
import { map } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { isSet } from '../../http/platform-value.ts'

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
