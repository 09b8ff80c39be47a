/**
 * The elements of text formats for dates and times. Each element parses a part of the text into fields, and formats these
 * fields as text.
 *
 * Elements do not check whether the fields represent a valid date.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
 */
import { dayOfWeek, dayOfYear as dayOfYearOf } from './calendar.ts'
import type { DateFields } from './calendar.ts'

/** An element of a text format, such as a number or literal text. */
export interface DateElement {
  /** The source of a regular expression that matches the text. It must not contain capturing groups. */
  readonly source: string
  /**
   * Whether the text consists of digits, and whether the number of digits is fixed. Adjacent numbers of variable length are
   * ambiguous.
   */
  readonly digits: 'none' | 'fixed' | 'variable'
  /** Whether the text begins with a sign or a letter, which ends any preceding sequence of digits. */
  readonly endsDigits?: boolean
  /** The units of an element of a pattern, as letters of `y M d E Q H h a m s S X V`. `undefined` for literals. */
  readonly letters?: string
  /** Sets fields from a text that matches `source`. */
  readonly read: (fields: DateFields, text: string) => void
  readonly write: (fields: DateFields) => string
}

/** Formats a number from 0 to 99 with two digits. */
export const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Creates an element for literal text. */
export const literal = (text: string): DateElement => ({
  source: escaped(text),
  digits: /^\d+$/.test(text) ? 'fixed' : 'none',
  read: () => undefined,
  write: () => text,
})

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

type NumericField = 'month' | 'day' | 'hour' | 'minute' | 'second'

/**
 * Creates an element for a number. If `width` is 2, the number has exactly two digits. If `width` is 1, the number has one or
 * two digits, and is formatted without a leading zero.
 */
export const number = (field: NumericField, width: 1 | 2): DateElement => ({
  source: width === 1 ? '\\d{1,2}' : sources[field],
  digits: width === 1 ? 'variable' : 'fixed',
  read: (fields, text) => {
    fields[field] = Number(text)
  },
  write: (fields) => String(fields[field]).padStart(width, '0'),
})

/** Creates an element for an integer with a minimum and a maximum number of digits. */
const integer = (
  { min, max }: { readonly min: number; readonly max: number },
  set: (fields: DateFields, value: number) => void,
  get: (fields: DateFields) => number,
): DateElement => ({
  source: min === max ? `\\d{${min}}` : `\\d{${min},${max}}`,
  digits: min === max ? 'fixed' : 'variable',
  read: (fields, text) => set(fields, Number(text)),
  write: (fields) => String(get(fields)).padStart(min, '0'),
})

/** Creates an element for the day of the year, with at least `width` digits. */
export const dayOfYear = (width: number): DateElement =>
  integer(
    { min: width, max: 3 },
    (fields, value) => {
      fields.dayOfYear = value
    },
    dayOfYearOf,
  )

export const quarterOf = ({ month }: DateFields): number => Math.ceil(month / 3)

/** Creates an element for the quarter as a number with `width` digits. */
export const quarter = (width: number): DateElement =>
  integer(
    { min: width, max: width },
    (fields, value) => {
      fields.quarter = value
    },
    quarterOf,
  )

/** Creates an element for the nanosecond of the second, with at least `width` digits. */
export const nanosecondOfSecond = (width: number): DateElement =>
  integer({ min: width, max: 9 }, setNanoseconds, nanoseconds)

/** Creates an element for the number of units since midnight, with at least `width` digits. A second has `perSecond` units. */
export const unitOfDay = (width: number, perSecond: 1e3 | 1e9): DateElement =>
  integer(
    { min: width, max: String(86_400 * perSecond - 1).length },
    (fields, value) => {
      const second = Math.floor(value / perSecond)
      fields.hour = Math.floor(second / 3600)
      fields.minute = Math.floor(second / 60) % 60
      fields.second = second % 60
      setNanoseconds(fields, (value % perSecond) * (1e9 / perSecond))
    },
    (fields) =>
      ((fields.hour * 60 + fields.minute) * 60 + fields.second) * perSecond +
      Math.floor(nanoseconds(fields) / (1e9 / perSecond)),
  )

export const hourOfDay = '(?:[01]\\d|2[0-3])'
export const sixtieth = '[0-5]\\d'

/** The sources of numbers with two digits. */
const sources: Readonly<Record<NumericField, string>> = {
  month: '(?:0[1-9]|1[0-2])',
  day: '(?:0[1-9]|[12]\\d|3[01])',
  hour: hourOfDay,
  minute: sixtieth,
  second: sixtieth,
}

/**
 * Creates an element for a year with at least `width` digits. `width` must be from 1 to 8. If `width` is at least 4, a year
 * with more digits requires a sign, as in `+10000`. Negative zero is invalid.
 */
export const year = (width: number): DateElement => ({
  source: `(?!-0+(?!\\d))(?:${
    width < 4 ? `-?\\d{${width},9}` : `-?\\d{${width}}|[+-]\\d{${width + 1},9}`
  })`,
  digits: 'variable',
  read: (fields, text) => {
    fields.year = Number(text)
  },
  write: (fields) => {
    const magnitude = String(Math.abs(fields.year)).padStart(width, '0')
    const plus = width >= 4 && magnitude.length > width ? '+' : ''
    return (fields.year < 0 ? '-' : plus) + magnitude
  },
})

