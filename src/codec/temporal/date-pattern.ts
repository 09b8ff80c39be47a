/**
 * Parses patterns of dates and times with the letters of java.time, such as `dd/MM/yyyy`. Words are in English.
 *
 * ```text
 * y u     year: y 24 or 2024, yy 2000 to 2099, yyyy with a sign if negative or longer; eras are not supported
 * M       month: M 1, MM 01, MMM Jan, MMMM January
 * d       day of the month
 * E       weekday, which must match the date: E EE EEE Mon, EEEE Monday
 * H       hour, 0 to 23
 * h a     hour, 1 to 12, and AM or PM
 * m s     minute, second
 * S       fraction of the second, as many digits as letters
 * X       offset: X +01 or +0130, XX +0100, XXX +01:00, XXXX +0100, XXXXX +01:00, the last two with seconds if not
 *         zero; zero is written Z
 * x       offset, with zero in digits
 * VV z    time zone: Europe/Paris
 * 'text'  literal text; two quotes are one quote
 * ```
 *
 * One letter means one or two digits, two letters mean two digits. Other characters are literal, except for `[ ] { } #`,
 * which java.time reserves.
 *
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
 */
import * as E from 'fp-ts/lib/Either.js'
import {
  clockHour,
  type DateElement,
  fraction,
  dayPeriod,
  literal,
  number,
  words,
  year,
  yearOfCentury,
} from './date-elements.ts'
import {
  basicOffset,
  basicOffsetSeconds,
  extendedOffset,
  extendedOffsetSeconds,
  numericOffset,
  shortOffset,
  timeZone,
  zuluOffset,
} from './zone-elements.ts'

/** A part of a pattern. */
export interface PatternPart {
  readonly element: DateElement
  /** One of `y M d E H h a m s S X V`, also for synonyms. Missing for literals. */
  readonly letter?: string
}

/** Splits a pattern into its parts, in order. Returns an error message for each invalid part. */
export const parse = (pattern: string): ReadonlyArray<E.Either<string, PatternPart>> =>
  (pattern.match(token) ?? []).map(partOf)

const token = /'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z]/g

const partOf = (text: string): E.Either<string, PatternPart> => {
  if (text === "'") return E.left('unclosed quote')
  if (text === "''") return E.right({ element: literal("'") })
  if (text.startsWith("'"))
    return E.right({ element: literal(text.slice(1, -1).replaceAll("''", "'")) })
  if (/[[\]{}#]/.test(text)) return E.left(`${text} is reserved: put it in quotes`)
  if (!/[A-Za-z]/.test(text)) return E.right({ element: literal(text) })
  const letter = text.charAt(0)
  const element = elements[letter]?.[text.length - 1]
  return element === undefined
    ? E.left(`unknown letters ${text}: put literal text in quotes`)
    : E.right({ element, letter: synonyms[letter] ?? letter })
}

const january = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const monday = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const jan = january.map((name) => name.slice(0, 3))
const mon = words(
  'dayOfWeek',
  monday.map((name) => name.slice(0, 3)),
)

const years = [year(1), yearOfCentury, ...[3, 4, 5, 6, 7, 8].map(year)]
const offsets = [
  shortOffset,
  basicOffset,
  extendedOffset,
  basicOffsetSeconds,
  extendedOffsetSeconds,
]

/** By letter, the elements for one letter, two letters and so on. */
const elements: Readonly<Record<string, ReadonlyArray<DateElement | undefined>>> = {
  y: years,
  u: years,
  M: [number('month', 1), number('month', 2), words('month', jan), words('month', january)],
  d: [number('day', 1), number('day', 2)],
  E: [mon, mon, mon, words('dayOfWeek', monday)],
  H: [number('hour', 1), number('hour', 2)],
  h: [clockHour(1), clockHour(2)],
  a: [dayPeriod],
  m: [number('minute', 1), number('minute', 2)],
  s: [number('second', 1), number('second', 2)],
  S: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(fraction),
  X: offsets.map(zuluOffset),
  x: offsets.map(numericOffset),
  V: [undefined, timeZone],
  z: [timeZone, timeZone, timeZone, timeZone],
}

const synonyms: Readonly<Record<string, string>> = { u: 'y', x: 'X', z: 'V' }
