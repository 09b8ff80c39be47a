/**
 * Sanitizes and merges response headers.
 *
 * - Headers that the exchange sets are dropped: framing, connection management and `Date`.
 * - Singleton headers are sent once, with their last value, because a client may use any of several.
 * - All other headers, such as `Vary` and `Set-Cookie`, may occur several times.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5.3
 */
import * as Headers from '../../http/headers.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'

/** Framing (RFC 9112, 6), connection management (RFC 9112, 9) and `Date`. */
const exchangeHeaders = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
  'date',
])

/** `Accept-Ranges` is list-based (RFC 9110, 14.3), but sent once here. */
const singletons = [
  // RFC 9110
  'content-type',
  'content-location',
  'content-range',
  'etag',
  'last-modified',
  'accept-ranges',
  'location',
  'retry-after',
  'server',
  // RFC 9111
  'age',
  'expires',
  // RFC 6266
  'content-disposition',
  // Fetch
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-max-age',
  // RFC 6797
  'strict-transport-security',
  // Fetch
  'x-content-type-options',
]

/** The kinds of headers. Each singleton header has its own bit. */
const repeatable = 0
const dropped = -1

/** Returns the kind of a header. Memoized, because an application uses few header names. */
const kindOf = memoizeHeader((name = ''): number => {
  const lowerCaseName = name.toLowerCase()
  if (exchangeHeaders.has(lowerCaseName)) return dropped
  const index = singletons.indexOf(lowerCaseName)
  return index < 0 ? repeatable : 1 << index
})

/**
 * Removes headers that the exchange sets, and all but the last value of each singleton header.
 * Returns the same array if there is nothing to remove, which is the common case.
 */
export const sanitizeHeaders = (headers: Headers.Headers): Headers.Headers => {
  let seen = 0
  for (let index = 0; index < headers.length; index += 2) {
    const kind = kindOf(headers[index])
    if (kind === repeatable) continue
    if (kind === dropped || (seen & kind) !== 0) return removeDisallowed(headers)
    seen |= kind
  }
  return headers
}

const removeDisallowed = (headers: Headers.Headers): Headers.Headers => {
  const kinds = headers.map((_, index) => kindOf(nameAt(headers, index)))
  return headers.filter((_, index) => {
    const kind = kinds[index] ?? repeatable
    const nextPair = index + 2 - (index % 2)
    return kind === repeatable || (kind !== dropped && !kinds.includes(kind, nextPair))
  })
}

/** Returns the headers of `added` that may follow `headers`: singleton headers that `headers` already has are omitted. */
export const mergeHeaders = (added: Headers.Headers, headers: Headers.Headers): Headers.Headers => {
  const sanitized = sanitizeHeaders(added)
  return sanitized.filter((_, index) => {
    const name = nameAt(sanitized, index)
    return kindOf(name) === repeatable || Headers.first(headers, name.toLowerCase()) === undefined
  })
}

/** Whether at least one of the headers is a singleton. */
export const hasSingletonHeader = (headers: Headers.Headers): boolean =>
  headers.some((name, index) => index % 2 === 0 && kindOf(name) > repeatable)

/** Returns the name of the name-value pair that the element at `index` belongs to. */
const nameAt = (headers: Headers.Headers, index: number): string =>
  headers[index - (index % 2)] ?? ''

/** Removes `Content-Type` and `Content-Encoding` from a 204 or 205, which has no body (RFC 9110, 8). */
export const removeBodyHeaders = (status: number, headers: Headers.Headers): Headers.Headers =>
  status === 204 || status === 205
    ? Headers.without(Headers.without(headers, 'content-type'), 'content-encoding')
    : headers

const validators = ['ETag', 'Last-Modified', 'Accept-Ranges']

/**
 * Adds the validators of `added` to `headers`, unless `headers` has them. Of several values, the last one is used.
 *
 * Validators decide about conditions and ranges, so those that filters add must be known before the response is encoded.
 * Otherwise an `ETag` would be computed in addition.
 */
export const moveValidators = (headers: Headers.Headers, added: Headers.Headers): Headers.Headers =>
  validators.reduce((combined, name) => {
    const value = Headers.all(added, name.toLowerCase()).at(-1)
    return value === undefined || Headers.first(headers, name.toLowerCase()) !== undefined
      ? combined
      : [...combined, name, value]
  }, headers)
