/**
 * Durations for timers, in milliseconds. A day always has 24 hours.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#appendix-A
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { WithUnit } from './from-string.ts'
import { textOrValue } from './from-string.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * Maximum duration, in milliseconds. Timers store a delay as a signed 32-bit integer, and fire immediately if the delay exceeds
 * the range.
 */
export const maxDurationMillis: number = 2 ** 31 - 1

const units: ReadonlyArray<readonly [string, number]> = [
  ['h', hour],
  ['m', minute],
  ['s', second],
  ['ms', 1],
]

const isDurationMillis = (u: unknown): u is number =>
  typeof u === 'number' && Number.isInteger(u) && u >= 0 && u <= maxDurationMillis

const iso = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d{1,3})?)S)?)?$/i

const fromIso = (text: string): O.Option<number> =>
  pipe(
    O.fromNullable(iso.exec(text)),
    O.map(
      ([, days = '0', hours = '0', minutes = '0', seconds = '0']) =>
        Number(days) * day +
        Number(hours) * hour +
        Number(minutes) * minute +
        Math.round(Number(seconds.replace(',', '.')) * second),
    ),
  )

const fromUnit = (text: string): O.Option<number> =>
  pipe(
    O.fromNullable(/^(\d+)(ms|[smhd]?)$/i.exec(text)),
    O.chain(([, digits, letters = '']) =>
      pipe(
        [...units, ['', second] as const, ['d', day] as const].find(
          ([unit]) => unit === letters.toLowerCase(),
        ),
        O.fromNullable,
        O.map(([, millis]) => Number(digits) * millis),
      ),
    ),
  )

/**
 * Parses a duration and returns it in milliseconds. Returns `none` if the text is invalid, or if the duration is not a whole
 * number of milliseconds or exceeds {@link maxDurationMillis}. Units are case-insensitive. For example, `30M` is 30 minutes.
 *
 * ```text
 * duration = iso / 1*DIGIT [ unit ]            ; without a unit: seconds
 * unit     = "ms" / "s" / "m" / "h" / "d"
 * iso      = "P" [ 1*DIGIT "D" ] [ "T" [ 1*DIGIT "H" ] [ 1*DIGIT "M" ] [ seconds "S" ] ]
 * seconds  = 1*DIGIT [ ( "." / "," ) 1*3DIGIT ]
 * ```
 */
export const parse = (text: string): O.Option<number> =>
  pipe(
    fromIso(text),
    O.alt(() => fromUnit(text)),
    O.filter(isDurationMillis),
  )

/** Formats a duration in milliseconds. The result uses the largest unit, up to hours, that divides the duration exactly. */
export const format = (millis: number): string =>
  pipe(
    units.find(([, unit]) => millis >= unit && millis % unit === 0),
    O.fromNullable,
    O.match(
      () => `${millis}ms`,
      ([letters, unit]) => `${millis / unit}${letters}`,
    ),
  )

/**
 * A codec for a duration in milliseconds. Decoding accepts text, or an integer in milliseconds. Text without a unit is
 * interpreted as seconds.
 */
export const durationMillis: t.Type<number, string> & WithUnit<'duration'> = textOrValue(
  'a duration of at most 24 days (such as 10s, 500ms or PT30M)',
  isDurationMillis,
  parse,
  format,
)
