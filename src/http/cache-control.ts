/**
 * The `Cache-Control` header of a response. Origin servers write it; nothing here parses it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2
 */
import * as Grammar from './grammar.ts'

/** Response directives. Durations are integers, in seconds, from 0 to 2147483648. Missing members are not sent. */
export interface CacheControl {
  readonly maxAge?: number
  /** Same as `maxAge`, for shared caches only. */
  readonly sMaxAge?: number
  readonly public?: boolean
  readonly private?: boolean
  readonly noStore?: boolean
  readonly noTransform?: boolean
  readonly mustRevalidate?: boolean
  readonly proxyRevalidate?: boolean
  /** Names of headers that are not reused without validation. `true` or an empty list applies to the whole response. */
  readonly noCache?: boolean | ReadonlyArray<string>
  /** The response is not revalidated while fresh, even if the user reloads the page (RFC 8246). */
  readonly immutable?: boolean
  /** RFC 5861, section 3. */
  readonly staleWhileRevalidate?: number
  /** RFC 5861, section 4. */
  readonly staleIfError?: number
}

/**
 * Writes the directives in a fixed order. Returns an empty string if there are none. Throws a `RangeError` for an invalid
 * duration, and a `TypeError` for an invalid header name.
 *
 * ```text
 * { maxAge: 100, private: true, mustRevalidate: true }   must-revalidate, max-age=100, private
 * { noCache: ['Set-Cookie', 'Age'] }                     no-cache="Set-Cookie", no-cache="Age"
 * ```
 */
export const format = (options: CacheControl): string =>
  [
    ...noCache(options.noCache),
    ...flag('public', options.public),
    ...flag('must-revalidate', options.mustRevalidate),
    ...flag('no-transform', options.noTransform),
    ...flag('no-store', options.noStore),
    ...flag('proxy-revalidate', options.proxyRevalidate),
    ...seconds('s-maxage', options.sMaxAge),
    ...seconds('max-age', options.maxAge),
    ...flag('private', options.private),
    ...flag('immutable', options.immutable),
    ...seconds('stale-while-revalidate', options.staleWhileRevalidate),
    ...seconds('stale-if-error', options.staleIfError),
  ].join(', ')

type Directives = ReadonlyArray<string>

const flag = (name: string, value = false): Directives => (value ? [name] : [])

/** The greatest value that recipients must support (RFC 9111, 1.2.2). */
const maxSeconds = 2 ** 31

const seconds = (name: string, value: number | undefined): Directives => {
  if (value === undefined) return []
  if (Number.isInteger(value) && value >= 0 && value <= maxSeconds) return [`${name}=${value}`]
  throw new RangeError(
    `invalid ${name}: expected an integer number of seconds from 0 to ${maxSeconds}, got ${value}`,
  )
}

const noCache = (value: CacheControl['noCache'] = false): Directives => {
  if (typeof value === 'boolean') return flag('no-cache', value)
  const invalid = value.find((name) => !Grammar.isToken(name))
  if (invalid !== undefined)
    throw new TypeError(`invalid no-cache: expected a header name, got ${JSON.stringify(invalid)}`)
  return value.length === 0 ? ['no-cache'] : value.map((name) => `no-cache="${name}"`)
}
