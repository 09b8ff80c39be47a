/**
 * Decimal numbers as values: parsing, formatting and comparison.
 *
 * A decimal number keeps all its digits, including trailing zeros. For example, `12.50` and `12.5` are numerically equal but
 * have different scales. This module does not provide arithmetic operations.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

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
export const maxDigits = 1000

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
export const signed = (sign: string | undefined, digits: string): bigint =>
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
export const magnitude = ({ unscaled, scale }: Decimal): number =>
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
