/**
 * Cache-Control of a response, as it is written. What a cache reads from it is not the concern of an origin server.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2
 */
import * as Grammar from './grammar.ts'

/** Durations are whole seconds, from 0 to 2147483648. What is left out is not said. */
export interface CacheControl {
  readonly maxAge?: number
  /** As `maxAge`, for shared caches only. */
  readonly sMaxAge?: number
  readonly public?: boolean
  readonly private?: boolean
  readonly noStore?: boolean
  readonly noTransform?: boolean
  readonly mustRevalidate?: boolean
  readonly proxyRevalidate?: boolean
  /** Names the fields that are not reused without validation; `true`, or no names, is the whole response. */
  readonly noCache?: boolean | ReadonlyArray<string>
  /** RFC 8246: not revalidated while fresh, even when the user reloads. */
  readonly immutable?: boolean
  /** RFC 5861, section 3. */
  readonly staleWhileRevalidate?: number
  /** RFC 5861, section 4. */
  readonly staleIfError?: number
}

/**
 * Writes the directives in a fixed order; empty text when there are none. A duration that is not whole seconds in the
 * range is a `RangeError`, a field name that is not a token a `TypeError`.
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

/** The most that a recipient has to understand: RFC 9111, section 1.2.2. */
const maxSeconds = 2 ** 31

const seconds = (name: string, value: number | undefined): Directives => {
  if (value === undefined) return []
  if (Number.isInteger(value) && value >= 0 && value <= maxSeconds) return [`${name}=${value}`]
  throw new RangeError(`${name} is a whole number of seconds from 0 to ${maxSeconds}, not ${value}`)
}

const noCache = (value: CacheControl['noCache'] = false): Directives => {
  if (typeof value === 'boolean') return flag('no-cache', value)
  const wrong = value.find((name) => !Grammar.isToken(name))
  if (wrong !== undefined)
    throw new TypeError(`no-cache names a field, not ${JSON.stringify(wrong)}`)
  return value.length === 0 ? ['no-cache'] : value.map((name) => `no-cache="${name}"`)
}
