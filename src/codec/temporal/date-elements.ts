/**
 * The elements that text forms of dates are built of: each reads one stretch of text into fields and writes it back.
 * Whether the fields read make a possible date is not decided here.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
 */
import { dayOfWeek } from './calendar.ts'
import { twoDigits, twoDigitsAt } from './two-digits.ts'
import type { DateFields } from './date-fields.ts'

export interface DateElement {
  /** Matches the text, as a regular expression without capturing groups. */
  readonly source: string
  /** How many digits stand at the ends of the text: with two varying ones in a row nobody knows where the first stops. */
  readonly digits: 'none' | 'fixed' | 'varying'
  /** Whether it begins with a sign or a letter, where the digits before it end. */
  readonly apart?: boolean
  /** Sets the members that the text contains; the text matches `source`. Missing for text without a meaning. */
  readonly read?: (fields: DateFields, text: string) => void
  readonly write: (fields: DateFields) => string
}

/** Text that says nothing. */
export const literal = (text: string): DateElement => ({
  source: text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  digits: /^\d+$/.test(text) ? 'fixed' : 'none',
  write: () => text,
})

/** A number of two digits, or of one or two; of these one is written where it is enough. */
export const number = (
  field: 'month' | 'day' | 'hour' | 'minute' | 'second',
  width: 1 | 2,
): DateElement => ({
  source: digits(width),
  digits: width === 1 ? 'varying' : 'fixed',
  read: (fields, text) => {
    fields[field] = Number(text)
  },
  write: width === 1 ? (fields) => String(fields[field]) : (fields) => twoDigits(fields[field]),
})

const digits = (width: 1 | 2): string => (width === 1 ? '\\d{1,2}' : '\\d{2}')

/**
 * A year of at least so many digits, 1 to 8. From four on, a year with more of them than asked for has a sign, `+10000`.
 * There is no negative zero.
 */
export const year = (width: number): DateElement => ({
  source: `(?!-0+(?!\\d))(?:${
    width < 4 ? `-?\\d{${width},9}` : `-?\\d{${width}}|[+-]\\d{${width + 1},9}`
  })`,
  digits: 'varying',
  read: (fields, text) => {
    fields.year = Number(text)
  },
  write: (fields) => {
    const magnitude = String(Math.abs(fields.year)).padStart(width, '0')
    const plus = width >= 4 && magnitude.length > width ? '+' : ''
    return (fields.year < 0 ? '-' : plus) + magnitude
  },
})

/** The last two digits of a year, read as one of 2000 to 2099. */
export const yearOfCentury: DateElement = {
  source: '\\d{2}',
  digits: 'fixed',
  read: (fields, text) => {
    fields.year = 2000 + Number(text)
  },
  write: ({ year: value }) => twoDigits(((value % 100) + 100) % 100),
}

/** A word for each number from 1. No word may begin another. */
export const words = (field: 'month' | 'dayOfWeek', list: ReadonlyArray<string>): DateElement => ({
  source: list.join('|'),
  digits: 'none',
  read: (fields, text) => {
    fields[field] = list.indexOf(text) + 1
  },
  write: (fields) => list[(field === 'month' ? fields.month : dayOfWeek(fields)) - 1] ?? '',
})

/** The hour of the half-day, 1 to 12, where 12 is the first. */
export const clockHour = (width: 1 | 2): DateElement => ({
  source: width === 1 ? '(?:1[0-2]|0?[1-9])' : '(?:1[0-2]|0[1-9])',
  digits: width === 1 ? 'varying' : 'fixed',
  read: (fields, text) => {
    fields.hour = (Number(text) % 12) + (isAfternoon(fields) ? 12 : 0)
  },
  write: ({ hour }) => String(((hour + 11) % 12) + 1).padStart(width, '0'),
})

export const halfDay: DateElement = {
  source: 'AM|PM',
  digits: 'none',
  read: (fields, text) => {
    fields.hour = (fields.hour % 12) + (text === 'PM' ? 12 : 0)
  },
  write: (fields) => (isAfternoon(fields) ? 'PM' : 'AM'),
}

const isAfternoon = ({ hour }: DateFields): boolean => hour >= 12

/** The first digits, 1 to 9, of the fraction of a second; the others are lost when it is written. */
export const fraction = (width: number): DateElement => ({
  source: `\\d{${width}}`,
  digits: 'fixed',
  read: readFraction,
  write: (fields) => writeFraction(fields).slice(0, width),
})

const readFraction = (fields: DateFields, text: string): void => {
  const nanoseconds = Number(text) * 10 ** (9 - text.length)
  fields.millisecond = Math.floor(nanoseconds / 1_000_000)
  fields.microsecond = Math.floor(nanoseconds / 1000) % 1000
  fields.nanosecond = nanoseconds % 1000
}

/** Nine digits. */
const writeFraction = ({ millisecond, microsecond, nanosecond }: DateFields): string =>
  String(1_000_000_000 + millisecond * 1_000_000 + microsecond * 1000 + nanosecond).slice(1)

/**
 * A time of day, read with or without seconds and their fraction, written with seconds and as much fraction as there is.
 *
 * ```text
 * time = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ "." 1*9DIGIT ] ]
 * ```
 */
export const time: DateElement = {
  source: '\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?',
  digits: 'fixed',
  read: (fields, text) => {
    fields.hour = twoDigitsAt(text, 0)
    fields.minute = twoDigitsAt(text, 3)
    if (text.length > 5) fields.second = twoDigitsAt(text, 6)
    if (text.length > 9) readFraction(fields, text.slice(9))
  },
  write: (fields) => {
    const { hour, minute, second, millisecond, microsecond, nanosecond } = fields
    const whole = `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`
    return millisecond === 0 && microsecond === 0 && nanosecond === 0
      ? whole
      : `${whole}.${withoutTrailingZeros(writeFraction(fields))}`
  },
}

const withoutTrailingZeros = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  return text.slice(0, end)
}
