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

/**
 * The shortest reference that leads from one URI to another (the reverse of RFC 3986, section 5.2); the whole URI when only
 * that does.
 *
 * ```text
 * from /a/b/c?d    to /a/b/e      e            to /a/b/c?f     ?f
 *                  to /a/         ../          to /a/b/c       c
 *                  to /a/b/c?d#g  #g           to /a/b/x:y     ./x:y
 * ```
 */
export const relative = (from: URL, to: URL): string => {
  if (from.origin !== to.origin || to.username !== '' || to.password !== '') return to.href
  if (from.pathname === to.pathname) {
    if (from.search === to.search) return to.hash
    if (to.search !== '') return to.search + to.hash
  }
  const here = from.pathname.split('/').slice(0, -1)
  const there = to.pathname.split('/')
  const differs = here.findIndex((segment, index) => segment !== there[index])
  const shared = Math.min(differs < 0 ? here.length : differs, there.length - 1)
  const path = '../'.repeat(here.length - shared) + there.slice(shared).join('/')
  // neither a scheme nor a path from the root
  const isPlain = /^[^/:]+(?:\/|$)/.test(path)
  return `${isPlain ? '' : './'}${path}${to.search}${to.hash}`
}
