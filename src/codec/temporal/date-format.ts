/** Provides `dateFormat`, which replaces the text format of a date or time codec with a pattern. */
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
} from './offset-elements.ts'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type DateCodec, type DateKind, withFormat, textFormat } from './date-codec.ts'

/** A part of a date pattern. */
export interface PatternPart {
  readonly element: DateElement
  /** One of the letters `y M d E H h a m s S X V`. Synonyms are converted to one of these letters. `undefined` for literals. */
  readonly letter?: string
}

/** Splits a pattern into parts, in order. For each invalid part, the result contains an error message. */
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
    ? E.left(`invalid pattern letters ${text}: put literal text in quotes`)
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

/**
 * The elements for each pattern letter. The first element is used for a single letter, the second element for two letters, and
 * so on.
 */
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
  X: offsets.map((notation) => zuluOffset(notation)),
  x: offsets.map(numericOffset),
  V: [undefined, timeZone],
  z: [timeZone, timeZone, timeZone, timeZone],
}

const synonyms: Readonly<Record<string, string>> = { u: 'y', x: 'X', z: 'V' }

/**
 * Returns a function that replaces the text format of a codec with a pattern such as `dd/MM/yyyy`. Pattern letters have the
 * same meaning as in the Java class `DateTimeFormatter`.
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
  const parts = parsed.filter(isRight).map(({ right }) => right)
  const letters = parts.flatMap(({ letter }) => (letter === undefined ? [] : [letter]))
  throwIfAny(pattern, [...invalid, ...conflicts(letters), ...ambiguities(parts)])
  const compiled = textFormat(parts.map(({ element }) => element))
  return ({ kind }) => {
    throwIfAny(pattern, mismatches(letters, kind))
    return withFormat(kind, compiled, `${kind.name} as ${pattern}`)
  }
}

const throwIfAny = (pattern: string, errors: ReadonlyArray<string>): void => {
  if (errors.length > 0) throw new RangeError(`date pattern "${pattern}": ${errors.join('; ')}`)
}

const names: Readonly<Record<string, string>> = {
  y: 'year (y)',
  M: 'month (M)',
  d: 'day (d)',
  E: 'weekday (E)',
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

/**
 * Returns error messages for letters that are repeated, conflict with each other, or require another letter that is missing.
 * These checks do not depend on the codec.
 */
const conflicts = (letters: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...letters
    .filter((letter, index) => letters.indexOf(letter) !== index)
    .map((letter) => `${nameOf(letter)} occurs twice`),
  ...(letters.includes('H') && letters.includes('h') ? ['hour occurs twice, as H and as h'] : []),
  ...companions
    .filter(([letter, others]) => letters.includes(letter) && !includesAny(letters, others))
    .map(([letter, others]) => `${nameOf(letter)} requires ${nameOf(others)}`),
]

/**
 * Returns an error message if a sequence of adjacent numbers contains more than one number of variable length, because it
 * would be unclear where the first one ends.
 */
const ambiguities = (parts: ReadonlyArray<PatternPart>): ReadonlyArray<string> => {
  const run = parts.map(({ element: { endsDigits, digits } }) =>
    endsDigits ? `,${digits}` : digits,
  )
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
