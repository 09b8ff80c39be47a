/** Codecs for decimal numbers and large integers. Both are encoded as text. */
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { Decimal } from './decimal-value.ts'
import {
  formatDecimal,
  isDecimal,
  magnitude,
  maxDigits,
  parseDecimal,
  signed,
} from './decimal-value.ts'
import { losslessNumber } from './json-number.ts'
import { convertBigint, convertDecimal } from './schema/parameter-shape.ts'

/**
 * A codec for a {@link Decimal}: an object with the members `unscaled` and `scale`, such as `{ unscaled: 1250n, scale: 2 }` for
 * 12.50. Values are encoded as strings, even in JSON. A decimal point must have digits on both sides.
 *
 * {@link parseDecimal} and {@link formatDecimal} convert values from and to strings, and {@link compareDecimals} compares them.
 * `atLeast`, `atMost` and `between` restrict them.
 *
 * Numbers with more than 1000 digits before the exponent, or with an exponent or scale beyond ±9999, are rejected.
 *
 * In lossless JSON (`lossless` from `espalier/json`), values are encoded as numbers, and both numbers and strings are accepted.
 *
 * A parameter must have the syntax of a JSON number and must not be negative zero. For example, `+1`, `007` and `-0` are
 * rejected.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { atLeast, decimal } from 'espalier'
 *
 * assert.deepEqual(decimal.decode('12.50'), E.right({ unscaled: 1250n, scale: 2 }))
 * assert.equal(decimal.encode({ unscaled: 1250n, scale: 2 }), '12.50')
 * assert.ok(E.isLeft(decimal.decode('.5')))
 * assert.ok(E.isLeft(decimal.decode(12.5))) // a JavaScript number does not preserve all digits
 * assert.ok(E.isLeft(atLeast(0)(decimal).decode('-0.01')))
 * ```
 */
export const decimal: t.Type<Decimal, string> = losslessNumber(
  'decimal',
  flow(parseDecimal, O.toUndefined),
  flow(parseDecimal, O.toUndefined),
  formatDecimal,
  isDecimal,
  convertDecimal,
)

/**
 * Converts a decimal number such as `1.0` or `1e3` to an integer. Returns `none` if the number has a fractional part or if the
 * integer would have more than 1000 digits.
 */
const whole = ({ unscaled, scale }: Decimal): O.Option<bigint> => {
  if (unscaled === 0n) return O.some(0n)
  if (scale <= 0)
    return magnitude({ unscaled, scale }) > maxDigits
      ? O.none
      : O.some(unscaled * 10n ** BigInt(-scale))
  const unit = scale > maxDigits ? undefined : 10n ** BigInt(scale)
  return unit === undefined || unscaled % unit !== 0n ? O.none : O.some(unscaled / unit)
}

/**
 * A codec for an integer with up to 1000 digits. Values are encoded as strings, even in JSON.
 *
 * In lossless JSON (`lossless` from `espalier/json`), values are encoded as numbers, and both numbers and strings are accepted.
 *
 * In a parameter, each integer has exactly one text form. For example, `+1`, `007` and `-0` are rejected.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { bigint } from 'espalier'
 *
 * assert.deepEqual(bigint.decode('9007199254740993'), E.right(9007199254740993n))
 * assert.ok(E.isLeft(bigint.decode('1e3')))
 * assert.ok(E.isLeft(bigint.decode(3))) // use `int` for JSON numbers
 * ```
 */
export const bigint: t.Type<bigint, string> = losslessNumber(
  'bigint',
  (text) => {
    const [, sign, digits] = /^([+-]?)(\d{1,1000})$/.exec(text) ?? []
    return digits === undefined ? undefined : signed(sign, digits)
  },
  flow(parseDecimal, O.chain(whole), O.toUndefined),
  String,
  (value) => typeof value === 'bigint',
  convertBigint,
)
