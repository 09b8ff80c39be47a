/**
 * URI references as header fields carry them: targets of links, `Location`, `Content-Location`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-4.1
 */
import * as Percent from './percent.ts'

/** The characters of RFC 3986, section 2, and braces, which mark what is not filled in yet; an escape has to be whole. */
const foreign = /[^\w\-.~:/?#[\]@!$&'()*+,;=%{}]|%(?![\dA-Fa-f]{2})/gu

/** Percent-encodes what cannot stand in a reference, line breaks and all beyond ASCII among it; what is a reference stays. */
export const escape = (text: string): string =>
  text.toWellFormed().replaceAll(foreign, encodeURIComponent)

/**
 * A reference with values in it, each encoded as a whole, so that a slash in a value does not make a segment. Of the text
 * around them only what cannot stand in a reference is encoded.
 *
 * A value `.` or `..` that fills a segment is still a dot segment, which clients resolve (RFC 3986, section 5.2.4): percent
 * encoding cannot hide it.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { uri } from 'espalier'
 *
 * assert.equal(uri`/books/${'0-13'}`, '/books/0-13')
 * assert.equal(uri`/lang/${'en/us'}`, '/lang/en%2Fus')
 * assert.equal(uri`/search?q=${'a&b'}`, '/search?q=a%26b')
 * assert.equal(uri`/café/${1}#top`, '/caf%C3%A9/1#top')
 * ```
 */
export const uri = (
  literals: TemplateStringsArray,
  ...values: ReadonlyArray<string | number | bigint>
): string =>
  escape(String.raw({ raw: literals }, ...values.map((value) => Percent.encode(String(value)))))
