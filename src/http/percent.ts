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

/** Encodes everything but the unreserved characters of a URI, so that the result can stand anywhere in one. */
export const encode = (text: string): string => (isUnreserved.test(text) ? text : escaped(text))

const isUnreserved = /^[\w\-.~]*$/

const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
