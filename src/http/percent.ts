/**
 * Percent-encoding of UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1
 */

/** Decodes a text. Returns `undefined` for malformed escapes and invalid UTF-8. */
export const decode = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the part of an encoded text that decodes to the UTF-16 code units from one index up to another. The indices must not
 * split surrogate pairs.
 *
 * | encoded                 | from, to | result   |
 * |-------------------------|----------|----------|
 * | `a%20b`                 | 1, 3     | `%20b`   |
 * | `%F0%9F%8D%90%2F`       | 2, 3     | `%2F`    |
 */
export const slice = (encoded: string, from: number, to: number): string => {
  let at = 0
  const skip = (units: number): void => {
    for (let remaining = units; remaining > 0 && at < encoded.length;) {
      const byte = encoded[at] === '%' ? Number.parseInt(encoded.slice(at + 1, at + 3), 16) : -1
      at += byte < 0 ? 1 : 3 * sequenceLength(byte)
      remaining -= sequenceLength(byte) === 4 ? 2 : 1
    }
  }
  skip(from)
  const start = at
  skip(to - from)
  return encoded.slice(start, at)
}

/** Returns the length of a UTF-8 sequence from its first byte. */
const sequenceLength = (byte: number): number =>
  byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4

/** Encodes all characters but the unreserved ones of URIs. The result is valid in every part of a URI. */
export const encode = (text: string): string => (unreserved.test(text) ? text : escape(text))

const unreserved = /^[\w\-.~]*$/

const escape = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
