/**
 * A codec of durations as ISO 8601 writes them: `P1Y2M3DT4H5M6.5S`. A sign may stand in front, as Temporal writes it, or
 * at each number, as java.time does; all parts must point the same way.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#appendix-A
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { Temporal } from 'temporal-polyfill'
import { fromString } from '../from-string.ts'
import { isTemporal, made } from './temporal.ts'

/**
 * Reads a duration; `none` when the text is not one, or is out of Temporal's range. Only seconds have a fraction.
 *
 * ```text
 * duration = [sign] "P" *part [ "T" 1*part ]   ; at least one part; in the order Y M W D, and after T in the order H M S
 * part     = [sign] 1*16DIGIT unit
 * ```
 */
const parse = (text: string): O.Option<Temporal.Duration> =>
  pipe(
    O.fromNullable(expression.exec(text)),
    O.chain(([, sign, years, months, weeks, days, hours, minutes, seconds, fraction = '']) => {
      const direction = sign === '-' ? -1 : 1
      const amount = (part = '0'): number => direction * Number(part)
      const below = (from: number): number =>
        amount(
          (seconds?.startsWith('-') ? '-' : '') + fraction.padEnd(9, '0').slice(from, from + 3),
        )
      return made((provider) =>
        provider.Duration.from({
          years: amount(years),
          months: amount(months),
          weeks: amount(weeks),
          days: amount(days),
          hours: amount(hours),
          minutes: amount(minutes),
          seconds: amount(seconds),
          milliseconds: below(0),
          microseconds: below(3),
          nanoseconds: below(6),
        }),
      )
    }),
  )

const part = (unit: string): string => `(?:([+-]?\\d{1,16})${unit})?`

const expression = new RegExp(
  `^([+-])?P(?!$)${['Y', 'M', 'W', 'D'].map(part).join('')}` +
    `(?:T(?!$)${part('H')}${part('M')}(?:([+-]?\\d{1,16})(?:\\.(\\d{1,9}))?S)?)?$`,
  'i',
)

/**
 * Read and written part by part: `PT90M` stays 90 minutes. In the text written, the sign stands in front.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { duration } from 'espalier'
 *
 * assert.deepEqual(pipe(duration.decode('PT90M'), E.map(duration.encode)), E.right('PT90M'))
 * assert.deepEqual(pipe(duration.decode('P-1DT-2H'), E.map(duration.encode)), E.right('-P1DT2H'))
 * assert.ok(E.isLeft(duration.decode('P1DT-2H'))) // the parts point both ways
 * assert.ok(E.isLeft(duration.decode('PT1.5H'))) // only seconds have a fraction
 * ```
 */
export const duration: t.Type<Temporal.Duration, string> = fromString(
  'duration',
  (text) => O.toUndefined(parse(text)),
  String,
  isTemporal('Duration'),
)
