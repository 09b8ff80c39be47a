/** Provides `dateFormat`, which replaces the text format of a date or time codec with a pattern. */
import * as E from 'fp-ts/lib/Either.js'
import {
  clockHour,
  dayOfYear,
  type DateElement,
  fraction,
  dayPeriod,
  literal,
  nanosecondOfSecond,
  number,
  oneToTwentyFour,
  quarter,
  twelveHours,
  unitOfDay,
  words,
  year,
  yearOfCentury,
  zeroToEleven,
} from './date-elements.ts'
import {
  basicOffset,
  basicOffsetSeconds,
  extendedOffset,
  extendedOffsetSeconds,
  gmtOffset,
  numericOffset,
  shortOffset,
  timeZone,
  zuluOffset,
} from './offset-elements.ts'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type DateCodec, type DateKind, withFormat } from './date-codec.ts'
import { lettersBySection, lettersOf, nest, textFormat } from './text-format.ts'

/** Splits a pattern into parts, in order. For each invalid part, the result contains an error message. */
export const parse = (pattern: string): ReadonlyArray<E.Either<string, DateElement | '[' | ']'>> =>
  (pattern.match(token) ?? []).map((text) =>
    text === '[' || text === ']' ? E.right(text) : partOf(text),
  )

const token = /'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z]/g

