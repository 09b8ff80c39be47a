/**
 * Unions, tuples and intersections of any number of codecs.
 *
 * The io-ts constructors require tuple types. Intersections merge the results of their members one by one
 * (`codec/structure/merge.ts`).
 */
import { isLeft, isRight, map } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { merge } from './merge.ts'

/** Creates a union. Returns the first codec if there are no others. */
export const union = (name: string, first: Codec, others: ReadonlyArray<Codec>): Codec => {
  const [second, ...rest] = others
  return second === undefined ? first : t.union([first, second, ...rest], name)
}

export const tuple = (name: string, codecs: ReadonlyArray<Codec>): Codec =>
  new t.TupleType(
    name,
    (value): value is ReadonlyArray<unknown> =>
      t.UnknownArray.is(value) &&
      value.length === codecs.length &&
      codecs.every((codec, index) => codec.is(value[index])),
    (value, context) =>
      t.UnknownArray.is(value)
        ? pipe(
            each(codecs, (index) => value[index], context),
            map((elements) => withoutEnd(elements, value.length)),
          )
        : t.failure(value, context),
    (values) => codecs.map((codec, index): unknown => codec.encode(values[index])),
    [...codecs],
  )

/** Removes trailing elements that are `undefined` because they were missing, as io-ts tuples do. */
const withoutEnd = (elements: ReadonlyArray<unknown>, given: number): ReadonlyArray<unknown> => {
  let length = elements.length
  while (length > given && elements[length - 1] === undefined) length--
  return length === elements.length ? elements : elements.slice(0, length)
}

export const intersection = (name: string, codecs: ReadonlyArray<Codec>): Codec =>
  new t.IntersectionType(
    name,
    (value): value is unknown => codecs.every((codec) => codec.is(value)),
    (value, context) =>
      pipe(
        each(codecs, () => value, context),
        map((parts) => merge(value, parts)),
      ),
    (value: unknown) =>
      merge(
        value,
        codecs.map((codec): unknown => codec.encode(value)),
      ),
    [...codecs],
  )

/** Decodes with each codec, and collects the errors of all of them. */
const each = (
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
