/**
 * Parses the `Idempotency-Key` header, with which a client identifies the repetitions of a request.
 *
 * ```text
 * Idempotency-Key = sf-string / bare-key
 * sf-string       = DQUOTE *( %x20-21 / %x23-5B / %x5D-7E / "\" ( DQUOTE / "\" ) ) DQUOTE
 * bare-key        = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / ":" / "/" / "+" / "=" / "@" )
 * ```
 *
 * The draft allows only Strings of structured fields, but most clients send bare keys. The alphabet of bare keys contains UUIDs, base64
 * and base64url. It contains no comma, so that the combined value of several headers is invalid.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07
 * @see https://www.rfc-editor.org/rfc/rfc9651#section-3.3.3
 */
import * as O from 'fp-ts/lib/Option.js'

/** The name of the header, in lower case. */
export const headerName = 'idempotency-key'

/** Maximum length of a key, in characters. */
export const maxLength = 255

const quotedPattern = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/
const barePattern = /^[\w.~:/+=@-]+$/

/**
 * Parses a header value. The keys `abc` and `"abc"` are equal. Returns `none` for a malformed value, for a key that is empty or longer than
 * {@link maxLength}, and for a bare key if `isStrict` is `true`. Parameters of the structured field are not supported.
 */
export const parse = (text: string, isStrict = false): O.Option<string> => {
  // an escaped character takes two characters
  if (text.length > 2 * maxLength + 2) return O.none
  const key = quotedPattern.exec(text)?.[1]?.replace(/\\(.)/g, '$1')
  if (key !== undefined) return key.length > maxLength ? O.none : O.some(key)
  return isStrict || text.length > maxLength || !barePattern.test(text) ? O.none : O.some(text)
}

/** Writes a key as a String of structured fields. The key must consist of characters from U+0020 to U+007E. */
export const format = (key: string): string => `"${key.replace(/["\\]/g, '\\$&')}"`
