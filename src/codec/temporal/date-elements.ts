/**
 * The elements of text formats for dates and times. Each element parses a part of the text into fields, and formats these
 * fields as text.
 *
 * Elements do not check whether the fields represent a valid date. They read digits by their character codes where possible, which
 * takes about 30 ns less for each number than `Number`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
 */
import { dayOfWeek, twoDigits, twoDigitsAt } from './calendar.ts'
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
  /** Sets fields from text that matches `source`. `undefined` for literals. */
  readonly read?: (fields: DateFields, text: string) => void
  readonly write: (fields: DateFields) => string
}

/** Creates an element for literal text. */
export const literal = (text: string): DateElement => ({
  source: text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  digits: /^\d+$/.test(text) ? 'fixed' : 'none',
  write: () => text,
})

/**
 * Creates an element for a number. If `width` is 2, the number has exactly two digits. If `width` is 1, the number has one or
 * two digits, and is formatted without a leading zero.
 */
export const number = (
  field: 'month' | 'day' | 'hour' | 'minute' | 'second',
  width: 1 | 2,
): DateElement => ({
  source: width === 1 ? '\\d{1,2}' : (ranges[field] ?? sixtieth),
  digits: width === 1 ? 'variable' : 'fixed',
  read: (fields, text) => {
    fields[field] = text.length === 2 ? twoDigitsAt(text, 0) : Number(text)
  },
  write: width === 1 ? (fields) => String(fields[field]) : (fields) => twoDigits(fields[field]),
})

const hourOfDay = '(?:[01]\\d|2[0-3])'
const sixtieth = '[0-5]\\d'

/** The numbers with two digits of fields other than minutes and seconds. */
const ranges: Readonly<Record<string, string>> = {
  month: '(?:0[1-9]|1[0-2])',
  day: '(?:0[1-9]|[12]\\d|3[01])',
  hour: hourOfDay,
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
    fields.year =
      text.length === 4 && !text.startsWith('-')
        ? twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2)
        : Number(text)
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
export const words = (field: 'month' | 'dayOfWeek', list: ReadonlyArray<string>): DateElement => ({
  source: list.join('|'),
  digits: 'none',
  read: (fields, text) => {
    fields[field] = list.indexOf(text) + 1
  },
  write: (fields) => list[(field === 'month' ? fields.month : dayOfWeek(fields)) - 1] ?? '',
})

/** Creates an element for an hour on the 12-hour clock, from 1 to 12. The first hour of each half-day is 12. */
export const clockHour = (width: 1 | 2): DateElement => ({
  source: width === 1 ? '(?:1[0-2]|0?[1-9])' : '(?:1[0-2]|0[1-9])',
  digits: width === 1 ? 'variable' : 'fixed',
  read: (fields, text) => {
    fields.hour = (Number(text) % 12) + (isAfternoon(fields) ? 12 : 0)
  },
  write: ({ hour }) => String(((hour + 11) % 12) + 1).padStart(width, '0'),
})

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
  read: readFraction,
  write: (fields) => writeFraction(fields).slice(0, width),
})

const readFraction = (fields: DateFields, text: string): void => {
  const nanoseconds = Number(text) * 10 ** (9 - text.length)
  fields.millisecond = Math.floor(nanoseconds / 1_000_000)
  fields.microsecond = Math.floor(nanoseconds / 1000) % 1000
  fields.nanosecond = nanoseconds % 1000
}

/** Formats the fraction of a second with nine digits. */
const writeFraction = ({ millisecond, microsecond, nanosecond }: DateFields): string =>
  String(1_000_000_000 + millisecond * 1_000_000 + microsecond * 1000 + nanosecond).slice(1)

/**
 * An element for a time of day. In the input, seconds and their fraction are optional. The output always contains seconds. If
 * the fraction is not zero, the output also contains the fraction, without trailing zeros.
 *
 * ```text
 * time = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ "." 1*9DIGIT ] ]
 * ```
 */
