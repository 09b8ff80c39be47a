/**
 * Writes the `Cache-Control` header for a response.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2
 */
import * as Grammar from './grammar.ts'

/**
 * The directives of a `Cache-Control` response header. Durations are integers, in seconds, from 0 to 2147483648. Directives that
 * are not set are omitted from the header.
 */
export interface CacheControl {
  readonly maxAge?: number
  /** Like `maxAge`, but for shared caches only. */
  readonly sMaxAge?: number
  readonly public?: boolean
  readonly private?: boolean
  readonly noStore?: boolean
  readonly noTransform?: boolean
  readonly mustRevalidate?: boolean
  readonly proxyRevalidate?: boolean
  /**
   * Names of response headers that caches must not reuse without revalidation. `true` or an empty list applies the directive to
   * the whole response.
   */
  readonly noCache?: boolean | ReadonlyArray<string>
  /** Whether clients can skip revalidation while the response is fresh, even if the user reloads the page (RFC 8246). */
  readonly immutable?: boolean
  /** Time during which caches are allowed to serve a stale response while they are revalidating it (RFC 5861, section 3). */
  readonly staleWhileRevalidate?: number
  /** Time during which caches are allowed to serve a stale response after an error (RFC 5861, section 4). */
  readonly staleIfError?: number
}

/**
 * Writes the directives in a fixed order. Returns an empty string if no directive is set. Throws a `RangeError` if a duration is
 * invalid, and a `TypeError` if a header name is invalid.
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

/** The greatest valid duration, in seconds. Caches are allowed to treat a longer duration as this value (RFC 9111, 1.2.2). */
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
    throw new TypeError(
      `invalid argument for no-cache: expected a header name, got ${JSON.stringify(invalid)}`,
    )
  return value.length === 0 ? ['no-cache'] : value.map((name) => `no-cache="${name}"`)
}
