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
export const split = (text: string): ReadonlyArray<Pair> =>
  text === ''
    ? []
    : text
        .split('&')
        .filter((pair) => pair !== '')
        .map((pair): Pair => {
          const equals = pair.indexOf('=')
          return equals < 0 ? [pair, undefined] : [pair.slice(0, equals), pair.slice(equals + 1)]
        })

/** How many pairs {@link split} gives. */
export const count = (text: string): number => {
  let pairs = 0
  for (let at = 0; at < text.length;) {
    const ampersand = text.indexOf('&', at)
    const end = ampersand < 0 ? text.length : ampersand
    if (end > at) pairs++
    at = end + 1
  }
  return pairs
}

/** Decodes a name or value; `undefined` when an escape is malformed or the octets are not UTF-8. */
export const decode = (text: string): string | undefined =>
  Percent.decode(text.includes('+') ? text.replaceAll('+', ' ') : text)

/** Gathers what was split into a map, names in order of first appearance; `undefined` when something cannot be decoded. */
export const gather = (
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
