/**
 * Decimal numbers and large integers: parsing, formatting and comparison, and codecs that encode them as text.
 *
 * A decimal number keeps all its digits, including trailing zeros. For example, `12.50` and `12.5` are numerically equal but
 * have different scales. This module does not provide arithmetic operations.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { invalidText, losslessNumber, numberGrammar } from './json-number.ts'

/** A decimal number, equal to `unscaled` × 10^-`scale`. For example, 12.50 has the unscaled value 1250 and the scale 2. */
export interface Decimal {
  /** All digits of the number, as an integer. */
  readonly unscaled: bigint
  /** The number of digits after the decimal point. If it is negative, zeros follow the digits. */
  readonly scale: number
}

/**
 * Maximum number of digits before the exponent. The limit is necessary because the conversion time grows quadratically with the
 * number of digits.
 */
const maxDigits = 1000

/** Maximum absolute value of an exponent or scale. */
const maxScale = 9999

/**
 * Parses a decimal number. Returns `none` if the text is invalid or has more than 1000 digits before the exponent, or if the
 * exponent or scale is beyond ±9999.
 *
 * ```text
 * decimal = [ "+" / "-" ] 1*DIGIT [ "." 1*DIGIT ] [ ( "e" / "E" ) [ "+" / "-" ] 1*DIGIT ]
 * ```
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as O from 'fp-ts/lib/Option.js'
 * import { compareDecimals, formatDecimal, parseDecimal } from 'espalier'
 *
 * const price = { unscaled: 1250n, scale: 2 }
 *
 * assert.deepEqual(parseDecimal('12.50'), O.some(price))
 * assert.deepEqual(parseDecimal('12,50'), O.none)
 * assert.equal(formatDecimal(price), '12.50')
 * assert.equal(Number(formatDecimal(price)), 12.5) // loses digits that a double cannot represent
 * assert.equal(compareDecimals(price, { unscaled: 125n, scale: 1 }), 0)
 * assert.equal(compareDecimals(price, { unscaled: 13n, scale: 0 }), -1)
 * ```
 */
export const parseDecimal = (text: string): O.Option<Decimal> =>
  pipe(
    O.fromNullable(/^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)),
    O.filter(
      ([, , whole = '', fraction = '', exponent = '0']) =>
        whole.length + fraction.length <= maxDigits && Math.abs(Number(exponent)) <= maxScale,
    ),
    O.map(([, sign, whole = '', fraction = '', exponent = '0']) => ({
      unscaled: signed(sign, whole + fraction),
      scale: fraction.length - Number(exponent),
    })),
    O.filter(({ scale }) => Math.abs(scale) <= maxScale),
  )

/** Returns the integer with the given sign and digits. */
const signed = (sign: string | undefined, digits: string): bigint =>
  sign === '-' ? -BigInt(digits) : BigInt(digits)

/**
 * Formats a decimal number, preserving all its digits and its scale. Most numbers are formatted in plain notation, such as
 * `12.50`.
 *
 * The result has an exponent, as in `125E-9`, if the scale is negative or more than five zeros would follow the decimal point.
 * An exponent is also used if plain notation would need more than 1000 digits.
 */
export const formatDecimal = ({ unscaled, scale }: Decimal): string => {
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled).slice(sign.length)
  const padded = digits.padStart(scale + 1, '0')
  if (scale < 0 || scale > digits.length + 5 || padded.length > maxDigits)
    return `${sign}${digits}E${-scale}`
  const point = padded.length - scale
  return sign + padded.slice(0, point) + (scale === 0 ? '' : `.${padded.slice(point)}`)
}

/** Compares two decimal numbers numerically. Returns -1, 0 or 1. For example, 12.50 and 12.5 are equal, so the result is 0. */
export const compareDecimals = (a: Decimal, b: Decimal): number => {
  const sign = order(a.unscaled, 0n)
  const signs = order(sign, order(b.unscaled, 0n))
  if (signs !== 0 || sign === 0) return signs
  const magnitudes = order(magnitude(a), magnitude(b))
  return magnitudes === 0 ? order(atScale(a, b.scale), atScale(b, a.scale)) : sign * magnitudes
}

const order = <A extends number | bigint>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Returns the exponent of the smallest power of ten that is greater than the absolute value of a number. If two numbers have
 * the same exponent, their scales differ by as much as their digit counts. Converting such numbers to a common scale is
 * therefore cheap.
 */
const magnitude = ({ unscaled, scale }: Decimal): number =>
  String(unscaled < 0n ? -unscaled : unscaled).length - scale

const atScale = ({ unscaled, scale }: Decimal, other: number): bigint =>
  unscaled * 10n ** BigInt(Math.max(0, other - scale))

/** Whether a value is a decimal number. */
export const isDecimal = (value: unknown): value is Decimal =>
  typeof value === 'object' &&
  value !== null &&
  'unscaled' in value &&
  typeof value.unscaled === 'bigint' &&
  'scale' in value &&
  Number.isInteger(value.scale)

/** The texts of integers in parameters. */
export const integerGrammar = /^(?:0|-?[1-9]\d*)$/
const negativeZero = /^-0(?:\.0+)?(?:[eE]|$)/

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
  (text) => (numberGrammar.test(text) && !negativeZero.test(text) ? text : invalidText),
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
  (text) => (integerGrammar.test(text) ? text : invalidText),
)
