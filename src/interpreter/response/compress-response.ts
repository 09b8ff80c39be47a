/**
 * Compresses encoded responses.
 *
 * Operations whose responses can never be compressed are identified at compile time. No compression code runs for requests to
 * these operations.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
import { isRead } from '../../http/method.ts'
import type {
  Compression,
  Compressor,
  Compressors,
  ChunkSource,
  EncodedResponse,
  Exchange,
} from '../exchange.ts'
import { isChunkSource } from '../exchange.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { Attributes } from '../../endpoint/definition/attributes.ts'
import * as AcceptEncoding from '../../http/quality.ts'
import type { ContentCoding } from '../../http/quality.ts'
import * as EntityTag from '../../http/entity-tag.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { describeSelected } from '../routing/select-representation.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { isPromise } from '../../http/platform-value.ts'

/**
 * Compresses a body that is sent in chunks. `start` is called when the first chunk arrives. A response to HEAD sends no chunks
 * and therefore needs no compressor.
 */
export const compressChunks = (chunks: ChunkSource, start: () => Compression): ChunkSource => {
  let compression: Compression | undefined
  let isOver = false
  return {
    length: undefined,
    isFile: chunks.isFile,
    next: async () => {
      while (!isOver) {
        const { done, value } = await chunks.next()
        // the client may have disconnected in the meantime
        if (isOver) break
        compression ??= start()
        isOver = done === true
        const bytes = await (done === true ? compression.end() : compression.write(value))
        if (bytes.length > 0) return { done: false, value: bytes }
      }
      return { done: true, value: undefined }
    },
    close: () => {
      isOver = true
      chunks.close()
      compression?.close()
    },
  }
}

/** Compresses a response if both the request and the response allow it. Returns a promise if the body is large. */
export type CompressResponse = (
  response: EncodedResponse,
  exchange: Pick<Exchange, 'headers' | 'method'>,
) => EncodedResponse | Promise<EncodedResponse>

/** Returns the function that compresses the responses of an operation, or `undefined` if they are never compressed. */
export type CompressionRules = (
  compression: Attributes['compression'],
  bodies: ReadonlyArray<BodyPlan>,
) => CompressResponse | undefined

/** Creates the compression rules from settings such as `fw.http.enable-compression` and `fw.http.compressors`. */
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
    const typeFor = describeSelected(bodies)
    const isReplacedCompressible = (
      { headers, replaced }: EncodedResponse,
      requestHeaders: Headers.RequestHeaders,
    ): boolean =>
      isTransformable(replaced?.headers ?? headers) &&
      isCompressible(
        replaced === undefined
          ? typeFor(requestHeaders)?.contentType
          : Headers.first(replaced.headers, 'content-type'),
      )
    return (response, { method, headers: requestHeaders }) => {
      const { status, headers, body } = response
      if (mayCompress && isConditional(status, method)) {
        if (!isReplacedCompressible(response, requestHeaders)) return response
        const varying = status === 304 ? addVary(headers) : headers
        const isCoded =
          choose(Headers.combined(requestHeaders, 'accept-encoding')) !== undefined &&
          isReplacedLarge(response, requestHeaders, threshold)
        return { status, headers: isCoded ? weakenEtag(varying) : varying, body }
      }
      const type = Headers.first(headers, 'content-type')
      if (body === undefined || type === undefined || !isCompressible(type)) return response
      if (!Status.allowsBody(status) || status === 206 || !isTransformable(headers)) return response
      const uncompressed = { status, headers: addVary(headers), body }
      const chosen = choose(Headers.combined(requestHeaders, 'accept-encoding'))
      if (chosen === undefined) return uncompressed
      const [name, compressor] = chosen
      if (isChunkSource(body)) {
        const { start } = compressor
        return start === undefined || body.length === 0 || (body.length ?? Infinity) < threshold
          ? uncompressed
          : {
              status,
              headers: compressedHeaders(uncompressed.headers, name),
              body: compressChunks(body, start),
            }
      }
      const bytes = typeof body === 'string' ? encoder.encode(body) : body
      if (bytes.length === 0 || bytes.length < threshold) return uncompressed
      const withBody = (compressed: Uint8Array): EncodedResponse => ({
        status,
        headers: compressedHeaders(uncompressed.headers, name),
        body: compressed,
      })
      const compressed = compressor.compress(bytes)
      return isPromise(compressed) ? compressed.then(withBody) : withBody(compressed)
    }
  }
}

