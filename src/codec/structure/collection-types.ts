/** The codec classes of sets, of separated values, and of tuples with further elements. The functions that create them are in `codec/collection.ts`. */
import { isLeft, isRight, map } from 'fp-ts/lib/Either.js'
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

/**
 * A codec for a tuple that is followed by any number of elements with the same codec. Code that does not know this class treats it as
 * a refinement of a list whose elements match one of the codecs.
 */
export class RestTupleType extends t.RefinementType<
  Codec,
  ReadonlyArray<unknown>,
  ReadonlyArray<unknown>
> {
  readonly elements: RestTupleElements
  readonly rest: Codec
  constructor(elements: RestTupleElements, rest: Codec) {
    const [first, second = rest, ...others] = elements
    const codecAt = (index: number): Codec => elements[index] ?? rest
    const matches = (values: ReadonlyArray<unknown>): boolean =>
      values.length >= elements.length && values.every((value, index) => codecAt(index).is(value))
    super(
      `[${elements.map(({ name }) => name).join(', ')}, ...${rest.name}]`,
      (value): value is ReadonlyArray<unknown> => t.UnknownArray.is(value) && matches(value),
      (value, context) =>
        t.UnknownArray.is(value)
          ? pipe(
              validateEach(
                Array.from({ length: Math.max(value.length, elements.length) }, (_, at) =>
                  codecAt(at),
                ),
                (index) => value[index],
                context,
              ),
              map((results) => withoutTrailingUndefined(results, value.length)),
            )
          : t.failure(value, context),
      (values) => values.map((value, index): unknown => codecAt(index).encode(value)),
      t.readonlyArray(t.union([first, second, ...others, rest])),
      matches,
    )
    this.elements = elements
    this.rest = rest
  }
}

type RestTupleElements = readonly [Codec, ...Codec[]]

/** Whether a codec is a `RestTupleType` from this or another copy of the package. */
export const isRestTuple = (codec: Codec): codec is RestTupleType =>
  codec._tag === 'RefinementType' && 'elements' in codec && 'rest' in codec

/** Validates the value at each index with the codec at that index. Returns all results or, if any value is invalid, all errors. */
export const validateEach = (
  codecs: ReadonlyArray<Codec>,
  valueAt: (index: number) => unknown,
  context: t.Context,
): t.Validation<ReadonlyArray<unknown>> => {
  const results = codecs.map((codec, index): t.Validation<unknown> => {
    const value = valueAt(index)
    return codec.validate(value, t.appendContext(context, String(index), codec, value))
  })
  const errors = results.filter(isLeft).flatMap(({ left }) => left)
  return errors.length > 0
    ? t.failures(errors)
    : t.success(results.filter(isRight).map(({ right }) => right))
}

/** Removes trailing `undefined` elements that were missing in the input, as io-ts does for tuples. */
export const withoutTrailingUndefined = (
  elements: ReadonlyArray<unknown>,
  inputLength: number,
): ReadonlyArray<unknown> => {
  let length = elements.length
  while (length > inputLength && elements[length - 1] === undefined) length--
  return length === elements.length ? elements : elements.slice(0, length)
}
