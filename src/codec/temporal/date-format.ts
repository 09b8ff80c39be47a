/** `dateFormat`: gives a codec of dates or times the text form of a pattern. */
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type DateCodec, type DateKind, inForm } from './date-codec.ts'
import { form } from './text-format.ts'
import * as DatePattern from './date-pattern.ts'

/**
 * The same values in the form of a pattern; `pattern.ts` has the letters, which are those of java.time. Minutes and smaller
 * units for which the pattern has no place are lost when a value is written, and zero when it is read. An `instant` is
 * written in UTC.
 *
 * Throws a `RangeError` at once when the pattern is malformed or does not fit the codec: a `plainDate` needs a day and has
 * no hour, an `instant` needs an offset or a time zone.
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
 * assert.ok(E.isLeft(day.decode('31/1/2024'))) // MM is two digits
 * assert.ok(E.isLeft(day.decode('2024-01-31')))
 * assert.throws(() => dateFormat('dd/MM')(plainDate), RangeError)
 * ```
 */
export const dateFormat = (pattern: string): (<A>(codec: DateCodec<A>) => t.Type<A, string>) => {
  const parsed = DatePattern.parse(pattern)
  const meaningless = parsed.filter(isLeft).map(({ left }) => left)
  const parts = parsed.filter(isRight).map(({ right }) => right)
  const letters = parts.flatMap(({ letter }) => (letter === undefined ? [] : [letter]))
  refuse(pattern, [...meaningless, ...contradictions(letters), ...ambiguities(parts)])
  const compiled = form(parts.map(({ element }) => element))
  return ({ kind }) => {
    refuse(pattern, misfits(letters, kind))
    return inForm(kind, compiled, `${kind.name} as ${pattern}`)
  }
}

const refuse = (pattern: string, faults: ReadonlyArray<string>): void => {
  if (faults.length > 0) throw new RangeError(`date pattern "${pattern}": ${faults.join('; ')}`)
}

const names: Readonly<Record<string, string>> = {
  y: 'year (y)',
  M: 'month (M)',
  d: 'day (d)',
  E: 'weekday (E)',
  H: 'hour (H)',
  h: 'hour of the half-day (h)',
  a: 'AM or PM (a)',
  m: 'minute (m)',
  s: 'second (s)',
  S: 'fraction (S)',
  X: 'offset (X)',
  V: 'time zone (VV)',
}

const nameOf = (letters: string): string =>
  Array.from(letters, (letter) => names[letter]).join(' or ')

/** A letter, and those of which one must stand with it. */
const companions: ReadonlyArray<readonly [string, string]> = [
  ['h', 'a'],
  ['a', 'h'],
  ['m', 'Hh'],
  ['s', 'm'],
  ['S', 's'],
]

/** What is wrong with the letters of a pattern, whatever it is for. */
const contradictions = (letters: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...letters
    .filter((letter, index) => letters.indexOf(letter) !== index)
    .map((letter) => `${nameOf(letter)} stands twice`),
  ...(letters.includes('H') && letters.includes('h') ? ['hour stands twice, as H and as h'] : []),
  ...companions
    .filter(([letter, others]) => letters.includes(letter) && !holdsOne(letters, others))
    .map(([letter, others]) => `${nameOf(letter)} stands without ${nameOf(others)}`),
]

/** In a run of digits one number may vary in length; of two nobody could tell where the first ends. */
const ambiguities = (parts: ReadonlyArray<DatePattern.PatternPart>): ReadonlyArray<string> => {
  const run = parts.map(({ element: { apart, digits } }) => (apart ? `,${digits}` : digits))
  return /varying(?:fixed)*varying/.test(run.join(''))
    ? ['two numbers of varying length stand in a row']
    : []
}

/** What a pattern lacks for a kind of value, and what it has beyond. */
const misfits = <A>(
  letters: ReadonlyArray<string>,
  { name, needs, takes }: DateKind<A>,
): ReadonlyArray<string> => {
  const known = needs.join('') + takes
  return [
    ...needs
      .filter((group) => !holdsOne(letters, group))
      .map((group) => `${name} needs ${nameOf(group)}`),
    ...letters
      .filter((letter) => !known.includes(letter))
      .map((letter) => `${name} has no ${nameOf(letter)}`),
  ]
}

const holdsOne = (letters: ReadonlyArray<string>, group: string): boolean =>
  letters.some((letter) => group.includes(letter))
