/**
 * Cookies: the `Cookie` field as it is read, and one `Set-Cookie` value as it is written. No store, no signatures.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import * as Grammar from './grammar.ts'
import * as HttpDate from './http-date.ts'

/** A cookie to be set. What is left out is not sent, and means what the user agent makes of its absence. */
export interface NewCookie {
  readonly name: string
  /** Any text; it is percent-encoded. */
  readonly value: string
  /** Begins with a slash. Absent: the directory of the request's path. */
  readonly path?: string
  /** Without a leading dot. Absent: the host that sets the cookie, and none below it. */
  readonly domain?: string
  /** Whole seconds; 0 deletes the cookie. It counts before `expires`. Both absent: the user agent's session. */
  readonly maxAge?: number
  readonly expires?: Date
  /** Kept from scripts. */
  readonly httpOnly?: boolean
  /** Sent over secure connections only. */
  readonly secure?: boolean
  /** Absent: user agents differ. */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /** A jar of its own for each top-level site (CHIPS). */
  readonly partitioned?: boolean
  readonly priority?: 'low' | 'medium' | 'high'
}

/**
 * Reads a `Cookie` field: the values of each name, in their order. Values are percent-decoded; one whose escapes are
 * malformed is kept as it is, and so are quotation marks, which belong to the value. What has no name is left out.
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
 * The values that a `Cookie` field has for one name, as {@link parse} gives them. Only cookies whose name begins like it are
 * parsed: of a field with ten cookies, one is found in a tenth of the time.
 */
export const values = (header: string, name: string): ReadonlyArray<string> => {
  const found: string[] = []
  for (let at = 0; at < header.length; at = endOf(header, at) + 1) {
    const value = valueAt(header, at, name)
    if (value !== undefined) found.push(value)
  }
  return found
}

/** The first of the {@link values}. */
export const first = (header: string, name: string): string | undefined => {
  for (let at = 0; at < header.length; at = endOf(header, at) + 1) {
    const value = valueAt(header, at, name)
    if (value !== undefined) return value
  }
  return undefined
}

const endOf = (header: string, at: number): number => {
  const semicolon = header.indexOf(';', at)
  return semicolon < 0 ? header.length : semicolon
}

const valueAt = (header: string, at: number, name: string): string | undefined => {
  let start = at
  while (isSpace(header.charCodeAt(start))) start++
  return header.startsWith(name, start)
    ? parseCookie(header.slice(start, endOf(header, start)))[name]
    : undefined
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09

/**
 * Writes the value of a `Set-Cookie` field. Throws a `TypeError` for a cookie that user agents would refuse or
 * misunderstand: a text that its place in the grammar does not hold, a name with the prefix `__Host-` or `__Secure-`
 * without what the prefix promises, `SameSite=None` or `Partitioned` without `Secure`. A `maxAge` or `expires` out of
 * range is a `RangeError`.
 *
 * ```text
 * { name: 'id', value: 'é', path: '/', httpOnly: true }   id=%C3%A9; Path=/; HttpOnly
 * ```
 */
export const format = (cookie: NewCookie): string => {
  const { name, maxAge = 0, expires } = cookie
  const broken = rules.find(([, keeps]) => !keeps(cookie))
  if (broken !== undefined) throw new TypeError(`cookie ${JSON.stringify(name)}: ${broken[0]}`)
  if (!Number.isSafeInteger(maxAge) || maxAge < 0)
    throw new RangeError(`cookie ${name}: maxAge is a whole number of seconds, not ${maxAge}`)
  if (expires !== undefined) HttpDate.format(expires)
  return stringifySetCookie(cookie)
}

type Rule = readonly [rule: string, keeps: (cookie: NewCookie) => boolean]

/** What the package `cookie` lets pass or drops in silence; the characters of path and domain it checks itself. */
const rules: ReadonlyArray<Rule> = [
  ['the name is a token', ({ name }) => Grammar.isToken(name)],
  ['the value holds no half of a surrogate pair', ({ value }) => !/\p{Cs}/u.test(value)],
  ['the path begins with a slash', ({ path = '/' }) => path.startsWith('/')],
  ['the domain begins with a letter or digit', ({ domain = '0' }) => /^[^.]/.test(domain)],
  ['SameSite=None needs Secure', ({ sameSite, secure }) => secure === true || sameSite !== 'none'],
  ['Partitioned needs Secure', ({ partitioned, secure }) => secure === true || !partitioned],
  ['__Secure- needs Secure', ({ name, secure }) => secure === true || !/^__secure-/i.test(name)],
  [
    '__Host- needs Secure, the path / and no domain',
    ({ name, secure, path, domain }) =>
      !/^__host-/i.test(name) || (secure === true && path === '/' && domain === undefined),
  ],
]
