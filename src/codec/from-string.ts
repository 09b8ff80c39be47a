/** Creates codecs for application types that have a text form. */
import { checkFunction } from '../http/platform-value.ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

/**
 * Noun phrases that describe predefined codecs in messages. The key is the first word of the codec name, because constraints
 * extend the name, as in `int from 1 to 9`.
 */
const nounPhrases: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'an integer'],
  ['bigint', 'an integer'],
  ['decimal', 'a decimal number'],
  ['boolean', 'a boolean'],
  ['uuid', 'a UUID'],
  ['date', 'an ISO 8601 date'],
  ['plainDate', 'a date'],
  ['plainTime', 'a time'],
  ['plainDateTime', 'a date and time'],
  ['zonedDateTime', 'a date and time with a time zone'],
  ['offsetDateTime', 'a date and time with an offset'],
  ['instant', 'a date and time with an offset'],
  ['offsetTime', 'a time with an offset'],
  ['year', 'a year'],
  ['yearMonth', 'a year and month'],
  ['duration', 'a duration'],
  ['list', 'a list'],
  ['set', 'a set'],
  ['sorted', 'a sorted'],
])

/** Examples of the text formats of predefined codecs, if the noun phrase does not imply the format. The key is the codec name. */
const examples: ReadonlyMap<string, string> = new Map([
  ['plainDate', '2024-01-31'],
  ['plainTime', '10:15:30'],
  ['plainDateTime', '2024-01-31T10:15:30'],
  ['zonedDateTime', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
  ['offsetDateTime', '2024-01-31T10:15:30Z'],
  ['instant', '2024-01-31T10:15:30Z'],
  ['offsetTime', '10:15:30+01:00'],
  ['yearMonth', '2024-01'],
  ['duration', 'PT90M'],
])

/** Returns a noun phrase for a codec name. Names of application-defined codecs are returned unchanged. */
const nounPhrase = (name: string): string => {
  const space = name.indexOf(' ')
  if (space < 0) {
    const example = examples.get(name)
    return (nounPhrases.get(name) ?? name) + (example === undefined ? '' : ` such as ${example}`)
  }
  const phrase = nounPhrases.get(name.slice(0, space))
  return phrase === undefined ? name : `${phrase}${name.slice(space)}`
}

/**
 * Returns the message of a validation error, such as `must be an integer or null`. If the value is missing, the message has a
 * form such as `is required and must be an integer`. `names` contains the names of the expected codecs. The name `undefined` is omitted
 * from the message.
 */
export const expectedTypes = (names: ReadonlyArray<string>, isMissing = false): string => {
  const alternatives = names.flatMap(splitUnion).filter((name) => name !== 'undefined')
  const phrases = [...new Set(alternatives.map(nounPhrase))]
  return `${isMissing ? 'is required and must be ' : 'must be '}${joinAlternatives(phrases)}`
}

/** Joins alternatives, as in `"a", "b" or null`. */
const joinAlternatives = (phrases: ReadonlyArray<string>): string =>
  phrases.length < 2
    ? phrases.join('')
    : `${phrases.slice(0, -1).join(', ')} or ${phrases[phrases.length - 1]}`

const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const word = String.raw`${quoted}|[\w.+-]+`
const unionOf = (member: string): string => `(?:${member})(?: \\| (?:${member}))+`

/** Matches the names of unions of literals, such as `"a" | "b"`, and names in parentheses, such as `("a" | int)`. */
const unions = new RegExp(
  String.raw`(?<![\w"])${unionOf(String.raw`${quoted}|-?\d[\w.+-]*`)}|\(${unionOf(word)}\)`,
  'g',
)

const words = new RegExp(word, 'g')

const members = (union: string): ReadonlyArray<string> => union.match(words) ?? []

/**
 * Splits the name of a union. In other names, replaces the names of unions by lists of alternatives. Names without a space, which are
 * neither, are returned without matching them, because matching takes 5% of the CPU time of an invalid body (400) response.
 */
const splitUnion = (name: string): ReadonlyArray<string> =>
  name.includes(' ')
    ? name
        .split(/(?:, | or )(?=(?:null|undefined|null or undefined)$)/)
        .flatMap((part) => (part.includes(' | ') ? splitAlternatives(part) : [part]))
    : [name]

const splitAlternatives = (name: string): ReadonlyArray<string> =>
  name.replace(unions, '') === ''
    ? members(name)
    : [name.replace(unions, (union) => joinAlternatives(members(union)))]

/** A codec whose texts have units. The member exists only at compile time. */
export interface WithUnit<U> {
  readonly _unit?: U
}

/**
 * Creates a codec that accepts typed values as well as text. Text is trimmed before it is passed to `parse`. An invalid value
 * results in exactly one error. `expected` is the codec name. It must be a noun phrase, because error messages contain it.
 */
export const textOrValue = <A>(
  expected: string,
  is: t.Is<A>,
  parse: (text: string) => O.Option<A>,
  format: (value: A) => string,
): t.Type<A, string> =>
  new t.Type(
    expected,
    is,
    (u, context) =>
      is(u)
        ? t.success(u)
        : pipe(
            typeof u === 'string' ? parse(u.trim()) : O.none,
            O.match(() => t.failure<A>(u, context), t.success),
          ),
    format,
  )

/**
 * Creates a codec from a function that parses text and a function that formats values.
 *
 * `name` follows `must be` in validation errors, so it should be a noun phrase with an article. `parse` must return `undefined` for invalid text. While a request is being processed,
 * `parse` may also throw an error. An `HttpError` determines the response, and any other error is reported as a validation
 * error.
 *
 * `is` determines which codec encodes a value in a union. By default, it accepts every value except `undefined`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { fromString } from 'espalier'
 *
 * const absolute = fromString(
 *   'an absolute URL',
 *   (text) => (URL.canParse(text) ? new URL(text) : undefined),
 *   String,
 * )
 *
 * assert.deepEqual(absolute.decode('http://a/b'), E.right(new URL('http://a/b')))
 * assert.ok(E.isLeft(absolute.decode('/b')))
 * assert.equal(absolute.encode(new URL('http://a')), 'http://a/')
 * ```
 */
export const fromString = <A>(
  name: string,
  parse: (text: string) => A | undefined,
  format: (value: A) => string,
  is: (value: unknown) => value is A = (value): value is A => value !== undefined,
): t.Type<A, string> => {
  checkFunction('fromString(name, parse, format)', 'parse', parse)
  checkFunction('fromString(name, parse, format)', 'format', format)
  return new t.Type<A, string>(
    name,
    is,
    (value, context) => {
      const parsed = typeof value === 'string' ? parse(value) : undefined
      return parsed === undefined ? t.failure(value, context) : t.success(parsed)
    },
    (value) => format(value),
  )
}
