/**
 * Sends files. Adds validators (`ETag`, `Last-Modified`) and supports preconditions and byte ranges.
 *
 * Preconditions and ranges are evaluated after the file has been opened, because they depend on its size and modification time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
import * as Boundary from '../../../http/part-headers.ts'
import * as Headers from '../../../http/headers.ts'
import type { Slice } from '../../../http/range.ts'
import type { EncodedResponse, Exchange } from '../../exchange.ts'
import { multipartBody } from '../multipart-writer.ts'
import type { FileContent } from './file-content.ts'
import { fileChunks, openFileContent, readSlice, maxSingleRead } from './file-content.ts'
import * as O from 'fp-ts/lib/Option.js'
import { HttpError } from '../../../endpoint/http-error.ts'
import * as EntityTag from '../../../http/entity-tag.ts'
import * as FileType from '../../../http/file-media-type.ts'
import * as HttpDate from '../../../http/http-date.ts'
import * as MediaType from '../../../http/media-type.ts'
import * as Preconditions from '../../../http/preconditions.ts'
import * as Range from '../../../http/range.ts'
import { contentTypeOf } from '../../../body/charset.ts'
import type { DeferredResponse, StatusAndHeaders } from '../write-body.ts'
import { prependChunk } from '../stream/stream-response.ts'
import { preconditionFailed } from '../response-headers.ts'

/**
 * Creates a 206 response with one part for each byte range. `close` is called when the response has been sent or the client
 * disconnects.
 */
const byteRanges = (
  headers: Headers.Headers,
  content: FileContent,
  slices: ReadonlyArray<Slice>,
  close: () => void,
): EncodedResponse => {
  const boundary = Boundary.generateBoundary()
  const type = Headers.first(headers, 'content-type')
  const parts = slices.map((slice) => ({
    headers: [
      ...(type === undefined ? [] : ['Content-Type', type]),
      'Content-Range',
      Range.format(slice, content.size),
    ],
    body: fileChunks(content, slice, () => undefined),
  }))
  return {
    status: 206,
    headers: [
      'Content-Type',
      `multipart/byteranges; boundary=${boundary}`,
      ...Headers.without(headers, 'content-type'),
    ],
    body: multipartBody(parts, boundary, close),
  }
}

/** Responds with a file returned by a handler. */
export const sendFile =
  (source: unknown): DeferredResponse =>
  async (head, exchange) => {
    const content = await openFileContent(source, exchange.platform.files)
    const close = (): void => void content.file.close().catch(() => undefined)
    exchange.onEnd(close)
    try {
      const typed = { ...head, headers: await resolveMediaType(head.headers, content) }
      return isConditional(typed, exchange)
        ? await conditionalResponse(typed, exchange, content, close)
        : await sliceResponse(typed, exchange, content, { offset: 0, length: content.size }, close)
    } catch (error) {
      close()
      throw error
    }
  }

/**
 * Whether preconditions and ranges apply to a response. They apply only if the response contains the current representation of
 * the target resource.
 */
const isConditional = ({ status, headers }: StatusAndHeaders, { method }: Exchange): boolean =>
  status === 200 &&
  (method === 'GET' || method === 'HEAD') &&
  Headers.first(headers, 'content-range') === undefined

/** Evaluates the preconditions (304, 412) and then the ranges (206, 416) of a request. */
const conditionalResponse = async (
  { status, headers: ownHeaders }: StatusAndHeaders,
  exchange: Exchange,
  content: FileContent,
  close: () => void,
): Promise<EncodedResponse> => {
  const headers = addValidators(ownHeaders, content)
  const validators = validatorsOf(headers)
  const decision = Preconditions.evaluate(exchange.method, exchange.headers, validators)
  if (decision === 304) {
    close()
    const replaced = { headers, size: content.size }
    return { status: 304, headers: headersOf304(headers), body: undefined, replaced }
  }
  if (decision === 412) throw preconditionFailed(headers)
  const whole = { offset: 0, length: content.size }
  const selection =
    exchange.method === 'GET' &&
    Headers.first(headers, 'accept-ranges') === 'bytes' &&
    Preconditions.allowsRange(exchange.headers, validators)
      ? selectRanges(exchange.headers, content.size)
      : undefined
  if (selection === undefined || selection._tag === 'Whole')
    return sliceResponse({ status, headers }, exchange, content, whole, close)
  if (selection._tag === 'Unsatisfiable')
    throw new HttpError(416, 'range not satisfiable', {
      expose: false,
      headers: { 'Content-Range': Range.formatUnsatisfied(content.size) },
    })
  const [first, ...others] = selection.slices
  if (others.length > 0) return byteRanges(headers, content, selection.slices, close)
  const range = Range.format(first, content.size)
  const partial = { status: 206, headers: [...headers, 'Content-Range', range] }
  return sliceResponse(partial, exchange, content, first, close)
}

