/**
 * Decimal numbers and integers of any size, encoded as text.
 *
 * A decimal keeps its digits: `12.50` and `12.5` are equal numbers with different scales. There are no arithmetic operations.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { losslessNumber } from './json/lossless-number.ts'
import { convertBigint, convertDecimal } from './parameter/number-grammar.ts'

/** The number `unscaled` × 10^-`scale`: 12.50 has the unscaled value 1250 and the scale 2. */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

/** Maximum number of digits before the exponent. The running time is quadratic. */
const maxDigits = 1000

/** Maximum absolute value of an exponent or scale. */
const maxScale = 9999

/**
 * Parses a decimal number. Returns `none` for invalid text, more than 1000 digits before the exponent, or an exponent or scale
 * beyond ±9999.
 *
 * ```text
 * decimal = [ "+" / "-" ] 1*DIGIT [ "." 1*DIGIT ] [ ( "e" / "E" ) [ "+" / "-" ] 1*DIGIT ]
 * ```
 */
export const parse = (text: string): O.Option<Decimal> =>
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

const signed = (sign: string | undefined, digits: string): bigint =>
  sign === '-' ? -BigInt(digits) : BigInt(digits)

/**
 * Formats a decimal number without loss of digits or scale: in plain notation, `12.50`, or with an exponent, `125E-9`, if the
 * scale is negative or more than five zeros would follow the point.
 */
export const format = ({ unscaled, scale }: Decimal): string => {
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled).slice(sign.length)
  const padded = digits.padStart(scale + 1, '0')
  if (scale < 0 || scale > digits.length + 5 || padded.length > maxDigits)
    return `${sign}${digits}E${-scale}`
  const point = padded.length - scale
  return sign + padded.slice(0, point) + (scale === 0 ? '' : `.${padded.slice(point)}`)
}

/** Whether two decimals are numerically equal, such as 12.50 and 12.5. */
export const equals = (a: Decimal, b: Decimal): boolean =>
  a.unscaled === 0n || b.unscaled === 0n
    ? a.unscaled === b.unscaled
    : magnitude(a) === magnitude(b) && atScale(a, b.scale) === atScale(b, a.scale)

/**
 * Returns the exponent of the next higher power of ten. If it is equal for two numbers, the difference of their scales is
 * bounded by their digits.
 */
const magnitude = ({ unscaled, scale }: Decimal): number =>
  String(unscaled < 0n ? -unscaled : unscaled).length - scale

const atScale = ({ unscaled, scale }: Decimal, other: number): bigint =>
  unscaled * 10n ** BigInt(Math.max(0, other - scale))

const isDecimal = (value: unknown): value is Decimal =>
  typeof value === 'object' &&
  value !== null &&
  'unscaled' in value &&
  typeof value.unscaled === 'bigint' &&
  'scale' in value &&
  Number.isInteger(value.scale)

/**
 * A {@link Decimal}, encoded as text, also in JSON. A point needs digits on both sides.
 *
 * More than 1000 digits before the exponent, and an exponent or scale beyond ±9999, are rejected. In lossless JSON (`lossless`
 * of `espalier/json`) it is encoded as a number, and both numbers and text are accepted. A parameter has the grammar of a JSON
 * number: `+1`, `007` and `-0` are rejected.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { decimal } from 'espalier'
 *
 * assert.deepEqual(decimal.decode('12.50'), E.right({ unscaled: 1250n, scale: 2 }))
 * assert.equal(decimal.encode({ unscaled: 1250n, scale: 2 }), '12.50')
 * assert.ok(E.isLeft(decimal.decode('.5')))
 * assert.ok(E.isLeft(decimal.decode(12.5))) // a JSON number does not keep its digits
 * ```
 */
export const decimal: t.Type<Decimal, string> = losslessNumber(
  'decimal',
  flow(parse, O.toUndefined),
  flow(parse, O.toUndefined),
  format,
  isDecimal,
  convertDecimal,
)

/** Converts a decimal without a fraction, such as `1.0` or `1e3`, if it has at most 1000 digits. */
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
 * An integer of up to 1000 digits, encoded as text, also in JSON.
 *
 * In lossless JSON (`lossless` of `espalier/json`) it is encoded as a number, and both numbers and text are accepted. A
 * parameter has one spelling for each number: `+1`, `007` and `-0` are rejected.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { bigint } from 'espalier'
 *
 * assert.deepEqual(bigint.decode('9007199254740993'), E.right(9007199254740993n))
 * assert.ok(E.isLeft(bigint.decode('1e3')))
 * assert.ok(E.isLeft(bigint.decode(3))) // a JSON number is for `int`
 * ```
 */
export const bigint: t.Type<bigint, string> = losslessNumber(
  'bigint',
  (text) => {
    const [, sign, digits] = /^([+-]?)(\d{1,1000})$/.exec(text) ?? []
    return digits === undefined ? undefined : signed(sign, digits)
  },
  flow(parse, O.chain(whole), O.toUndefined),
  String,
  (value) => typeof value === 'bigint',
  convertBigint,
)
