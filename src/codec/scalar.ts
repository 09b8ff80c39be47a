/**
 * Codecs of single values, for JSON and text: `int` accepts a number in a JSON body and digits in a query.
 *
 * The text of a parameter is converted before it is decoded (`codec/parameter/parameter-shape.ts`).
 */
import * as t from 'io-ts'

/** A string. As a parameter, `?q=` is an empty string; for codecs of other types, it is missing. */
export const string: t.StringC = t.string

/**
 * `true` or `false`. A query parameter without a value is `true`.
 *
 * ```text
 * ?verbose         true
 * ?verbose=true    true
 * ?verbose=false   false
 * ?verbose=        missing
 * ?verbose=1       rejected, as are yes and TRUE
 * ```
 */
export const boolean: t.BooleanC = t.boolean

/** A finite number. Unlike `t.number`, it excludes `NaN` and infinities. */
export interface FiniteNumberC extends t.RefinementType<t.NumberC, number, number> {}

const numeric = (name: string, holds: (value: number) => boolean): FiniteNumberC =>
  new t.RefinementType(
    name,
    (value): value is number => typeof value === 'number' && holds(value),
    (value, context) =>
      typeof value === 'number' && holds(value) ? t.success(value) : t.failure(value, context),
    t.identity,
    t.number,
    holds,
  )

/** A finite number. A parameter has the grammar of JSON numbers: `7`, `-0.5`, `1e+21`, but not `+7`, `07` or `7.`. */
export const number: FiniteNumberC = numeric('number', Number.isFinite)

/**
 * An integer from -(2^53 - 1) to 2^53 - 1. Use `bigint` for larger integers.
 *
 * A parameter has one spelling for each integer: an optional minus sign and digits without leading zeros. This applies to
 * `t.Int` too.
 *
 * ```text
 * ?page=7          7
 * ?page=-7         -7
 * ?page=7.0        rejected, as are 7e0, +7, 07 and -0
 * ```
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { int, number } from 'espalier'
 *
 * assert.deepEqual([3, -3, 1.5, 2 ** 53].map(int.is), [true, true, false, false])
 * assert.deepEqual([3, 1.5, NaN, Infinity].map(number.is), [true, true, false, false])
 * assert.equal(int.is('3'), false) // digits are a number only where the codec stands as a parameter
 * ```
 */
export const int: FiniteNumberC = numeric('int', Number.isSafeInteger)

/** Alias of {@link int}, named after the JSON Schema type. */
export const integer: FiniteNumberC = int

/** One of a fixed set of values. */
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

/**
 * One of the given values. As a parameter, a number is written as JavaScript formats it: `5`, but not `5.0`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { enumOf } from 'espalier'
 *
 * const direction = enumOf('asc', 'desc')
 *
 * assert.deepEqual(direction.decode('asc'), E.right('asc'))
 * assert.ok(E.isLeft(direction.decode('ASC')))
 * assert.equal(direction.name, '"asc" | "desc"') // what a client reads that sent another
 * ```
 */
export const enumOf = <
  const Values extends readonly [string | number, ...ReadonlyArray<string | number>],
>(
  ...values: Values
): EnumType<Values[number]> => new EnumType(values)
