/**
 * Decimal and whole numbers of any size, as texts. A decimal keeps the digits it was given, `12.50` is not `12.5`; it is
 * for carrying and comparing numbers, not for reckoning.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { losslessNumber } from './json/lossless-number.ts'
import { convertBigint, convertDecimal } from './parameter/number-grammar.ts'

/** The number `unscaled` times ten to the power of `-scale`: 12.50 is 1250 with a scale of 2. */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

/** Of a number in a text. Time to read more would grow with their square. */
const maxDigits = 1000

/** Of an exponent, and of a scale, on either side of zero. */
const maxScale = 9999

/**
 * Reads a decimal number; `none` when the text is not one, has more than 1000 digits before its exponent, or an exponent
 * or scale beyond 9999.
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
 * Writes a decimal number so that reading it gives the same digits and scale: plainly, `12.50`, or with an exponent,
 * `125E-9`, when the scale is negative or puts more than five zeros between the point and the first digit.
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

/** Whether two decimals are the same number: 12.50 and 12.5 are. */
export const equals = (a: Decimal, b: Decimal): boolean =>
  a.unscaled === 0n || b.unscaled === 0n
    ? a.unscaled === b.unscaled
    : magnitude(a) === magnitude(b) && atScale(a, b.scale) === atScale(b, a.scale)

/** The power of ten above the number. Where two agree, their scales differ by no more than they have digits. */
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
 * A {@link Decimal} as text, in JSON too: digits on both sides of the point, an exponent if there is one. What has more
 * than 1000 digits before its exponent, or an exponent or scale beyond 9999, is refused. Where JSON keeps every digit, see
 * `lossless` of `espalier/json`, it is a JSON number; a text is taken all the same. As a parameter, it is written as a JSON
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

/** A decimal that is whole, if it has no more digits than are read; `1.0` and `1e3` are whole numbers too. */
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
 * A whole number of up to 1000 decimal digits, with or without a sign, as text, in JSON too. Where JSON keeps every digit, see
 * `lossless` of `espalier/json`, it is a JSON number; a text is taken all the same. As a parameter, it has one spelling: `+1`,
 * `007` and `-0` are rejected.
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