export const time: DateElement = {
  source: `${hourOfDay}:${sixtieth}(?::${sixtieth}(?:\\.\\d{1,9})?)?`,
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

/** A numeric notation for UTC offsets. */
export interface OffsetNotation {
  readonly source: string
  readonly digits: DateElement['digits']
  /**
   * Formats an offset that is given in the form `+01:00` or `+00:09:21`. Units that the notation does not support are omitted.
   */
  readonly write: (offset: string) => string
}

const hours = `[+-]${hourOfDay}`

/** A notation with hours, as in `+01`. Minutes are appended if they are not zero, as in `+0130`. */
export const shortOffset: OffsetNotation = {
  source: `${hours}(?:${sixtieth})?`,
  digits: 'variable',
  write: (offset) => offset.slice(0, 6).replace(/:(?:00)?/, ''),
}

/** A notation with hours and minutes, as in `+0100`. */
export const basicOffset: OffsetNotation = {
  source: hours + sixtieth,
  digits: 'fixed',
  write: (offset) => offset.slice(0, 6).replace(':', ''),
}

/** A notation with hours and minutes, separated by a colon, as in `+01:00`. */
export const extendedOffset: OffsetNotation = {
  source: `${hours}:${sixtieth}`,
  digits: 'fixed',
  write: (offset) => offset.slice(0, 6),
}

/** A notation with hours and minutes, as in `+0100`. Seconds are appended if they are not zero, as in `+000921`. */
export const basicOffsetSeconds: OffsetNotation = {
  source: `${hours}${sixtieth}(?:${sixtieth})?`,
  digits: 'variable',
  write: (offset) => offset.replaceAll(':', ''),
}

/**
 * A notation with hours and minutes, separated by a colon, as in `+01:00`. Seconds are appended if they are not zero, as in
 * `+00:09:21`.
 */
export const extendedOffsetSeconds: OffsetNotation = {
  source: `${hours}:${sixtieth}(?::${sixtieth})?`,
  digits: 'variable',
  write: (offset) => offset,
}

/** Creates an element for an offset that is always numeric, even if it is zero. */
export const numericOffset = ({ source, digits, write }: OffsetNotation): DateElement => ({
  source,
  digits,
  endsDigits: true,
  read: (fields, text) => {
    fields.offset = offsetOf(text)
  },
  write: ({ offset = zero }) => write(offset),
})

/** Creates an element for an offset. An offset of zero is formatted as `Z`. Parsing also accepts a numeric offset of zero. */
export const zuluOffset = (notation: OffsetNotation): DateElement => {
  const numeric = numericOffset(notation)
  return {
    ...numeric,
    source: `Z|${numeric.source}`,
    write: (fields) => ((fields.offset ?? zero) === zero ? 'Z' : numeric.write(fields)),
  }
}

const zero = '+00:00'

/**
 * Normalizes an offset to a form such as `+01:00`. `Z` and `-00:00`, which have the same meaning (RFC 9557, 2.2), become
 * `+00:00`.
 */
const offsetOf = (text: string): string => {
  if (text.length === 1) return zero // Z
  if (text.length === 6 && text.charAt(3) === ':') return text === '-00:00' ? zero : text
  const digits = text.replace(/\D/g, '').padEnd(6, '0')
  const sign = text.startsWith('-') && digits !== '000000' ? '-' : '+'
  const seconds = digits.slice(4) === '00' ? '' : `:${digits.slice(4)}`
  return `${sign}${digits.slice(0, 2)}:${digits.slice(2, 4)}${seconds}`
}

const zone = `[A-Za-z][A-Za-z0-9._+/-]{0,63}|${extendedOffset.source}`

/** An element for the name or offset of a time zone. */
export const timeZone: DateElement = {
  source: zone,
  digits: 'variable',
  endsDigits: true,
  read: (fields, text) => {
    fields.timeZone = text === 'Z' ? zero : text
  },
  write: (fields) => (fields.timeZone === zero ? 'Z' : (fields.timeZone ?? '')),
}

/** An optional element for a time zone in brackets after an offset. The time zone is not written if it is itself an offset. */
export const timeZoneSuffix: DateElement = {
  source: `(?:\\[(?:${zone})\\])?`,
  digits: 'none',
  read: (fields, text) => {
    if (text !== '') fields.timeZone = text.slice(1, -1)
  },
  write: (fields) => (isOffset(fields.timeZone ?? '') ? '' : `[${fields.timeZone}]`),
}

const isOffset = (zoneId: string): boolean => /^[+-]/.test(zoneId)
