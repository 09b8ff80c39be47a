/**
 * Compresses encoded responses.
 *
 * Whether an operation compresses its responses at all is decided when it is prepared. Where it does not, nothing runs per request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Attributes } from '../../endpoint/internal/attributes.ts'
import * as AcceptEncoding from '../../http/accept-encoding.ts'
import type { ContentCoding } from '../../http/content-coding.ts'
import * as EntityTag from '../../http/entity-tag.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import { compressChunks } from './compress-chunks.ts'
import type { Compressor, Compressors } from './compressors.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { isChunkSource } from '../chunks.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

/** Compresses a response, if it should be compressed. Returns a promise for large bodies. */
export type CompressResponse = (
  response: EncodedResponse,
  exchange: Pick<Exchange, 'headers'>,
) => EncodedResponse | Promise<EncodedResponse>

/** Prepares the compression of an operation. Returns `undefined` if its responses are never compressed. */
export type CompressionRules = (
  compression: Attributes['compression'],
  bodies: ReadonlyArray<BodyPlan>,
) => CompressResponse | undefined

/** Prepares compression according to the settings `fw.http.enable-compression`, `fw.http.compressors` and others. */
export const compressionRules = (
  settings: Settings,
  compressors: Compressors,
): CompressionRules => {
  const offered = settings['fw.http.compressors'].filter((name) => compressors.has(name))
  if (!settings['fw.http.enable-compression'] || offered.length === 0) return () => undefined
  const choose = chooseCompressor(offered, compressors)
  const isListed = mediaTypeList(settings['fw.http.compress-media-types'])
  const threshold = settings['fw.http.compression-threshold']
  return (compression, bodies) => {
    if (compression === 'uncompressed') return undefined
    const isCompressible = compression === 'compressed' ? always : isListed
    const mayCompress = bodies.some(
      ({ contentType, mediaType }) => MediaType.isRange(mediaType) || isCompressible(contentType),
    )
    return (response, { headers: requestHeaders }) => {
      const { status, headers, body } = response
      if (status === 304 && mayCompress) return notModified(response, requestHeaders)
      const type = Headers.first(headers, 'content-type')
      if (body === undefined || type === undefined || !isCompressible(type)) return response
      if (!Status.allowsBody(status) || status === 206 || !isTransformable(headers)) return response
      const uncompressed = { status, headers: addVary(headers), body }
      const chosen = choose(Headers.combined(requestHeaders, 'accept-encoding'))
      if (chosen === undefined) return uncompressed
      const [name, compressor] = chosen
      if (isChunkSource(body))
        return body.length === 0 || (body.length ?? Infinity) < threshold
          ? uncompressed
          : {
              status,
              headers: compressedHeaders(uncompressed.headers, name),
              body: compressChunks(body, compressor.start),
            }
      const bytes = typeof body === 'string' ? encoder.encode(body) : body
      if (bytes.length === 0 || bytes.length < threshold) return uncompressed
      const withBody = (compressed: Uint8Array): EncodedResponse => ({
        status,
        headers: compressedHeaders(uncompressed.headers, name),
        body: compressed,
      })
      const compressed = compressor.compress(bytes)
      return compressed instanceof Promise ? compressed.then(withBody) : withBody(compressed)
    }
  }
}

type NamedCompressor = readonly [name: ContentCoding, compressor: Compressor]

const chooseCompressor = (
  offered: ReadonlyArray<ContentCoding>,
  compressors: Compressors,
): ((acceptEncoding: string | undefined) => NamedCompressor | undefined) =>
  memoizeHeader((text) => {
    const name = text === undefined ? O.none : AcceptEncoding.choose(text, offered)
    const compressor = O.isNone(name) ? undefined : compressors.get(name.value)
    return O.isNone(name) || compressor === undefined ? undefined : [name.value, compressor]
  })

const encoder = new TextEncoder()

const always = (): boolean => true

/** Returns a predicate for media types of a list. Parameters are ignored. */
const mediaTypeList = (
  types: ReadonlyArray<string>,
): ((contentType: string | undefined) => boolean) => {
  const listed = new Set(types.map((type) => type.toLowerCase()))
  return memoizeHeader((contentType = '') => {
    const [essence = ''] = contentType.split(';')
    return listed.has(Grammar.trim(essence).toLowerCase())
  })
}

/**
 * Headers of bodies that must not be changed: compressed ones, ranges, and bodies with a digest of their bytes
 * (RFC 9530, previously RFC 1864 and RFC 3230).
 */
const untransformable = [
  'content-encoding',
  'content-range',
  'content-digest',
  'repr-digest',
  'digest',
  'content-md5',
]

/** Whether `Cache-Control` contains `no-transform` (RFC 9111, 5.2.2.6). */
const hasNoTransform = memoizeHeader((cacheControl = '') =>
  Grammar.splitList(cacheControl).some((directive) => directive.toLowerCase() === 'no-transform'),
)

const isTransformable = (headers: Headers.Headers): boolean =>
  untransformable.every((name) => Headers.first(headers, name) === undefined) &&
  !hasNoTransform(Headers.combined(headers, 'cache-control'))

/** Adds `Vary: Accept-Encoding`. Uncompressed responses need it too, because caches store them (RFC 9110, 12.5.5). */
const addVary = (headers: Headers.Headers): Headers.Headers =>
  variesByEncoding(Headers.combined(headers, 'vary'))
    ? headers
    : [...headers, 'Vary', 'Accept-Encoding']

const variesByEncoding = memoizeHeader((vary = '') =>
  Grammar.splitList(vary).some((name) => name === '*' || name.toLowerCase() === 'accept-encoding'),
)

/** Adds `Content-Encoding`, removes `Accept-Ranges` and makes the `ETag` weak. */
const compressedHeaders = (headers: Headers.Headers, name: ContentCoding): Headers.Headers => {
  const ranges = Headers.first(headers, 'accept-ranges')
  const withoutRanges = ranges === undefined ? headers : Headers.without(headers, 'accept-ranges')
  return [...weakenEtag(withoutRanges), 'Content-Encoding', name]
}

const weakenEtag = (headers: Headers.Headers): Headers.Headers => {
  const etag = Headers.first(headers, 'etag')
  return etag === undefined || etag.startsWith('W/')
    ? headers
    : [...Headers.without(headers, 'etag'), 'ETag', `W/${etag}`]
}

/**
 * Returns a 304 with the headers of the corresponding 200 (RFC 9110, 15.4.5). The `ETag` becomes weak if the client sent
 * it as a weak one: the client then has the compressed body.
 */
const notModified = (
  response: EncodedResponse,
  requestHeaders: Headers.Headers,
): EncodedResponse => {
  const headers = addVary(response.headers)
  const current = Headers.first(headers, 'etag')
  const known = EntityTag.parseList(Headers.combined(requestHeaders, 'if-none-match') ?? '')
  const isWeak = known.some(
    (etag) => etag !== '*' && etag.weak && EntityTag.format({ ...etag, weak: false }) === current,
  )
  return { ...response, headers: isWeak ? weakenEtag(headers) : headers }
}
