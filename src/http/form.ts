/**
 * Names and values as queries and URL-encoded forms carry them.
 *
 * ```text
 * pairs = [ pair ] *( "&" [ pair ] )
 * pair  = name [ "=" value ]              "+" is a space, everything else percent-encoded UTF-8
 * ```
 *
 * The WHATWG parser repairs malformed escapes; this one does not, so that nothing is guessed.
 *
 * @see https://url.spec.whatwg.org/#application/x-www-form-urlencoded
 */
import * as Percent from './percent.ts'

/** A name and its value, as received; `undefined` for a name without `=`. */
export type Pair = readonly [name: string, value: string | undefined]

/** Splits without decoding. Empty pairs are dropped. */
export const split = (text: string): ReadonlyArray<Pair> => {
  const pairs: Pair[] = []
  forEach(text, (name, value) => {
    pairs.push([name, value])
  })
  return pairs
}

/** Calls `visit` for each pair that {@link split} returns, without building a list. */
export const forEach = (
  text: string,
  visit: (name: string, value: string | undefined) => void,
): void => {
  let equals = -1
  for (let at = afterAmpersands(text, 0); at < text.length;) {
    const end = endOfPair(text, at)
    // found once, not in each pair: a text without "=" would be searched to its end every time
    if (equals < at) equals = indexOrEnd(text, '=', at)
    if (equals < end) visit(text.slice(at, equals), text.slice(equals + 1, end))
    else visit(text.slice(at, end), undefined)
    at = afterAmpersands(text, end)
  }
}

/** Counts the pairs that {@link split} returns, but not beyond `most + 1`. */
export const count = (text: string, most: number): number => {
  let pairs = 0
  for (let at = afterAmpersands(text, 0); at < text.length && pairs <= most;) {
    pairs++
    at = afterAmpersands(text, endOfPair(text, at))
  }
  return pairs
}

const ampersand = '&'.charCodeAt(0)

/** Skips empty pairs character by character: `indexOf` takes 20 ns for each. */
const afterAmpersands = (text: string, from: number): number => {
  let at = from
  while (text.charCodeAt(at) === ampersand) at++
  return at
}

const endOfPair = (text: string, from: number): number => indexOrEnd(text, '&', from)

const indexOrEnd = (text: string, sought: string, from: number): number => {
  const index = text.indexOf(sought, from)
  return index < 0 ? text.length : index
}

/** Decodes a name or value; `undefined` when an escape is malformed or the octets are not UTF-8. */
export const decode = (text: string): string | undefined =>
  Percent.decode(text.includes('+') ? text.replaceAll('+', ' ') : text)

/** Gathers what was split into a map, names in order of first appearance; `undefined` when something cannot be decoded. */
export const groupByName = (
  pairs: ReadonlyArray<Pair>,
): ReadonlyMap<string, ReadonlyArray<string>> | undefined => {
  const values = new Map<string, string[]>()
  for (const [rawName, rawValue = ''] of pairs) {
    const name = decode(rawName)
    const value = decode(rawValue)
    if (name === undefined || value === undefined) return undefined
    const before = values.get(name)
    if (before === undefined) values.set(name, [value])
    else before.push(value)
  }
  return values
}

/** Writes a form. */
export const format = (
  values: Iterable<readonly [name: string, values: ReadonlyArray<string>]>,
): string =>
  [...values]
    .flatMap(([name, all]) => all.map((value) => `${encode(name)}=${encode(value)}`))
    .join('&')

const encode = (text: string): string => Percent.encode(text).replaceAll('%20', '+')
