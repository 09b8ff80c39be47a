/**
 * A codec for ISO 8601 durations such as `P1Y2M3DT4H5M6.5S`.
 *
 * A sign can precede the whole duration, as in Temporal, or each number, as in java.time. All numbers must have the same sign.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#appendix-A
 */
import type * as t from 'io-ts'
import type { Temporal } from 'temporal-polyfill'
import { fromString } from '../from-string.ts'
import { isTemporal, construct } from './temporal-api.ts'

/**
 * Parses a duration. Returns `undefined` if the text is invalid, or if the duration is not in the range supported by Temporal.
 * Only seconds can have a fraction, which follows a point or a comma.
 *
 * ```text
 * duration = [sign] "P" *part [ "T" 1*part ]   ; at least one part; in the order Y M W D, and after T in the order H M S
 * part     = [sign] 1*16DIGIT unit
 * ```
 */
const parse = (text: string): Temporal.Duration | undefined => {
  const match = expression.exec(text)
  if (match === null) return undefined
  const direction = match[1] === '-' ? -1 : 1
  const amount = (index: number): number => direction * Number(match[index] ?? 0)
  const fraction = match[9] === undefined ? 0 : Number(match[9].padEnd(9, '0'))
  const sign = match[8]?.startsWith('-') === true ? -direction : direction
  return construct(({ Duration }) =>
    Duration.from({
      years: amount(2),
      months: amount(3),
      weeks: amount(4),
      days: amount(5),
      hours: amount(6),
      minutes: amount(7),
      seconds: amount(8),
      milliseconds: sign * Math.floor(fraction / 1_000_000),
      microseconds: sign * (Math.floor(fraction / 1000) % 1000),
      nanoseconds: sign * (fraction % 1000),
    }),
  )
}

const part = (unit: string): string => `(?:([+-]?\\d{1,16})${unit})?`

const expression = new RegExp(
  `^([+-])?P(?!$)${['Y', 'M', 'W', 'D'].map(part).join('')}` +
    `(?:T(?!$)${part('H')}${part('M')}(?:([+-]?\\d{1,16})(?:[.,](\\d{1,9}))?S)?)?$`,
  'i',
)

/**
 * Formats a duration in the same way as its `toString` method. This function exists because `toString` takes 90 µs in
 * `temporal-polyfill`.
 *
 * `toString` is called only if milliseconds, microseconds or nanoseconds are 1000 or more. Durations returned by `parse` do not
 * have such values.
 */
const format = (value: Temporal.Duration): string => {
  const { years, months, weeks, days, hours, minutes, seconds } = value
  const { milliseconds, microseconds, nanoseconds, sign } = value
  if (!isFraction(milliseconds) || !isFraction(microseconds) || !isFraction(nanoseconds))
    return String(value)
  const fraction = Math.abs((milliseconds * 1000 + microseconds) * 1000 + nanoseconds)
  const wholeSeconds = Math.abs(seconds)
  const withFraction =
    fraction === 0
      ? String(wholeSeconds)
      : `${wholeSeconds}.${String(1_000_000_000 + fraction)
          .slice(1)
          .replace(/0+$/, '')}`
  const date =
    formatPart(years, 'Y') +
    formatPart(months, 'M') +
    formatPart(weeks, 'W') +
    formatPart(days, 'D')
  const hasSeconds = wholeSeconds > 0 || fraction > 0 || sign === 0
  const time =
    formatPart(hours, 'H') + formatPart(minutes, 'M') + (hasSeconds ? `${withFraction}S` : '')
  return `${sign < 0 ? '-' : ''}P${date}${time === '' ? '' : `T${time}`}`
}

const isFraction = (value: number): boolean => Math.abs(value) < 1000

const formatPart = (amount: number, unit: string): string =>
  amount === 0 ? '' : `${Math.abs(amount)}${unit}`

/**
 * A codec for a duration such as `PT90M`. Units are preserved. For example, 90 minutes are not converted to hours and minutes.
 * In the encoded text of a negative duration, a minus sign precedes the whole duration.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { duration } from 'espalier'
 *
 * assert.deepEqual(pipe(duration.decode('PT90M'), E.map(duration.encode)), E.right('PT90M'))
 * assert.deepEqual(pipe(duration.decode('P-1DT-2H'), E.map(duration.encode)), E.right('-P1DT2H'))
 * assert.ok(E.isLeft(duration.decode('P1DT-2H'))) // the parts have different signs
 * assert.ok(E.isLeft(duration.decode('PT1.5H'))) // only seconds have a fraction
 * ```
 */
export const duration: t.Type<Temporal.Duration, string> = fromString(
  'duration',
  parse,
  format,
  isTemporal('Duration'),
)