/**
 * Responds with one slice of a file.
 *
 * The first chunk is read before the head is sent, so that both are sent in one write. If the slice is small, the whole slice is
 * read and the file is closed before the response is sent.
 */
const sliceResponse = async (
  head: StatusAndHeaders,
  { method }: Exchange,
  content: FileContent,
  slice: Range.Slice,
  close: () => void,
): Promise<EncodedResponse> => {
  if (method === 'HEAD' || slice.length > maxSingleRead) {
    const chunks = fileChunks(content, slice, close)
    if (method === 'HEAD') return { ...head, body: chunks }
    const first = chunks.next()
    await first
    return { ...head, body: prependChunk(first, chunks) }
  }
  const bytes = slice.length === 0 ? empty : await readSlice(content, slice)
  close()
  return { ...head, body: bytes }
}

const empty = new Uint8Array(0)

const selectRanges = (
  headers: Headers.RequestHeaders,
  size: number,
): Range.RangeSelection | undefined => {
  const text = Headers.combined(headers, 'range')
  const ranges = text === undefined ? O.none : Range.parse(text)
  return O.isNone(ranges) ? undefined : Range.select(ranges.value, size)
}

/** If `Content-Type` is a media range, replaces it with the media type for the file name extension. */
const resolveMediaType = async (
  headers: Headers.Headers,
  { name = '' }: FileContent,
): Promise<Headers.Headers> => {
  const ownType = O.toUndefined(MediaType.parse(Headers.first(headers, 'content-type') ?? ''))
  if (ownType === undefined || !MediaType.isRange(ownType)) return headers
  const type = await FileType.ofFileName(name)
  const parsed = MediaType.parse(type)
  const contentType = O.isNone(parsed) ? type : contentTypeOf(type, parsed.value)
  return ['Content-Type', contentType, ...Headers.without(headers, 'content-type')]
}

/** Adds the `Accept-Ranges`, `Last-Modified` and `ETag` headers that the handler has not set. */
const addValidators = (headers: Headers.Headers, content: FileContent): Headers.Headers => {
  const now = Date.now()
  const unlessSet = (name: string, lowerCaseName: string, value: () => string): Headers.Headers =>
    Headers.first(headers, lowerCaseName) === undefined ? [name, value()] : []
  return [
    ...headers,
    ...unlessSet('Accept-Ranges', 'accept-ranges', () => 'bytes'),
    // a date in the future is not allowed (RFC 9110, 8.8.2.1)
    ...unlessSet('Last-Modified', 'last-modified', () =>
      HttpDate.format(new Date(Math.min(content.file.modified, now))),
    ),
    ...unlessSet('ETag', 'etag', () => EntityTag.format(etagOf(content, now))),
  ]
}

/**
 * Coarsest resolution of file timestamps, in milliseconds. Two changes within such an interval can result in the same
 * modification time.
 */
const timestampResolution = 2000

/**
 * Creates an `ETag` from the modification time and the size. The `ETag` is weak if the file was modified recently, because
 * another change could result in the same modification time (RFC 9110, 8.8.1).
 */
const etagOf = ({ file, offset, size }: FileContent, now: number): EntityTag.EntityTag => ({
  weak: now - file.modified < timestampResolution,
  opaque: [Math.round(file.modified * 1000), file.size, ...(size < file.size ? [offset, size] : [])]
    .map((number) => number.toString(36))
    .join('-'),
})

const validatorsOf = (headers: Headers.Headers): Preconditions.Validators => ({
  etag: O.toUndefined(EntityTag.parse(Headers.first(headers, 'etag') ?? '')),
  lastModified: O.toUndefined(HttpDate.parse(Headers.first(headers, 'last-modified') ?? '')),
})

/** Headers that describe the representation and are therefore not sent in a 304 response (RFC 9110, 15.4.5). */
const bodyHeaders = [
  'Content-Type',
  'Content-Encoding',
  'Content-Language',
  'Content-Disposition',
  'Accept-Ranges',
  'Last-Modified',
]

const headersOf304 = (headers: Headers.Headers): Headers.Headers =>
  bodyHeaders.reduce((remaining, name) => Headers.without(remaining, name), headers)
