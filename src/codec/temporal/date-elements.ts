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
  /**
   * Sets fields from the longest text at `start` that matches `source`, and returns its end. Returns `noMatch` if there is no such
   * text.
   */
  readonly scan: (fields: DateFields, text: string, start: number) => number
  readonly write: (fields: DateFields) => string
}

/** The result of a scan if the text does not match. */
export const noMatch = -1

/** Formats a number from 0 to 99 with two digits. */
export const twoDigits = (value: number): string => String(value).padStart(2, '0')

const zero = '0'.charCodeAt(0)

/** Returns the digit at `index`, or a number that is not from 0 to 9 if there is no digit. */
const digitAt = (text: string, index: number): number => text.charCodeAt(index) - zero

const isDigit = (value: number): boolean => value >= 0 && value <= 9

/** Returns the index after the digits that begin at `start`. The result is at most `start + limit`. */
const endOfDigits = (text: string, start: number, limit: number): number => {
  const last = Math.min(start + limit, text.length)
  let end = start
  while (end < last && isDigit(digitAt(text, end))) end++
  return end
}

/** Parses the two digits at `start`. Returns `noMatch` if there are not two digits at this position. */
export const twoDigitsAt = (text: string, start: number): number => {
  const [tens, ones] = [digitAt(text, start), digitAt(text, start + 1)]
  return isDigit(tens) && isDigit(ones) ? tens * 10 + ones : noMatch
}

/** Creates an element for literal text. */
export const literal = (text: string): DateElement => ({
  source: escaped(text),
  digits: /^\d+$/.test(text) ? 'fixed' : 'none',
  scan: (_, input, start) => (input.startsWith(text, start) ? start + text.length : noMatch),
  write: () => text,
})

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

type NumericField = 'month' | 'day' | 'hour' | 'minute' | 'second'

/**
 * Creates an element for a number. If `width` is 2, the number has exactly two digits. If `width` is 1, the number has one or
 * two digits, and is formatted without a leading zero.
 */
export const number = (field: NumericField, width: 1 | 2): DateElement =>
  width === 1 ? shortNumber(field) : paddedNumber(field)

const shortNumber = (field: NumericField): DateElement =>
  integer(
    { min: 1, max: 2 },
    (fields, value) => {
      fields[field] = value
    },
    (fields) => fields[field],
  )

