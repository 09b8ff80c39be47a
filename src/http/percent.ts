/**
 * Percent-encoding, always of UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1
 */

/** Decodes once; `undefined` when an escape is malformed or the octets are not UTF-8. */
export const decode = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The part of an encoded text that decodes to the UTF-16 code units from one index up to another. Both are between characters.
 *
 * | encoded                 | from, to | part     |
 * |-------------------------|----------|----------|
 * | `a%20b`                 | 1, 3     | `%20b`   |
 * | `%F0%9F%8D%90%2F`       | 2, 3     | `%2F`    |
 */
export const slice = (encoded: string, from: number, to: number): string => {
  let at = 0
  const skip = (units: number): void => {
    for (let left = units; left > 0 && at < encoded.length;) {
      const first = encoded[at] === '%' ? Number.parseInt(encoded.slice(at + 1, at + 3), 16) : -1
      at += first < 0 ? 1 : 3 * octetsFrom(first)
      left -= octetsFrom(first) === 4 ? 2 : 1
    }
  }
  skip(from)
  const start = at
  skip(to - from)
  return encoded.slice(start, at)
}

/** The number of octets of a UTF-8 sequence that begins with this one. */
const octetsFrom = (first: number): number =>
  first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4

/** Encodes everything but the unreserved characters of a URI, so that the result can stand anywhere in one. */
export const encode = (text: string): string => (isUnreserved.test(text) ? text : escaped(text))

const isUnreserved = /^[\w\-.~]*$/

const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
