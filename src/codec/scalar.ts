/**
 * Codecs for single values that JSON and text share: a number is a number in a JSON body and digits in a query. Where a
 * codec stands as a parameter, the engine turns the text into such a value first (`codec/parameter.ts`).
 */
import { chain } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** Any text, the empty one too. */
export const string: t.StringC = t.string

/** `true` or `false`. As a query parameter without a value (`?verbose`) it is `true`. */
export const boolean: t.BooleanC = t.boolean

/** A finite number: neither `NaN` nor an infinity, which io-ts' own `t.number` lets pass. */
export interface FiniteNumberC extends t.RefinementType<t.NumberC, number, number> {}

const numeric = (name: string, holds: (value: number) => boolean): FiniteNumberC =>
  new t.RefinementType(
    name,
    (value): value is number => typeof value === 'number' && holds(value),
    (value, context) =>
      pipe(
        t.number.validate(value, context),
        chain((number) => (holds(number) ? t.success(number) : t.failure(value, context))),
      ),
    t.identity,
    t.number,
    holds,
  )

/** A finite number, with or without a fraction. */
export const number: FiniteNumberC = numeric('number', Number.isFinite)

/** A whole number that a double holds exactly: at most 2^53 - 1 on either side of zero. For larger ones there is `bigint`. */
export const int: FiniteNumberC = numeric('int', Number.isSafeInteger)

/** {@link int} under the name that JSON Schema gives it. */
export const integer: FiniteNumberC = int

/** One of a few values. */
export class EnumType<A extends string | number> extends t.Type<A> {
  readonly _tag = 'EnumType' as const
  readonly values: ReadonlyArray<A>
  constructor(values: ReadonlyArray<A>) {
    const is = (value: unknown): value is A => values.some((one) => one === value)
    super(
      values.map((value) => JSON.stringify(value)).join(' | '),
      is,
      (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
      t.identity,
    )
    this.values = Object.freeze([...values])
  }
}

/** One of the values given: `enumOf('asc', 'desc')`. */
export const enumOf = <
  const Values extends readonly [string | number, ...ReadonlyArray<string | number>],
>(
  ...values: Values
): EnumType<Values[number]> => new EnumType(values)