/** Creates an element for an integer with a minimum and a maximum number of digits. */
const integer = (
  { min, max }: { readonly min: number; readonly max: number },
  set: (fields: DateFields, value: number) => void,
  get: (fields: DateFields) => number,
): DateElement => ({
  source: min === max ? `\\d{${min}}` : `\\d{${min},${max}}`,
  digits: min === max ? 'fixed' : 'variable',
  scan: (fields, text, start) => {
    const end = endOfDigits(text, start, max)
    if (end - start < min) return noMatch
    set(fields, Number(text.slice(start, end)))
    return end
  },
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

const paddedNumber = (field: NumericField): DateElement => {
  const { source, min, max } = ranges[field]
  return {
    source,
    digits: 'fixed',
    scan: (fields, text, start) => {
      const value = twoDigitsAt(text, start)
      if (value < min || value > max) return noMatch
      fields[field] = value
      return start + 2
    },
    write: (fields) => twoDigits(fields[field]),
  }
}

export const hourOfDay = '(?:[01]\\d|2[0-3])'
export const sixtieth = '[0-5]\\d'

/** A range of numbers with two digits. */
interface NumberRange {
  readonly source: string
  readonly min: number
  readonly max: number
}

const ranges: Readonly<Record<NumericField, NumberRange>> = {
  month: { source: '(?:0[1-9]|1[0-2])', min: 1, max: 12 },
  day: { source: '(?:0[1-9]|[12]\\d|3[01])', min: 1, max: 31 },
  hour: { source: hourOfDay, min: 0, max: 23 },
  minute: { source: sixtieth, min: 0, max: 59 },
  second: { source: sixtieth, min: 0, max: 59 },
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
  scan: (fields, text, start) => {
    const isNegative = text.startsWith('-', start)
    const hasPlus = width >= 4 && text.startsWith('+', start)
    const first = isNegative || hasPlus ? start + 1 : start
    const end = endOfDigits(text, first, width < 4 || first > start ? 9 : width)
    if (end - first < (hasPlus ? width + 1 : width)) return noMatch
    const value = Number(text.slice(first, end))
    if (isNegative && value === 0) return noMatch
    fields.year = isNegative ? -value : value
    return end
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
  scan: (fields, text, start) => {
    const value = twoDigitsAt(text, start)
    if (value < 0) return noMatch
    fields.year = 2000 + value
    return start + 2
  },
  write: ({ year: value }) => twoDigits(((value % 100) + 100) % 100),
}

/**
 * Creates an element for numbers that are written as words. The first word represents the number 1. A word must not be a prefix of
 * another word.
 */
export const words = (field: keyof typeof wordIndex, list: ReadonlyArray<string>): DateElement => {
  const initials = list.map((word) => word.charCodeAt(0))
  return {
    source: list.join('|'),
    digits: 'none',
    scan: (fields, text, start) => {
      const initial = text.charCodeAt(start)
      const index = list.findIndex(
        (word, at) => initials[at] === initial && text.startsWith(word, start),
      )
      if (index < 0) return noMatch
      fields[field] = index + 1
      return start + (list[index] ?? '').length
    },
    write: (fields) => list[wordIndex[field](fields) - 1] ?? '',
  }
}

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
    const max = min + hours - 1
    return {
      source: `(?:${padded}|0${width === 1 ? '?' : ''}${oneDigit})`,
      digits: width === 1 ? 'variable' : 'fixed',
      scan: (fields, text, start) => {
        const two = twoDigitsAt(text, start)
        const isPadded = two >= min && two <= max
        const hour = isPadded ? two : digitAt(text, start)
        const isShort = width === 1 && isDigit(hour) && hour >= min
        if (!isPadded && !isShort) return noMatch
        fields.hour = (hour % hours) + (hours === 12 && isAfternoon(fields) ? 12 : 0)
        return start + (isPadded ? 2 : 1)
      },
      write: ({ hour }) => String(((hour - min + hours) % hours) + min).padStart(width, '0'),
    }
  }

/** An element for `AM` or `PM`. */
export const dayPeriod: DateElement = {
  source: 'AM|PM',
  digits: 'none',
  scan: (fields, text, start) => {
    const isPm = text.startsWith('PM', start)
    if (!isPm && !text.startsWith('AM', start)) return noMatch
    fields.hour = (fields.hour % 12) + (isPm ? 12 : 0)
    return start + 2
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
  scan: (fields, text, start) => {
    const end = endOfDigits(text, start, width)
    if (end - start < width) return noMatch
    setFraction(fields, text, start, end)
    return end
  },
  write: (fields) => writeFraction(fields).slice(0, width),
})

const setFraction = (fields: DateFields, text: string, start: number, end: number): void =>
  setNanoseconds(fields, Number(text.slice(start, end).padEnd(9, '0')))

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

const colon = ':'.charCodeAt(0)
const point = '.'.charCodeAt(0)
const comma = ','.charCodeAt(0)

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
  scan: (fields, text, start) => {
    const hour = twoDigitsAt(text, start)
    const minute = twoDigitsAt(text, start + 3)
    const isValid = hour >= 0 && hour < 24 && minute >= 0 && minute < 60
    if (!isValid || text.charCodeAt(start + 2) !== colon) return noMatch
    fields.hour = hour
    fields.minute = minute
    const second = text.charCodeAt(start + 5) === colon ? twoDigitsAt(text, start + 6) : -1
    if (second < 0 || second > 60) return start + 5
    fields.second = second === 60 ? 59 : second
    const mark = text.charCodeAt(start + 8)
    if (mark !== point && mark !== comma) return start + 8
    const end = endOfDigits(text, start + 9, 9)
    if (end === start + 9) return start + 8
    setFraction(fields, text, start + 9, end)
    return end
  },
  write: (fields) => {
    const { hour, minute, second, millisecond, microsecond, nanosecond } = fields
    const whole = `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`
    return millisecond === 0 && microsecond === 0 && nanosecond === 0
      ? whole
      : `${whole}.${writeFraction(fields).replace(/0+$/, '')}`
  },
}
