/**
 * Compresses answers, between their encoding and their way to the client. What can be decided of an operation beforehand is
 * decided when it is prepared; where nothing is ever compressed, nothing is done for an answer.
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

/** Compresses an answer if it should be: now, or later when it is large. */
export type CompressResponse = (
  answer: EncodedResponse,
  exchange: Pick<Exchange, 'headers'>,
) => EncodedResponse | Promise<EncodedResponse>

/** Prepares the compression of an operation with these marks and contents; `undefined` where nothing is ever compressed. */
export type CompressionRules = (
  compression: Attributes['compression'],
  contents: ReadonlyArray<BodyPlan>,
) => CompressResponse | undefined

export const compressionRules = (
  settings: Settings,
  compressors: Compressors,
): CompressionRules => {
  const offered = settings['fw.http.compressors'].filter((name) => compressors.has(name))
  if (!settings['fw.http.enable-compression'] || offered.length === 0) return () => undefined
  const choose = chooseCompressor(offered, compressors)
  const listed = isListed(settings['fw.http.compress-media-types'])
  const threshold = settings['fw.http.compression-threshold']
  return (compression, contents) => {
    if (compression === 'uncompressed') return undefined
    const isChosen = compression === 'compressed' ? always : listed
    const mayCode = contents.some(
      ({ contentType, mediaType }) => MediaType.isRange(mediaType) || isChosen(contentType),
    )
    return (answer, { headers: request }) => {
      const { status, headers, body: content } = answer
      if (status === 304 && mayCode) return revalidated(answer, request)
      const type = Headers.first(headers, 'content-type')
      if (content === undefined || type === undefined || !isChosen(type)) return answer
      if (!Status.allowsBody(status) || status === 206 || !isPlain(headers)) return answer
      const varied = { status, headers: varying(headers), body: content }
      const chosen = choose(Headers.combined(request, 'accept-encoding'))
      if (chosen === undefined) return varied
      const [name, compressor] = chosen
      if (isChunkSource(content))
        return content.length === 0 || (content.length ?? Infinity) < threshold
          ? varied
          : {
              status,
              headers: codedHeaders(varied.headers, name),
              body: compressChunks(content, compressor.begin),
            }
      const octets = typeof content === 'string' ? encoder.encode(content) : content
      if (octets.length === 0 || octets.length < threshold) return varied
      const coded = (compressed: Uint8Array): EncodedResponse => ({
        status,
        headers: codedHeaders(varied.headers, name),
        body: compressed,
      })
      const whole = compressor.whole(octets)
      return whole instanceof Promise ? whole.then(coded) : coded(whole)
    }
  }
}

type Chosen = readonly [name: ContentCoding, compressor: Compressor]

const chooseCompressor = (
  offered: ReadonlyArray<ContentCoding>,
  compressors: Compressors,
): ((acceptEncoding: string | undefined) => Chosen | undefined) =>
  memoizeHeader((text) => {
    const name = text === undefined ? O.none : AcceptEncoding.choose(text, offered)
    const compressor = O.isNone(name) ? undefined : compressors.get(name.value)
    return O.isNone(name) || compressor === undefined ? undefined : [name.value, compressor]
  })

const encoder = new TextEncoder()

const always = (): boolean => true

/** Media types are compared without their parameters. */
const isListed = (types: ReadonlyArray<string>): ((contentType: string | undefined) => boolean) => {
  const listed = new Set(types.map((type) => type.toLowerCase()))
  return memoizeHeader((contentType = '') => {
    const [essence = ''] = contentType.split(';')
    return listed.has(Grammar.trim(essence).toLowerCase())
  })
}

/**
 * Fields of contents that are sent as they are: coded already, a part of something, or with a digest of their octets
 * (RFC 9530; RFC 1864 and 3230 before).
 */
const asItIs = [
  'content-encoding',
  'content-range',
  'content-digest',
  'repr-digest',
  'digest',
  'content-md5',
]

/** RFC 9111, 5.2.2.6: nobody may transform it. */
const forbids = memoizeHeader((cacheControl = '') =>
  Grammar.splitList(cacheControl).some((directive) => directive.toLowerCase() === 'no-transform'),
)

const isPlain = (headers: Headers.Headers): boolean =>
  asItIs.every((name) => Headers.first(headers, name) === undefined) &&
  !forbids(Headers.combined(headers, 'cache-control'))

/** RFC 9110, 12.5.5: a cache has to know what the answer depends on, also when it was not compressed. */
const varying = (headers: Headers.Headers): Headers.Headers =>
  names(Headers.combined(headers, 'vary')) ? headers : [...headers, 'Vary', 'Accept-Encoding']

const names = memoizeHeader((vary = '') =>
  Grammar.splitList(vary).some((name) => name === '*' || name.toLowerCase() === 'accept-encoding'),
)

/** Equal meaning is all that a tag can promise now, and no range can be asked for. */
const codedHeaders = (headers: Headers.Headers, name: ContentCoding): Headers.Headers => {
  const ranges = Headers.first(headers, 'accept-ranges')
  const kept = ranges === undefined ? headers : Headers.without(headers, 'accept-ranges')
  return [...weakened(kept), 'Content-Encoding', name]
}

const weakened = (headers: Headers.Headers): Headers.Headers => {
  const tag = Headers.first(headers, 'etag')
  return tag === undefined || tag.startsWith('W/')
    ? headers
    : [...Headers.without(headers, 'etag'), 'ETag', `W/${tag}`]
}

/** What the 200 would say (RFC 9110, 15.4.5): the client that names the weak tag has the compressed content. */
const revalidated = (answer: EncodedResponse, request: Headers.Headers): EncodedResponse => {
  const headers = varying(answer.headers)
  const tag = Headers.first(headers, 'etag')
  const known = EntityTag.parseList(Headers.combined(request, 'if-none-match') ?? '')
  const isWeak = known.some(
    (one) => one !== '*' && one.weak && EntityTag.format({ ...one, weak: false }) === tag,
  )
  return { ...answer, headers: isWeak ? weakened(headers) : headers }
}
