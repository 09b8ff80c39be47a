/**
 * Parses the `Cookie` header, and writes values for the `Set-Cookie` header.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import * as Grammar from './grammar.ts'
import * as Headers from './headers.ts'
import * as HttpDate from './http-date.ts'

/** A cookie to set. Attributes that are not set are omitted from the header. */
export interface NewCookie {
  readonly name: string
  /** The value, which is sent percent-encoded. Can be any string without lone surrogates. */
  readonly value: string
  /** The path, which must start with a slash. By default, clients use the directory of the request path. */
  readonly path?: string
  /** The domain, without a leading dot. By default, clients send the cookie only to the host that set it, not to subdomains. */
  readonly domain?: string
  /**
   * The lifetime, in seconds, as a non-negative integer. `0` deletes the cookie. Takes precedence over `expires`. If neither is
   * set, the cookie is a session cookie.
   */
  readonly maxAge?: number
  readonly expires?: Date
  /** Whether the cookie is inaccessible to scripts. */
  readonly httpOnly?: boolean
  /** Whether the cookie is sent only over secure connections. */
  readonly secure?: boolean
  /** Controls whether the cookie is sent with cross-site requests. The default differs between clients. */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /** Whether clients keep a separate copy of the cookie for each top-level site (CHIPS). */
  readonly partitioned?: boolean
  readonly priority?: 'low' | 'medium' | 'high'
}

/**
 * Parses a `Cookie` header. Returns the values for each name, in order. Values are percent-decoded. A value that cannot be
 * decoded is returned unchanged. Quotation marks are part of the value. Cookies without a name are omitted.
 *
 * ```text
 * cookie-string = cookie-pair *( ";" SP cookie-pair )
 * ```
 */
export const parse = (header: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const cookies = new Map<string, string[]>()
  for (const pair of header.split(';'))
    for (const [name, value] of Object.entries(parseCookie(pair))) {
      if (name === '' || value === undefined) continue
      const values = cookies.get(name)
      if (values === undefined) cookies.set(name, [value])
      else values.push(value)
    }
  return cookies
}

/**
 * Returns the values of all cookies named `name` in a `Cookie` header. The values are the same as with {@link parse}, but only
 * cookies whose names start with `name` are parsed. For a header with ten cookies, `values` takes one tenth of the time that
 * `parse` takes.
 */
export const values = (header: string, name: string): ReadonlyArray<string> => {
  let found: string[] | undefined
  for (let at = 0; at < header.length; at = endOfPair(header, at) + 1) {
    const value = valueAt(header, at, name)
    if (value !== undefined) found = Headers.withValue(found, value)
  }
  return found ?? []
}

/** Returns the first value for a name, or `undefined` if the header has no cookie with that name. See {@link values}. */
export const first = (header: string, name: string): string | undefined => {
  for (let at = 0; at < header.length; at = endOfPair(header, at) + 1) {
    const value = valueAt(header, at, name)
    if (value !== undefined) return value
  }
  return undefined
}

const endOfPair = (header: string, at: number): number => {
  const semicolon = header.indexOf(';', at)
  return semicolon < 0 ? header.length : semicolon
}

const valueAt = (header: string, at: number, name: string): string | undefined => {
  let start = at
  while (isSpace(header.charCodeAt(start))) start++
  return header.startsWith(name, start)
    ? parseCookie(header.slice(start, endOfPair(header, start)))[name]
    : undefined
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09

/**
 * Formats a cookie as the value of a `Set-Cookie` header.
 *
 * Throws a `TypeError` if the cookie contains invalid characters, has `SameSite=None` or `Partitioned` without `Secure`, or violates
 * the rules for the name prefix `__Host-` or `__Secure-`. Clients would reject or misinterpret such a cookie. Throws a `RangeError`
 * if `maxAge` or `expires` is invalid.
 *
 * ```text
 * { name: 'id', value: 'é', path: '/', httpOnly: true }   id=%C3%A9; Path=/; HttpOnly
 * ```
 */
export const format = (cookie: NewCookie): string => {
  const { name, maxAge = 0, expires } = cookie
  const violated = rules.find(([, isMet]) => !isMet(cookie))
  if (violated !== undefined)
    throw new TypeError(`invalid cookie ${JSON.stringify(name)}: ${violated[0]}`)
  if (!Number.isSafeInteger(maxAge) || maxAge < 0)
    throw new RangeError(
      `invalid cookie ${name}: maxAge must be a non-negative integer number of seconds, got ${maxAge}`,
    )
  if (expires !== undefined) HttpDate.format(expires)
  return stringifySetCookie(cookie, { encode: encodeURIComponent }) // the default differs between versions of the package
}

type Rule = readonly [rule: string, isMet: (cookie: NewCookie) => boolean]

/** Rules that are checked in addition to those of the `cookie` package, which checks the characters in the path and domain. */
const rules: ReadonlyArray<Rule> = [
  ['the name must be a token', ({ name }) => Grammar.isToken(name)],
  ['the value must not contain lone surrogates', ({ value }) => !/\p{Cs}/u.test(value)],
  ['the path must start with a slash', ({ path = '/' }) => path.startsWith('/')],
  ['the domain must not start with a dot', ({ domain = '0' }) => /^[^.]/.test(domain)],
  [
    'SameSite=None requires Secure',
    ({ sameSite, secure }) => secure === true || sameSite !== 'none',
  ],
  ['Partitioned requires Secure', ({ partitioned, secure }) => secure === true || !partitioned],
  ['__Secure- requires Secure', ({ name, secure }) => secure === true || !/^__secure-/i.test(name)],
  [
    '__Host- requires Secure and the path /, and does not allow a domain',
    ({ name, secure, path, domain }) =>
      !/^__host-/i.test(name) || (secure === true && path === '/' && domain === undefined),
  ],
]
