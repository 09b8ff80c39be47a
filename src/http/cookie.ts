/**
 * Cookies: parses the `Cookie` header and writes values of the `Set-Cookie` header.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import * as Grammar from './grammar.ts'
import * as HttpDate from './http-date.ts'

/** A cookie to set. Missing members are not sent. */
export interface NewCookie {
  readonly name: string
  /** Any text. It is percent-encoded. */
  readonly value: string
  /** Starts with a slash. Default in clients: the directory of the request path. */
  readonly path?: string
  /** Has no leading dot. Default in clients: the host that sets the cookie, without its subdomains. */
  readonly domain?: string
  /** Integer, in seconds; 0 deletes the cookie. Takes precedence over `expires`. Without both, it is a session cookie. */
  readonly maxAge?: number
  readonly expires?: Date
  /** Whether scripts cannot read the cookie. */
  readonly httpOnly?: boolean
  /** Whether the cookie is sent only over secure connections. */
  readonly secure?: boolean
  /** The default differs between clients. */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /** Whether each top-level site has its own copy of the cookie (CHIPS). */
  readonly partitioned?: boolean
  readonly priority?: 'low' | 'medium' | 'high'
}

/**
 * Parses a `Cookie` header: the values of each name, in order. Values are percent-decoded, and kept unchanged if that fails.
 * Quotation marks are part of the value. Cookies without a name are omitted.
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
 * Returns the values that a `Cookie` header has for one name, as {@link parse} does. Only cookies whose names start with
 * `name` are parsed: with ten cookies in a header, this takes a tenth of the time.
 */
export const values = (header: string, name: string): ReadonlyArray<string> => {
  const found: string[] = []
  for (let at = 0; at < header.length; at = endOfPair(header, at) + 1) {
    const value = valueAt(header, at, name)
    if (value !== undefined) found.push(value)
  }
  return found
}

/** Returns the first of the {@link values}. */
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
 * Writes the value of a `Set-Cookie` header.
 *
 * Throws a `TypeError` for a cookie that clients reject or misinterpret: members with invalid characters, `SameSite=None` or
 * `Partitioned` without `Secure`, and the name prefixes `__Host-` and `__Secure-` if the cookie does not meet their
 * requirements. Throws a `RangeError` for an invalid `maxAge` or `expires`.
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
  return stringifySetCookie(cookie)
}

type Rule = readonly [rule: string, isMet: (cookie: NewCookie) => boolean]

/** Rules that the package `cookie` does not check. It checks the characters of path and domain. */
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
    '__Host- requires Secure, the path / and no domain',
    ({ name, secure, path, domain }) =>
      !/^__host-/i.test(name) || (secure === true && path === '/' && domain === undefined),
  ],
]
