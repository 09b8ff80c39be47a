/** Functions that set response headers with structured values, such as dates, ETags and links. */
import * as CacheControl from '../http/cache-control.ts'
import * as EntityTag from '../http/entity-tag.ts'
import * as HttpDate from '../http/http-date.ts'
import * as Link from '../http/link.ts'
import * as UriReference from '../http/uri-reference.ts'
import type { SentWith } from './internal/response-headers.ts'
import type { Modify, Reply } from './reply.ts'
import { addHeaderValues, setHeader, withHeader } from './reply.ts'
import * as ContentDisposition from '../http/content-disposition.ts'

/**
 * Sets the headers that `responseHeaders` declares for the response. The values are encoded when the response is sent.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, json, list, ok, path, produces, responseHeaders, routes, withHeaders } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const listIds = pipe(
 *   path('/ids'),
 *   get(),
 *   produces(json(list(int))),
 *   responseHeaders({ xTotalCount: int }),
 *   handle(() => pipe(ok([1, 2]), withHeaders({ xTotalCount: 70 }))),
 * )
 * const { headers } = await inMemory(routes({ listIds }))('http://localhost/ids')
 *
 * assert.equal(headers.get('X-Total-Count'), '70')
 * ```
 */
export const withHeaders =
  <H extends object>(values: H) =>
  <St extends number, A>(original: Reply<St, A>): Reply<St, A & SentWith<H>> =>
    // `SentWith` exists only at compile time
    addHeaderValues(original, values) as Reply<St, A & SentWith<H>>

/**
 * Sets the `Expires` header (RFC 9111, 5.3). Milliseconds are discarded. Throws a `RangeError` for an invalid date.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { expires, lastModified, noContent } from 'espalier'
 *
 * const date = new Date('1994-11-06T08:49:37.999Z')
 *
 * assert.deepEqual(expires(date)(noContent).headers, ['Expires', 'Sun, 06 Nov 1994 08:49:37 GMT'])
 * assert.deepEqual(lastModified(date)(noContent).headers, [
 *   'Last-Modified',
 *   'Sun, 06 Nov 1994 08:49:37 GMT',
 * ])
 * ```
 */
export const expires = (date: Date): Modify => setHeader('Expires', HttpDate.format(date))

/**
 * Sets the `Last-Modified` header (RFC 9110, 8.8.2). Milliseconds are discarded. Throws a `RangeError` for an invalid
 * date.
 */
export const lastModified = (date: Date): Modify =>
  setHeader('Last-Modified', HttpDate.format(date))

/**
 * Sets the `ETag` header (RFC 9110, 8.8.3), replacing any existing value. A string is treated as the opaque part of a
 * strong ETag. Throws a `TypeError` if the opaque part contains quotes, spaces, control characters or characters above U+00FF.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { etag, ok } from 'espalier'
 *
 * assert.deepEqual(etag('v1')(ok('')).headers, ['ETag', '"v1"'])
 * assert.deepEqual(etag({ weak: true, opaque: 'v1' })(ok('')).headers, ['ETag', 'W/"v1"'])
 * assert.deepEqual(pipe(ok(''), etag('v1'), etag('v2')).headers, ['ETag', '"v2"'])
 * assert.throws(() => etag('"v1"'), /invalid entity tag: pass the opaque part without quotes/)
 * ```
 */
export const etag = (tag: string | EntityTag.EntityTag): Modify =>
  setHeader('ETag', EntityTag.format(EntityTag.from(tag)))

/**
 * Sets the `Cache-Control` header of a reply, regardless of the status. Overrides the value declared with `cache` on
 * the endpoint.
 *
 * Durations are in seconds. Throws a `RangeError` for a duration that is not an integer from 0 to 2^31.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { cacheControl, ok } from 'espalier'
 *
 * assert.deepEqual(cacheControl({ maxAge: 60 })(ok('')).headers, ['Cache-Control', 'max-age=60'])
 * assert.throws(() => cacheControl({ maxAge: 0.5 }), RangeError)
 * ```
 */
export const cacheControl = (directives: CacheControl.CacheControl): Modify =>
  setHeader('Cache-Control', CacheControl.format(directives))

