/**
 * Parses and writes queries and forms in the format `application/x-www-form-urlencoded`.
 *
 * ```text
 * pairs = [ pair ] *( "&" [ pair ] )
 * pair  = name [ "=" value ]              "+" is a space; other characters are percent-encoded UTF-8
 * ```
 *
 * A `%` that begins no escape represents itself. Unlike the WHATWG parser, this parser rejects invalid UTF-8.
 *
 * @see https://url.spec.whatwg.org/#application/x-www-form-urlencoded
 */
import * as Percent from './percent.ts'

/** An encoded name and value. The value is `undefined` if the pair has no `=`. */
export type Pair = readonly [name: string, value: string | undefined]

/** Splits an encoded form or query into pairs without decoding the names and values. Skips empty pairs. */
export const split = (text: string): ReadonlyArray<Pair> => {
  const pairs: Pair[] = []
  forEach(text, (name, value) => {
    pairs.push([name, value])
  })
  return pairs
}

/** Calls `visit` for each pair that {@link split} would return, without building a list. */
export const forEach = (
  text: string,
  visit: (name: string, value: string | undefined) => void,
): void => {
  let equals = -1
  for (let at = skipAmpersands(text, 0); at < text.length;) {
    const end = endOfPair(text, at)
    // search again only after passing the previous "=": otherwise, an input without "=" would be searched to its end for each
    // pair
    if (equals < at) equals = indexOrEnd(text, '=', at)
    if (equals < end) visit(text.slice(at, equals), text.slice(equals + 1, end))
    else visit(text.slice(at, end), undefined)
    at = skipAmpersands(text, end)
  }
}

/** Counts the pairs that {@link split} would return. Stops counting at `limit + 1`. */
export const count = (text: string, limit: number): number => {
  let pairs = 0
  for (let at = skipAmpersands(text, 0); at < text.length && pairs <= limit;) {
    pairs++
    at = skipAmpersands(text, endOfPair(text, at))
  }
  return pairs
}

/** Returns the index of the first character that is not an ampersand. */
const skipAmpersands = (text: string, from: number): number => {
  let at = from
  while (text[at] === '&') at++
  return at
}

const endOfPair = (text: string, from: number): number => indexOrEnd(text, '&', from)

const indexOrEnd = (text: string, character: string, from: number): number => {
  const index = text.indexOf(character, from)
  return index < 0 ? text.length : index
}

/**
 * Decodes pairs and groups their values by name, in order of first occurrence. Returns `undefined` if a name or value cannot be
 * decoded.
 */
export const groupByName = (
  pairs: ReadonlyArray<Pair>,
): ReadonlyMap<string, ReadonlyArray<string>> | undefined => {
  const values = new Map<string, string[]>()
  for (const [rawName, rawValue = ''] of pairs) {
    const name = Percent.decodeForm(rawName)
    const value = Percent.decodeForm(rawValue)
    if (name === undefined || value === undefined) return undefined
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return values
}

/** Encodes names and values as a URL-encoded form. */
export const format = (
  values: Iterable<readonly [name: string, values: ReadonlyArray<string>]>,
): string =>
  [...values]
    .flatMap(([name, all]) => all.map((value) => `${encode(name)}=${encode(value)}`))
    .join('&')

const encode = (text: string): string => Percent.encode(text).replaceAll('%20', '+')
