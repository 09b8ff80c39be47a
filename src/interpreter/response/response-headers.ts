/**
 * Sanitizes and merges response headers, resolves `Location`, creates 412 errors, and builds response heads that writers and
 * interceptors may change.
 *
 * - Headers set by the exchange are removed. These are `Date` and the headers for framing and connection management.
 * - A singleton header is sent only once, with its last value. If it had multiple values, a client could use any of them.
 * - All other headers, such as `Vary` and `Set-Cookie`, may occur multiple times.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5.3
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import { HttpError } from '../../endpoint/http-error.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { encodeFor, contentTypeOf } from '../../body/charset.ts'
import type { StatusAndHeaders } from './write-body.ts'
import { identity } from 'fp-ts/lib/function.js'
import { parseUrl } from '../../http/host.ts'
import { isBytes } from '../../http/platform-value.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { serverUrl } from '../exchange.ts'

const encoder = new TextEncoder()

/** A response head that can be changed until the response is complete. */
export class ResponseHead {
  readonly status: number
  /** The headers without `Content-Type`. */
  readonly headers: Headers.Headers
  #contentType: string
  #added: Headers.Headers = Headers.empty
  #isComplete = false

  constructor({ status, headers }: StatusAndHeaders) {
    this.status = status
    this.headers = Headers.without(headers, 'content-type')
    this.#contentType = Headers.first(headers, 'content-type') ?? ''
  }

  /** The value of `Content-Type`. */
  get contentType(): string {
    return this.#contentType
  }