/**
 * Adds request header names to the `Vary` header (RFC 9110, 12.5.5). The framework adds other names, such as
 * `Accept`, automatically.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { ok, vary } from 'espalier'
 *
 * const chosen = pipe(ok(''), vary('Origin', 'DPR'), vary('Save-Data'))
 *
 * assert.deepEqual(chosen.headers, ['Vary', 'Origin, DPR', 'Vary', 'Save-Data'])
 * ```
 */
export const vary = (...names: ReadonlyArray<string>): Modify =>
  withHeader('Vary', names.join(', '))

/** The request properties that determine which variant of a response is selected. */
export interface Variants {
  readonly mediaType?: boolean
  readonly language?: boolean
  readonly encoding?: boolean
}

/**
 * Adds a `Vary` header to a response that was selected from several variants. `selectVariant` adds it automatically.
 *
 * ```text
 * variants({ language: true })                     Vary: Accept-Language
 * variants({ mediaType: true, encoding: true })    Vary: Accept, Accept-Encoding
 * variants({})                                     no header
 * ```
 */
export const variants = ({
  mediaType = false,
  language: byLanguage = false,
  encoding = false,
}: Variants): Modify => {
  const names = [
    ...(mediaType ? ['Accept'] : []),
    ...(byLanguage ? ['Accept-Language'] : []),
    ...(encoding ? ['Accept-Encoding'] : []),
  ]
  return names.length === 0 ? (reply) => reply : vary(...names)
}

/**
 * Adds a `Link` header (RFC 8288, 3). Throws a `TypeError` if the relation type is neither a name nor a URI.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { link, ok } from 'espalier'
 *
 * const next = link({ target: '/books?page=2', rel: 'next' })
 *
 * assert.deepEqual(next(ok('')).headers, ['Link', '</books?page=2>; rel="next"'])
 * assert.throws(() => link({ target: '/books', rel: '' }), TypeError)
 * ```
 */
export const link = (value: Link.Link): Modify => withHeader('Link', Link.format(value))

/**
 * Sets the `Content-Language` header to a list of language tags (RFC 9110, 8.5; RFC 5646), replacing any existing
 * value. To let the client select a language, declare representations with `inLanguage`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { allow, contentLocation, language, mediaType, ok } from 'espalier'
 *
 * const german = pipe(ok(''), language('en'), language('de', 'fr'))
 *
 * assert.deepEqual(german.headers, ['Content-Language', 'de, fr'])
 * assert.deepEqual(contentLocation('/ö')(ok('')).headers, ['Content-Location', '/%C3%B6'])
 * assert.deepEqual(allow('GET', 'PUT')(ok('')).headers, ['Allow', 'GET, PUT'])
 * assert.deepEqual(mediaType('text/x-log')(ok('')).headers, ['Content-Type', 'text/x-log'])
 * ```
 */
export const language = (...tags: ReadonlyArray<string>): Modify =>
  setHeader('Content-Language', tags.join(', '))

/**
 * Sets the `Content-Location` header to the URI of the representation (RFC 9110, 8.7). Characters that are invalid in
 * a URI are percent-encoded.
 */
export const contentLocation = (uri: string): Modify =>
  setHeader('Content-Location', UriReference.escape(uri))

/** Sets the `Allow` header to the methods that the resource supports (RFC 9110, 10.2.1). */
export const allow = (...methods: ReadonlyArray<string>): Modify =>
  setHeader('Allow', methods.join(', '))

/** Sets the `Content-Type` header to `type`, exactly as specified. This value replaces the negotiated media type. */
export const mediaType = (type: string): Modify => setHeader('Content-Type', type)

/**
 * Sets `Content-Disposition: attachment`, so that browsers save the body under this file name (RFC 6266).
 *
 * Directories and control characters are removed from the name. Non-ASCII characters are encoded (RFC 8187).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { attachment, ok } from 'espalier'
 *
 * assert.deepEqual(attachment('notes.txt')(ok('')).headers, [
 *   'Content-Disposition',
 *   'attachment; filename="notes.txt"',
 * ])
 * assert.deepEqual(attachment('../€.txt')(ok('')).headers, [
 *   'Content-Disposition',
 *   `attachment; filename="_.txt"; filename*=UTF-8''%E2%82%AC.txt`,
 * ])
 * ```
 */
export const attachment = (name: string): Modify =>
  setHeader('Content-Disposition', ContentDisposition.attachment(name))