type NamedCompressor = readonly [name: ContentCoding, compressor: Compressor]

const chooseCompressor = (
  offered: ReadonlyArray<ContentCoding>,
  compressors: Compressors,
): ((acceptEncoding: string | undefined) => NamedCompressor | undefined) =>
  Headers.memoizeHeader((text) => {
    const name = text === undefined ? O.none : AcceptEncoding.chooseCoding(text, offered)
    const compressor = O.isNone(name) ? undefined : compressors.get(name.value)
    return O.isNone(name) || compressor === undefined ? undefined : [name.value, compressor]
  })

const encoder = new TextEncoder()

const always = (): boolean => true

/** Returns a predicate that checks whether a media type is in a list. Media type parameters are ignored. */
const mediaTypeList = (
  types: ReadonlyArray<string>,
): ((contentType: string | undefined) => boolean) => {
  const listed = new Set(types.map((type) => type.toLowerCase()))
  return Headers.memoizeHeader((contentType = '') => {
    const [essence = ''] = contentType.split(';')
    return listed.has(Grammar.trim(essence).toLowerCase())
  })
}

/**
 * Headers that prevent compression. They indicate that the body is already compressed, is a range, or has a digest (RFC 9530,
 * formerly RFC 1864 and RFC 3230).
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
const hasNoTransform = Headers.memoizeHeader((cacheControl = '') =>
  Grammar.splitList(cacheControl).some((directive) => directive.toLowerCase() === 'no-transform'),
)

const isTransformable = (headers: Headers.Headers): boolean =>
  untransformable.every((name) => Headers.first(headers, name) === undefined) &&
  !hasNoTransform(Headers.combined(headers, 'cache-control'))

/**
 * Adds `Vary: Accept-Encoding`. Uncompressed responses also need this header. Without it, caches could send an uncompressed
 * response to clients that accept compressed responses (RFC 9110, 12.5.5).
 */
const addVary = (headers: Headers.Headers): Headers.Headers =>
  variesByEncoding(Headers.combined(headers, 'vary'))
    ? headers
    : [...headers, 'Vary', 'Accept-Encoding']

const variesByEncoding = Headers.memoizeHeader((vary = '') =>
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

/** Whether a response carries the `ETag` of the 200 response that it replaces (RFC 9110, 15.4.5). */
const isConditional = (status: number, method: string): boolean =>
  status === 304 || (status === 412 && isRead(method))

/** Whether the replaced body is large enough to be compressed. */
const isReplacedLarge = (
  { headers, replaced }: EncodedResponse,
  requestHeaders: Headers.RequestHeaders,
  threshold: number,
): boolean =>
  replaced === undefined
    ? threshold <= 1 || !listsOnlyStrong(headers, requestHeaders)
    : replaced.size > 0 && replaced.size >= threshold

/**
 * Whether `If-None-Match` lists the strong form of the `ETag` only. If the size of the body is unknown and small bodies are not
 * compressed, the client has received an uncompressed body.
 */
const listsOnlyStrong = (
  headers: Headers.Headers,
  requestHeaders: Headers.RequestHeaders,
): boolean => {
  const current = Headers.first(headers, 'etag')
  const listed = EntityTag.parseList(Headers.combined(requestHeaders, 'if-none-match') ?? '')
  const matching = listed.filter(
    (etag) => etag !== '*' && EntityTag.format({ ...etag, weak: false }) === current,
  )
  return matching.length > 0 && matching.every((etag) => etag !== '*' && !etag.weak)
}
