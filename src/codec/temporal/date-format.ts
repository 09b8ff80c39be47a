/** `dateFormat`: changes the text format of a date or time codec to a pattern. */
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type DateCodec, type DateKind, withFormat } from './date-codec.ts'
import { textFormat } from './text-format.ts'
import * as DatePattern from './date-pattern.ts'

/**
 * Changes the text format of a codec to a pattern with the letters of java.time, such as `dd/MM/yyyy`.
 *
 * Encoding drops minutes and smaller units that the pattern does not contain; decoding sets them to zero. An `instant` is
 * encoded in UTC.
 *
 * Throws a `RangeError` if the pattern is malformed or does not match the codec. A `plainDate`, for example, requires a day and
 * does not support hours; an `instant` requires an offset or a time zone.
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
  const parsed = DatePattern.parse(pattern)
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
  h: '12-hour clock hour (h)',
  a: 'AM or PM (a)',
  m: 'minute (m)',
  s: 'second (s)',
  S: 'fraction (S)',
  X: 'offset (X)',
  V: 'time zone (VV)',
}

const nameOf = (letters: string): string =>
  Array.from(letters, (letter) => names[letter]).join(' or ')

/** Letters that require one of several other letters. */
const companions: ReadonlyArray<readonly [string, string]> = [
  ['h', 'a'],
  ['a', 'h'],
  ['m', 'Hh'],
  ['s', 'm'],
  ['S', 's'],
]

/** The conflicts between letters of a pattern, for all kinds of values. */
const conflicts = (letters: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...letters
    .filter((letter, index) => letters.indexOf(letter) !== index)
    .map((letter) => `${nameOf(letter)} occurs twice`),
  ...(letters.includes('H') && letters.includes('h') ? ['hour occurs twice, as H and as h'] : []),
  ...companions
    .filter(([letter, others]) => letters.includes(letter) && !includesAny(letters, others))
    .map(([letter, others]) => `${nameOf(letter)} requires ${nameOf(others)}`),
]

/** Among adjacent numbers, only one may have a variable length. Otherwise the end of the first is ambiguous. */
const ambiguities = (parts: ReadonlyArray<DatePattern.PatternPart>): ReadonlyArray<string> => {
  const run = parts.map(({ element: { endsDigits, digits } }) =>
    endsDigits ? `,${digits}` : digits,
  )
  return /variable(?:fixed)*variable/.test(run.join(''))
    ? ['adjacent numbers of variable length']
    : []
}

/** The letters that a pattern lacks for a kind of value, and those that the kind does not support. */
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
