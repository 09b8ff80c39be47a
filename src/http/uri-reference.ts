/**
 * Escapes and builds URI references for the `Location` and `Content-Location` headers and for link targets.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-4.1
 */
import * as Percent from './percent.ts'

/** Matches characters that are not allowed in a URI (RFC 3986, 2). Braces do not match, because they mark template variables. */
const disallowed = /[^\w\-.~:/?#[\]@!$&'()*+,;=%{}]|%(?![\dA-Fa-f]{2})/gu

/** Percent-encodes the characters that are not allowed in a URI reference. Returns a valid reference unchanged. */
export const escape = (text: string): string =>
  text.toWellFormed().replaceAll(disallowed, encodeURIComponent)

/**
 * Builds a URI reference from a template literal. Interpolated values are percent-encoded completely, including slashes. In the
 * literal text, only characters that are not allowed in a URI reference are encoded.
 *
 * If an interpolated value is `.` or `..` and forms a whole segment, clients interpret it as a dot segment (RFC 3986, 5.2.4).
 * Percent-encoding cannot prevent this.
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
 * Returns a relative reference that resolves to the target URI when `from` is the base URI (RFC 3986, 5.2). Returns the absolute
 * target URI if the origins differ or the target contains user information.
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
  const source = from.pathname.split('/').slice(0, -1)
  const target = to.pathname.split('/')
  const difference = source.findIndex((segment, index) => segment !== target[index])
  const shared = Math.min(difference < 0 ? source.length : difference, target.length - 1)
  const path = '../'.repeat(source.length - shared) + target.slice(shared).join('/')
  // the reference must not look like a scheme or an absolute path
  const isPlain = /^[^/:]+(?:\/|$)/.test(path)
  return `${isPlain ? '' : './'}${path}${to.search}${to.hash}`
}
