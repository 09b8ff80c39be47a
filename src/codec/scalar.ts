/**
 * Codecs for single values that JSON and text share: a number is a number in a JSON body and digits in a query. Where a
 * codec stands as a parameter, the engine turns the text into such a value first (`codec/parameter.ts`).
 */
import * as t from 'io-ts'

/** Any text, the empty one too: `?q=` is the empty text, where a codec of another kind takes it as missing. */
export const string: t.StringC = t.string

/**
 * `true` or `false`. A query parameter that is named without a value is `true`.
 *
 * ```text
 * ?verbose         true
 * ?verbose=true    true
 * ?verbose=false   false
 * ?verbose=        missing
 * ?verbose=1       refused, as are yes and TRUE
 * ```
 */
export const boolean: t.BooleanC = t.boolean

/** A finite number: neither `NaN` nor an infinity, which io-ts' own `t.number` lets pass. */
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

/** A finite number, with or without a fraction. A parameter is written as a JSON number: `7`, `-0.5`, `1e+21`; not `+7`, `07`, `7.`. */
export const number: FiniteNumberC = numeric('number', Number.isFinite)

/**
 * A whole number that a double holds exactly: at most 2^53 - 1 on either side of zero. For larger ones there is `bigint`.
 *
 * A parameter has one spelling: an optional minus sign and digits without leading zeros. The same holds for `t.Int`.
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

/**
 * One of the values given. As a parameter, a number among them is read as JavaScript writes it: `5`, not `5.0`.
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
