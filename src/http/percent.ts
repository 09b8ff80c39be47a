/**
 * Encodes and decodes percent-encoded UTF-8 text, and the pairs of queries and forms (`application/x-www-form-urlencoded`):
 *
 * ```text
 * pairs = [ pair ] *( "&" [ pair ] )
 * pair  = name [ "=" value ]              "+" is a space; other characters are percent-encoded UTF-8
 * ```
 *
 * A `%` that begins no escape represents itself. Unlike the WHATWG parser, this parser rejects invalid UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1
 * @see https://url.spec.whatwg.org/#application/x-www-form-urlencoded
 */

/**
 * Decodes a percent-encoded string. A `%` that is not followed by two hexadecimal digits represents itself, as in the URL Standard.
 * Returns `undefined` if the result is not valid UTF-8.
 *
 * @see https://url.spec.whatwg.org/#percent-decode
 */
export const decode = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    const encoded = text.replaceAll(literalPercent, '%25')
    return encoded === text ? undefined : decode(encoded)
  }
}

const literalPercent = /%(?![\dA-Fa-f]{2})/g

/**
 * Decodes a name or value from a query or form, in which `+` represents a space. Returns `undefined` under the same conditions as
 * {@link decode}.
 */
export const decodeForm = (text: string): string | undefined =>
  decode(text.includes('+') ? text.replaceAll('+', ' ') : text)

/**
 * Returns the part of an encoded string that decodes to the UTF-16 code units from index `from` up to, but not including, index
 * `to`. The indices must not split surrogate pairs.
 *
 * | encoded                 | from, to | result   |
 * |-------------------------|----------|----------|
 * | `a%20b`                 | 1, 3     | `%20b`   |
 * | `%F0%9F%8D%90%2F`       | 2, 3     | `%2F`    |
 * | `5%/a`                  | 1, 3     | `%/`     |
 */
export const slice = (encoded: string, from: number, to: number): string => {
  let at = 0
  const skip = (units: number): void => {
    for (let remaining = units; remaining > 0 && at < encoded.length;) {
      const [, digits] = escapeAt(encoded, at) ?? []
      const byte = digits === undefined ? -1 : Number.parseInt(digits, 16)
      at += byte < 0 ? 1 : 3 * sequenceLength(byte)
      remaining -= sequenceLength(byte) === 4 ? 2 : 1
    }
  }
  skip(from)
  const start = at
  skip(to - from)
  return encoded.slice(start, at)
}

const escapeAt = (text: string, at: number): RegExpExecArray | null =>
  text[at] === '%' ? /^%([\dA-Fa-f]{2})/.exec(text.slice(at, at + 3)) : null

/** Returns the length, in bytes, of a UTF-8 sequence, given its first byte. */
const sequenceLength = (byte: number): number =>
  byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4

/**
 * Percent-encodes all characters except the unreserved characters (RFC 3986, 2.3). The result is valid in the path, the query and the fragment of a URI.
 */
export const encode = (text: string): string => (unreserved.test(text) ? text : escape(text))

const unreserved = /^[\w\-.~]*$/

/**
 * Returns the canonical spelling of a path segment without matrix parameters: only characters that a segment cannot contain are
 * encoded, with upper-case digits (RFC 3986, 3.3 and 6.2.2).
 */
export const encodeSegment = (text: string): string =>
  text.toWellFormed().replace(/[^\w\-.~!$&'()*+,=:@]/gu, encodeURIComponent)

/** Encodes the characters that a received path may contain unencoded, although RFC 3986 does not allow them. */
export const encodeTolerated = (path: string): string =>
  path.replace(/[|^[\]]|%(?![\dA-Fa-f]{2})/g, encodeURIComponent)

const escape = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** An encoded name and value. The value is `undefined` if the pair has no `=`. */
export type Pair = readonly [name: string, value: string | undefined]

/** Splits an encoded form or query into pairs without decoding the names and values. Skips empty pairs. */
export const splitPairs = (text: string): ReadonlyArray<Pair> => {
  const pairs: Pair[] = []
  forEachPair(text, (name, value) => {
    pairs.push([name, value])
  })
  return pairs
}

/** Calls `visit` for each pair that {@link splitPairs} would return, without building a list. */
export const forEachPair = (
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

/** Counts the pairs that {@link splitPairs} would return. Stops counting at `limit + 1`. */
export const countPairs = (text: string, limit: number): number => {
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
export const groupPairs = (
  pairs: ReadonlyArray<Pair>,
): ReadonlyMap<string, ReadonlyArray<string>> | undefined => {
  const values = new Map<string, string[]>()
  for (const [rawName, rawValue = ''] of pairs) {
    const name = decodeForm(rawName)
    const value = decodeForm(rawValue)
    if (name === undefined || value === undefined) return undefined
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return values
}

/** Encodes names and values as a URL-encoded form. */
export const formatPairs = (
  values: Iterable<readonly [name: string, values: ReadonlyArray<string>]>,
): string =>
  [...values]
    .flatMap(([name, all]) => all.map((value) => `${encodeForm(name)}=${encodeForm(value)}`))
    .join('&')

const encodeForm = (text: string): string => encode(text).replaceAll('%20', '+')