  /** Changes the media type. Throws a `TypeError` if the media type is invalid or is a media range. */
  setMediaType(text: string): void {
    if (text === this.#contentType) return
    const parsed = MediaType.parse(text)
    if (O.isNone(parsed) || MediaType.isRange(parsed.value))
      throw new TypeError(`invalid media type for a response: ${JSON.stringify(text)}`)
    this.#contentType = contentTypeOf(text, parsed.value)
  }

  get mediaType(): MediaType.MediaType | undefined {
    return O.toUndefined(MediaType.parse(this.#contentType))
  }

  /** Encodes the result of a writer or interceptor. Text is encoded in the charset of `Content-Type`. */
  toBytes(body: unknown): Uint8Array {
    const encoded = typeof body === 'string' ? encodeFor(this.#sentType, body) : body
    if (typeof encoded === 'string') return encoder.encode(encoded)
    if (isBytes(encoded)) return encoded
    throw new TypeError(
      'invalid result of a writer or interceptor: expected a string or a Uint8Array',
    )
  }

  get #sentType(): string {
    return Headers.first(sanitizeHeaders(this.#added), 'content-type') ?? this.#contentType
  }

  /** Adds a header. A new `Content-Type` replaces the previous value. Throws if the response is already complete. */
  readonly addHeader = (name: string, value: string): void => {
    if (this.#isComplete)
      throw new Error(`cannot add header ${name}: the response is already complete`)
    if (name.toLowerCase() === 'content-type')
      this.#added = Headers.without(this.#added, 'content-type')
    this.#added = Headers.append(this.#added, name, value)
  }

  /** Returns the complete response. No headers can be added afterwards. */
  complete(body: Uint8Array): EncodedResponse & { readonly body: Uint8Array } {
    this.#isComplete = true
    const added = sanitizeHeaders(this.#added)
    const addedType = Headers.first(added, 'content-type')
    return {
      status: this.status,
      headers: [
        'Content-Type',
        addedType ?? this.#contentType,
        ...sanitizeHeaders([
          ...this.headers,
          ...(addedType === undefined ? added : Headers.without(added, 'content-type')),
        ]),
      ],
      body,
    }
  }
}

/** Resolves the `Location` header, if present, and returns all headers. */
export type ResolveLocation = (headers: Headers.Headers, exchange: Exchange) => Headers.Headers

/**
 * Returns a function that resolves `Location` against `fw.rest.path`. If `fw.rest.absolute-location` is not set, the function
 * returns all headers unchanged.
 */
export const locationResolver = (settings: Settings): ResolveLocation =>
  settings['fw.rest.absolute-location']
    ? resolveAgainst(settings['fw.rest.path'], settings['fw.http.public-url'])
    : identity

const resolveAgainst =
  (path: string, publicUrl: string | undefined): ResolveLocation =>
  (headers, exchange) => {
    const server = publicUrl ?? serverUrl(exchange)
    const baseUrl = `${server}${path.endsWith('/') ? path : `${path}/`}`
    return headers.map((text, index) =>
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'location'
        ? (parseUrl(text, baseUrl)?.href ?? text)
        : text,
    )
  }

/** Headers set by the exchange: framing (RFC 9112, 6), connection management (RFC 9112, 9) and `Date`. */
const exchangeHeaders = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
  'date',
])

/** Headers that are sent at most once per response. These include `Accept-Ranges`, although it is list-based (RFC 9110, 14.3). */
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
  // Fetch Standard
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-max-age',
  'x-content-type-options',
  // RFC 6797
  'strict-transport-security',
  // RFC 9745 and RFC 8594
  'deprecation',
  'sunset',
]

/** The header that problem documents contain. It prevents browsers from guessing another media type. */
export const noSniff: Headers.Headers = ['X-Content-Type-Options', 'nosniff']

/** The kind of a header that can be sent multiple times. The kind of each singleton header is a separate bit. */
const repeatable = 0
const dropped = -1

/** Returns the kind of a header. The results are memoized, because an application uses few header names. */
const kindOf = Headers.memoizeHeader((name = ''): number => {
  const lowerCaseName = name.toLowerCase()
  if (exchangeHeaders.has(lowerCaseName)) return dropped
  const index = singletons.indexOf(lowerCaseName)
  return index < 0 ? repeatable : 1 << index
})

/**
 * Removes headers that only the exchange sets, and all but the last value of each singleton header. Returns the same array if
 * there is nothing to remove, which is the common case.
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

/**
 * Returns the headers in `added` that can be appended to `headers`. Singleton headers that `headers` already contains are
 * omitted.
 */
export const mergeHeaders = (added: Headers.Headers, headers: Headers.Headers): Headers.Headers => {
  const sanitized = sanitizeHeaders(added)
  return sanitized.filter((_, index) => {
    const name = nameAt(sanitized, index)
    return kindOf(name) === repeatable || Headers.first(headers, name.toLowerCase()) === undefined
  })
}

/** Adds headers to a response, which keeps its own singleton headers. */
export const withAddedHeaders = (
  response: EncodedResponse,
  added: Headers.Headers,
): EncodedResponse => ({
  ...response,
  headers: [...response.headers, ...mergeHeaders(added, response.headers)],
})

/** Returns the name of the header whose name or value is at `index`. */
const nameAt = (headers: Headers.Headers, index: number): string =>
  headers[index - (index % 2)] ?? ''

/**
 * Removes `Content-Type` and `Content-Encoding` from a response with status 204 or 205. Such a response has no body (RFC 9110,
 * 8).
 */
export const removeBodyHeaders = (status: number, headers: Headers.Headers): Headers.Headers =>
  status === 204 || status === 205
    ? Headers.without(Headers.without(headers, 'content-type'), 'content-encoding')
    : headers

const validators = ['ETag', 'Last-Modified', 'Accept-Ranges']

/**
 * Adds the validators in `added` to `headers`, except for those that `headers` already contains. If a validator has multiple
 * values, the last one is used.
 *
 * Preconditions and ranges are evaluated while the response is encoded. Validators added by filters must therefore be known by
 * then. Otherwise, an additional `ETag` would be computed.
 */
export const moveValidators = (headers: Headers.Headers, added: Headers.Headers): Headers.Headers =>
  validators.reduce((combined, name) => {
    const value = Headers.all(added, name.toLowerCase()).at(-1)
    return value === undefined || Headers.first(headers, name.toLowerCase()) !== undefined
      ? combined
      : [...combined, name, value]
  }, headers)

/** Creates a 412 error with the validators of a representation. */
export const preconditionFailed = (headers: Headers.Headers): HttpError =>
  new HttpError(412, 'precondition failed', {
    expose: false,
    headers: Object.fromEntries(
      ['ETag', 'Last-Modified'].flatMap((name) => {
        const value = Headers.first(headers, name.toLowerCase())
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  })
