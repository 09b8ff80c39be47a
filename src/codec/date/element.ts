/**
 * The elements that text forms of dates are built of: each reads one stretch of text into fields and writes it back.
 * Whether the fields read make a possible date is not decided here.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
 */
import type { DateFields } from './fields.ts'

export interface DateElement {
  /** Matches the text, as a regular expression without capturing groups. */
  readonly source: string
  /** How many digits stand at the ends of the text: with two varying ones in a row nobody knows where the first stops. */
  readonly digits: 'none' | 'fixed' | 'varying'
  /** Whether it begins with a sign or a letter, where the digits before it end. */
  readonly apart?: boolean
  /** Adds what the text says; the text matches `source`. */
  readonly read: (fields: DateFields, text: string) => DateFields
  readonly write: (fields: DateFields) => string
}

/** Text that says nothing. */
export const literal = (text: string): DateElement => ({
  source: text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  digits: /^\d+$/.test(text) ? 'fixed' : 'none',
  read: (fields) => fields,
  write: () => text,
})

/** A number of two digits, or of one or two; of these one is written where it is enough. */
export const number = (
  field: 'month' | 'day' | 'hour' | 'minute' | 'second',
  width: 1 | 2,
): DateElement => ({
  source: digits(width),
  digits: width === 1 ? 'varying' : 'fixed',
  read: (fields, text) => ({ ...fields, [field]: Number(text) }),
  write: (fields) => String(fields[field]).padStart(width, '0'),
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
  read: (fields, text) => ({ ...fields, year: Number(text) }),
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
  read: (fields, text) => ({ ...fields, year: 2000 + Number(text) }),
  write: ({ year: value }) => String(((value % 100) + 100) % 100).padStart(2, '0'),
}

/** A word for each number from 1. No word may begin another. */
export const words = (field: 'month' | 'dayOfWeek', list: ReadonlyArray<string>): DateElement => ({
  source: list.join('|'),
  digits: 'none',
  read: (fields, text) => ({ ...fields, [field]: list.indexOf(text) + 1 }),
  write: (fields) => list[(fields[field] ?? 0) - 1] ?? '',
})

/** The hour of the half-day, 1 to 12, where 12 is the first. */
export const clockHour = (width: 1 | 2): DateElement => ({
  source: width === 1 ? '(?:1[0-2]|0?[1-9])' : '(?:1[0-2]|0[1-9])',
  digits: width === 1 ? 'varying' : 'fixed',
  read: (fields, text) => ({
    ...fields,
    hour: (Number(text) % 12) + (isAfternoon(fields) ? 12 : 0),
  }),
  write: ({ hour }) => String(((hour + 11) % 12) + 1).padStart(width, '0'),
})

export const halfDay: DateElement = {
  source: 'AM|PM',
  digits: 'none',
  read: (fields, text) => ({ ...fields, hour: (fields.hour % 12) + (text === 'PM' ? 12 : 0) }),
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

const readFraction = (fields: DateFields, text: string): DateFields => {
  const nine = text.padEnd(9, '0')
  return {
    ...fields,
    millisecond: Number(nine.slice(0, 3)),
    microsecond: Number(nine.slice(3, 6)),
    nanosecond: Number(nine.slice(6)),
  }
}

const writeFraction = ({ millisecond, microsecond, nanosecond }: DateFields): string =>
  [millisecond, microsecond, nanosecond].map((n) => String(n).padStart(3, '0')).join('')

const minute = number('minute', 2)
const second = number('second', 2)
const hour = number('hour', 2)

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
  read: (fields, text) =>
    readFraction(
      second.read(
        minute.read(hour.read(fields, text.slice(0, 2)), text.slice(3, 5)),
        text.slice(6, 8),
      ),
      text.slice(9),
    ),
  write: (fields) => {
    const rest = writeFraction(fields).replace(/0+$/, '')
    const whole = [hour, minute, second].map(({ write }) => write(fields)).join(':')
    return rest === '' ? whole : `${whole}.${rest}`
  },
}