/** An element for the last two digits of a year. The digits are parsed as a year from 2000 to 2099. */
export const yearOfCentury: DateElement = {
  source: '\\d{2}',
  digits: 'fixed',
  read: (fields, text) => {
    fields.year = 2000 + Number(text)
  },
  write: ({ year: value }) => twoDigits(((value % 100) + 100) % 100),
}

/**
 * Creates an element for numbers that are written as words. The first word represents the number 1. A word must not be a prefix of
 * another word.
 */
export const words = (field: keyof typeof wordIndex, list: ReadonlyArray<string>): DateElement => ({
  source: list.join('|'),
  digits: 'none',
  read: (fields, text) => {
    fields[field] = list.indexOf(text) + 1
  },
  write: (fields) => list[wordIndex[field](fields) - 1] ?? '',
})

const wordIndex = {
  month: ({ month }: DateFields): number => month,
  dayOfWeek,
  quarter: quarterOf,
}

/** A clock on which the hours are not numbered from 0 to 23. */
interface Clock {
  readonly hours: 12 | 24
  /** The number of the first hour, after which the hours are numbered from 1. */
  readonly first: 0 | 12 | 24
  /** Matches an hour without a leading zero, after `0`. */
  readonly oneDigit: string
  readonly twoDigits: string
}

/** The 12-hour clock with the hours 1 to 12. The first hour of each half-day is 12. */
export const twelveHours: Clock = { hours: 12, first: 12, oneDigit: '[1-9]', twoDigits: '1[0-2]' }

/** The 12-hour clock with the hours 0 to 11. */
export const zeroToEleven: Clock = { hours: 12, first: 0, oneDigit: '\\d', twoDigits: '1[01]' }

/** The 24-hour clock with the hours 1 to 24. Midnight is 24. */
export const oneToTwentyFour: Clock = {
  hours: 24,
  first: 24,
  oneDigit: '[1-9]',
  twoDigits: '(?:1\\d|2[0-4])',
}

/** Creates an element for an hour on a clock, with at least `width` digits. */
export const clockHour =
  (clock: Clock) =>
  (width: 1 | 2): DateElement => {
    const { hours, first, oneDigit, twoDigits: padded } = clock
    const min = first === 0 ? 0 : 1
    return {
      source: `(?:${padded}|0${width === 1 ? '?' : ''}${oneDigit})`,
      digits: width === 1 ? 'variable' : 'fixed',
      read: (fields, text) => {
        fields.hour = (Number(text) % hours) + (hours === 12 && isAfternoon(fields) ? 12 : 0)
      },
      write: ({ hour }) => String(((hour - min + hours) % hours) + min).padStart(width, '0'),
    }
  }

/** An element for `AM` or `PM`. */
export const dayPeriod: DateElement = {
  source: 'AM|PM',
  digits: 'none',
  read: (fields, text) => {
    fields.hour = (fields.hour % 12) + (text === 'PM' ? 12 : 0)
  },
  write: (fields) => (isAfternoon(fields) ? 'PM' : 'AM'),
}

const isAfternoon = ({ hour }: DateFields): boolean => hour >= 12

/**
 * Creates an element for a fraction of a second with `width` digits. `width` must be from 1 to 9. Formatting omits further
 * digits.
 */
export const fraction = (width: number): DateElement => ({
  source: `\\d{${width}}`,
  digits: 'fixed',
  read: setFraction,
  write: (fields) => writeFraction(fields).slice(0, width),
})

/** Sets the fraction of a second to one to nine digits. */
const setFraction = (fields: DateFields, digits: string): void =>
  setNanoseconds(fields, Number(digits.padEnd(9, '0')))

const setNanoseconds = (fields: DateFields, value: number): void => {
  fields.millisecond = Math.floor(value / 1_000_000)
  fields.microsecond = Math.floor(value / 1000) % 1000
  fields.nanosecond = value % 1000
}

const nanoseconds = ({ millisecond, microsecond, nanosecond }: DateFields): number =>
  millisecond * 1_000_000 + microsecond * 1000 + nanosecond

/** Formats the fraction of a second with nine digits. */
const writeFraction = (fields: DateFields): string =>
  String(1_000_000_000 + nanoseconds(fields)).slice(1)

/**
 * An element for a time of day. In the input, seconds and their fraction are optional. The output always contains seconds. If
 * the fraction is not zero, the output also contains the fraction, without trailing zeros.
 *
 * As in Temporal, a leap second is parsed as second 59, and the fraction can follow a comma (ISO 8601).
 *
 * ```text
 * time = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ ( "." / "," ) 1*9DIGIT ] ]
 * ```
 */
export const time: DateElement = {
  source: `${hourOfDay}:${sixtieth}(?::(?:${sixtieth}|60)(?:[.,]\\d{1,9})?)?`,
  digits: 'fixed',
  read: (fields, text) => {
    fields.hour = Number(text.slice(0, 2))
    fields.minute = Number(text.slice(3, 5))
    fields.second = Math.min(Number(text.slice(6, 8)), 59)
    setFraction(fields, text.slice(9))
  },
  write: (fields) => {
    const { hour, minute, second, millisecond, microsecond, nanosecond } = fields
    const whole = `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`
    return millisecond === 0 && microsecond === 0 && nanosecond === 0
      ? whole
      : `${whole}.${writeFraction(fields).replace(/0+$/, '')}`
  },
}
