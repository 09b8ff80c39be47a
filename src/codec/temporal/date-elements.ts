/**
 * The elements of text formats. Each parses a part of the text to fields, and formats it.
 *
 * Elements do not check whether the fields are a valid date.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
 */
import { dayOfWeek } from './calendar.ts'
import { twoDigits, twoDigitsAt } from './two-digits.ts'
import type { DateFields } from './date-fields.ts'

/** An element of a text format. */
export interface DateElement {
  /** A regular expression without capturing groups that matches the text. */
  readonly source: string
  /** The digits at the ends of the text. Adjacent elements of variable length are ambiguous. */
  readonly digits: 'none' | 'fixed' | 'variable'
  /** Whether the text begins with a sign or a letter, which ends preceding digits. */
  readonly endsDigits?: boolean
  /** Sets fields from a text that matches `source`. Missing for literals. */
  readonly read?: (fields: DateFields, text: string) => void
  readonly write: (fields: DateFields) => string
}

/** Creates an element for literal text. */
export const literal = (text: string): DateElement => ({
  source: text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  digits: /^\d+$/.test(text) ? 'fixed' : 'none',
  write: () => text,
})

/** Creates a number of two digits (`width` 2), or of one or two digits that is formatted without a leading zero. */
export const number = (
  field: 'month' | 'day' | 'hour' | 'minute' | 'second',
  width: 1 | 2,
): DateElement => ({
  source: digits(width),
  digits: width === 1 ? 'variable' : 'fixed',
  read: (fields, text) => {
    fields[field] = Number(text)
  },
  write: width === 1 ? (fields) => String(fields[field]) : (fields) => twoDigits(fields[field]),
})

const digits = (width: 1 | 2): string => (width === 1 ? '\\d{1,2}' : '\\d{2}')

/**
 * Creates a year of at least `width` digits, 1 to 8. From a width of 4, a longer year requires a sign, as in `+10000`.
 *
 * Negative zero is invalid.
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

/** The last two digits of a year, parsed as 2000 to 2099. */
export const yearOfCentury: DateElement = {
  source: '\\d{2}',
  digits: 'fixed',
  read: (fields, text) => {
    fields.year = 2000 + Number(text)
  },
  write: ({ year: value }) => twoDigits(((value % 100) + 100) % 100),
}

/** Creates an element with a word for each number from 1. No word may be a prefix of another. */
export const words = (field: 'month' | 'dayOfWeek', list: ReadonlyArray<string>): DateElement => ({
  source: list.join('|'),
  digits: 'none',
  read: (fields, text) => {
    fields[field] = list.indexOf(text) + 1
  },
  write: (fields) => list[(field === 'month' ? fields.month : dayOfWeek(fields)) - 1] ?? '',
})

/** Creates an hour of the 12-hour clock, 1 to 12. 12 is the first hour. */
export const clockHour = (width: 1 | 2): DateElement => ({
  source: width === 1 ? '(?:1[0-2]|0?[1-9])' : '(?:1[0-2]|0[1-9])',
  digits: width === 1 ? 'variable' : 'fixed',
  read: (fields, text) => {
    fields.hour = (Number(text) % 12) + (isAfternoon(fields) ? 12 : 0)
  },
  write: ({ hour }) => String(((hour + 11) % 12) + 1).padStart(width, '0'),
})

/** `AM` or `PM`. */
export const dayPeriod: DateElement = {
  source: 'AM|PM',
  digits: 'none',
  read: (fields, text) => {
    fields.hour = (fields.hour % 12) + (text === 'PM' ? 12 : 0)
  },
  write: (fields) => (isAfternoon(fields) ? 'PM' : 'AM'),
}

const isAfternoon = ({ hour }: DateFields): boolean => hour >= 12

/** Creates the first `width` digits, 1 to 9, of the fraction of a second. Formatting drops the others. */
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

/** Formats the fraction as nine digits. */
const writeFraction = ({ millisecond, microsecond, nanosecond }: DateFields): string =>
  String(1_000_000_000 + millisecond * 1_000_000 + microsecond * 1000 + nanosecond).slice(1)

/**
 * A time of day. Seconds and their fraction are optional in the input. The output has seconds, and a fraction without trailing zeros.
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