const partOf = (text: string): E.Either<string, DateElement> => {
  if (text === "'") return E.left('unclosed quote')
  if (text === "''") return E.right(literal("'"))
  if (text.startsWith("'")) return E.right(literal(text.slice(1, -1).replaceAll("''", "'")))
  if (/[{}#]/.test(text)) return E.left(`${text} is reserved: put it in quotes`)
  if (!/[A-Za-z]/.test(text)) return E.right(literal(text))
  const letter = text.charAt(0)
  const element = elements[letter]?.[text.length - 1]
  if (element !== undefined) return E.right({ ...element, letters: synonyms[letter] ?? letter })
  const reason = unsupported[letter]
  return E.left(
    reason === undefined
      ? `invalid pattern letters ${text}: put literal text in quotes`
      : `unsupported pattern letters ${text}: ${reason}`,
  )
}

const eras = 'use u, which has years before 1 AD'
const weeks = 'the weeks of a year depend on the locale'

/** The letters of `DateTimeFormatter` that have no elements, with the reasons. */
const unsupported: Readonly<Record<string, string>> = {
  G: eras,
  g: 'use y, M and d',
  Y: weeks,
  w: weeks,
  W: weeks,
  e: weeks,
  c: weeks,
  F: 'use d',
  B: 'use a',
  v: 'use VV',
  p: 'write padding as literal text',
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

const months = [
  number('month', 1),
  number('month', 2),
  words('month', jan),
  words('month', january),
]
const quarters = [
  quarter(1),
  quarter(2),
  words('quarter', ['Q1', 'Q2', 'Q3', 'Q4']),
  words('quarter', ['1st quarter', '2nd quarter', '3rd quarter', '4th quarter']),
]

const years = [year(1), yearOfCentury, ...[3, 4, 5, 6, 7, 8].map(year)]
const offsets = [
  shortOffset,
  basicOffset,
  extendedOffset,
  basicOffsetSeconds,
  extendedOffsetSeconds,
]

const rfc822 = numericOffset(basicOffset)
const widths = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/**
 * The elements for each pattern letter. The first element is used for a single letter, the second element for two letters, and
 * so on.
 */
const elements: Readonly<Record<string, ReadonlyArray<DateElement | undefined>>> = {
  y: years,
  u: years,
  M: months,
  L: months,
  Q: quarters,
  q: quarters,
  d: [number('day', 1), number('day', 2)],
  D: [1, 2, 3].map(dayOfYear),
  E: [mon, mon, mon, words('dayOfWeek', monday)],
  H: [number('hour', 1), number('hour', 2)],
  k: ([1, 2] as const).map(clockHour(oneToTwentyFour)),
  h: ([1, 2] as const).map(clockHour(twelveHours)),
  K: ([1, 2] as const).map(clockHour(zeroToEleven)),
  a: [dayPeriod],
  m: [number('minute', 1), number('minute', 2)],
  s: [number('second', 1), number('second', 2)],
  S: widths.map(fraction),
  n: widths.map(nanosecondOfSecond),
  A: widths.slice(0, 8).map((width) => unitOfDay(width, 1e3)),
  N: [...widths, 10, 11, 12, 13, 14].map((width) => unitOfDay(width, 1e9)),
  X: offsets.map((notation) => zuluOffset(notation)),
  x: offsets.map(numericOffset),
  Z: [rfc822, rfc822, rfc822, gmtOffset(true), zuluOffset(extendedOffsetSeconds)],
  O: [gmtOffset(false), undefined, undefined, gmtOffset(true)],
  V: [undefined, timeZone],
  z: [timeZone, timeZone, timeZone, timeZone],
}

/** The letters that stand for the same units as another letter, or for several units. */
const synonyms: Readonly<Record<string, string>> = {
  u: 'y',
  L: 'M',
  q: 'Q',
  D: 'Md',
  k: 'H',
  K: 'h',
  n: 'S',
  A: 'HmsS',
  N: 'HmsS',
  x: 'X',
  Z: 'X',
  O: 'X',
  z: 'V',
}

/**
 * Returns a function that replaces the text format of a codec with a pattern such as `dd/MM/yyyy`. Pattern letters have the
 * same meaning as in the Java class `DateTimeFormatter` with English names. All letters are supported except `G`, `g`, `Y`, `w`, `W`,
 * `e`, `c`, `F`, `B`, `v` and `p`, and narrow names such as `MMMMM`.
 *
 * Sections in brackets are optional, as in `HH:mm[:ss]`, and can be nested. Encoding writes a section unless one of its units have been
 * written. The pattern `[XXX][XX]` therefore accepts `+01:00` and `+0100`, and writes `+01:00`.
 *
 * If the pattern does not contain minutes or smaller units, encoding drops these units, and decoding sets them to zero. An
 * `instant` is encoded in UTC.
 *
 * Throws a `RangeError` if the pattern is malformed or does not match the codec. For example, `plainDate` requires a day and
 * does not support hours, and `instant` requires an offset or a time zone.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { dateFormat, plainDate } from 'espalier'
 *
 * const day = dateFormat('dd/MM/yyyy')(plainDate)
 *
 * assert.deepEqual(pipe(day.decode('31/01/2024'), E.map(String)), E.right('2024-01-31'))
 * assert.ok(E.isLeft(day.decode('31/1/2024'))) // MM requires two digits
 * assert.ok(E.isLeft(day.decode('2024-01-31')))
 * assert.throws(() => dateFormat('dd/MM')(plainDate), RangeError)
 * ```
 */
export const dateFormat = (pattern: string): (<A>(codec: DateCodec<A>) => t.Type<A, string>) => {
  const parsed = parse(pattern)
  const invalid = parsed.filter(isLeft).map(({ left }) => left)
  const tokens = parsed.filter(isRight).map(({ right }) => right)
  const root = nest(tokens)
  const parts = tokens.filter((part) => typeof part === 'object')
  if (root === undefined)
    invalid.push('brackets that are not balanced: put literal brackets in quotes')
  const letters = [...new Set(lettersOf(parts))]
  throwIfAny(pattern, [
    ...invalid,
    ...new Set(lettersBySection(root ?? parts).flatMap(repetitions)),
    ...missingCompanions(letters),
    ...ambiguities(parts),
  ])
  const compiled = textFormat(parts)
  const hasSections = parts.length < tokens.length
  return ({ kind }) => {
    throwIfAny(pattern, mismatches(letters, kind))
    const format =
      hasSections && root !== undefined ? textFormat(root, isCompleteFor(kind)) : compiled
    return withFormat(kind, format, `${kind.name} as ${pattern}`)
  }
}

/** Returns a function that tests whether letters that occur in a text are sufficient and not contradictory. */
const isCompleteFor =
  <A>(kind: DateKind<A>) =>
  (letters: ReadonlyArray<string>): boolean =>
    [repetitions(letters), missingCompanions(letters), mismatches(letters, kind)].flat().length ===
    0

const throwIfAny = (pattern: string, errors: ReadonlyArray<string>): void => {
  if (errors.length > 0) throw new RangeError(`date pattern "${pattern}": ${errors.join('; ')}`)
}

const names: Readonly<Record<string, string>> = {
  y: 'year (y)',
  M: 'month (M)',
  d: 'day (d)',
  E: 'weekday (E)',
  Q: 'quarter (Q)',
  H: 'hour (H)',
  h: 'hour on a 12-hour clock (h)',
  a: 'AM or PM (a)',
  m: 'minute (m)',
  s: 'second (s)',
  S: 'fraction (S)',
  X: 'offset (X)',
  V: 'time zone (VV)',
}

const nameOf = (letters: string): string =>
  Array.from(letters, (letter) => names[letter]).join(' or ')

/** Pattern letters and their companions. A pattern that contains such a letter must also contain one of its companions. */
const companions: ReadonlyArray<readonly [string, string]> = [
  ['h', 'a'],
  ['a', 'h'],
  ['m', 'Hh'],
  ['s', 'm'],
  ['S', 's'],
]

/** Returns error messages for letters that are repeated or conflict with each other. */
const repetitions = (letters: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...letters
    .filter((letter, index) => letters.indexOf(letter) !== index)
    .map((letter) => `${nameOf(letter)} occurs twice`),
  ...(letters.includes('H') && letters.includes('h') ? ['hour occurs twice, as H and as h'] : []),
]

/** Returns error messages for letters that require another letter that is missing. */
const missingCompanions = (letters: ReadonlyArray<string>): ReadonlyArray<string> =>
  companions
    .filter(([letter, others]) => letters.includes(letter) && !includesAny(letters, others))
    .map(([letter, others]) => `${nameOf(letter)} requires ${nameOf(others)}`)

/**
 * Returns an error message if a sequence of adjacent numbers contains more than one number of variable length, because it
 * would be unclear where the first one ends.
 */
const ambiguities = (parts: ReadonlyArray<DateElement>): ReadonlyArray<string> => {
  const run = parts.map(({ endsDigits, digits }) => (endsDigits ? `,${digits}` : digits))
  return /variable(?:fixed)*variable/.test(run.join(''))
    ? ['adjacent numbers of variable length']
    : []
}

/** Returns an error message for each missing group of required letters, and for each letter that is not supported. */
const mismatches = <A>(
  letters: ReadonlyArray<string>,
  { name, requires, allows }: DateKind<A>,
): ReadonlyArray<string> => {
  const known = requires.join('') + allows
  return [
    ...requires
      .filter((group) => !includesAny(letters, group))
      .map((group) => `${name} requires ${nameOf(group)}`),
    ...letters
      .filter((letter) => !known.includes(letter))
      .map((letter) => `${name} does not support ${nameOf(letter)}`),
  ]
}

const includesAny = (letters: ReadonlyArray<string>, group: string): boolean =>
  letters.some((letter) => group.includes(letter))
