/**
 * Encodes and decodes percent-encoded UTF-8 text.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1
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
