/**
 * Sends files: what a client asks for of them, by conditions and ranges, is decided when they are open, because only then
 * their state is known.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
import * as O from 'fp-ts/lib/Option.js'
import { HttpError } from '../../../endpoint/http-error.ts'
import * as ContentRange from '../../../http/content-range.ts'
import * as EntityTag from '../../../http/entity-tag.ts'
import * as FileType from '../../../http/file-media-type.ts'
import * as Headers from '../../../http/headers.ts'
import * as HttpDate from '../../../http/http-date.ts'
import * as MediaType from '../../../http/media-type.ts'
import * as Preconditions from '../../../http/preconditions.ts'
import * as Range from '../../../http/range.ts'
import { contentTypeOf } from '../../../body/declared-type.ts'
import type { EncodedResponse, Exchange } from '../../exchange.ts'
import type { DeferredResponse } from '../deferred-response.ts'
import { prependChunk } from '../stream/first-chunk.ts'
import { byteRanges } from './byte-ranges.ts'
import type { FileContent } from './file-content.ts'
import { openFileContent, readSlice, fileChunks, small } from './file-content.ts'

type Head = Pick<EncodedResponse, 'status' | 'headers'>

/** The content of a response, from the file that a handler returned. */
export const sendFile =
  (source: unknown): DeferredResponse =>
  async (head, exchange) => {
    const content = await openFileContent(source, exchange.platform.files)
    const close = (): void => void content.file.close().catch(() => undefined)
    exchange.onEnd(close)
    try {
      const typed = { ...head, headers: await withType(head.headers, content) }
      return isSelected(typed, exchange)
        ? await selected(typed, exchange, content, close)
        : await part(typed, exchange, content, { offset: 0, length: content.size }, close)
    } catch (error) {
      close()
      throw error
    }
  }

/** Whether the response is the representation of its URI as it is now, so that conditions and ranges mean something. */
const isSelected = ({ status, headers }: Head, { method }: Exchange): boolean =>
  status === 200 &&
  (method === 'GET' || method === 'HEAD') &&
  Headers.first(headers, 'content-range') === undefined

const selected = async (
  { status, headers: said }: Head,
  exchange: Exchange,
  content: FileContent,
  close: () => void,
): Promise<EncodedResponse> => {
  const headers = withValidators(said, content)
  const validators = validatorsOf(headers)
  const condition = Preconditions.evaluate(exchange.method, exchange.headers, validators)
  if (condition === 304) {
    close()
    return { status: 304, headers: headersOf304(headers), body: undefined }
  }
  if (condition === 412)
    throw new HttpError(412, 'a precondition does not hold', {
      headers: { ETag: Headers.first(headers, 'etag') ?? '' },
    })
  const whole = { offset: 0, length: content.size }
  const selection =
    exchange.method === 'GET' &&
    Headers.first(headers, 'accept-ranges') === 'bytes' &&
    Preconditions.allowsRange(exchange.headers, validators)
      ? selectionOf(exchange.headers, content.size)
      : undefined
  if (selection === undefined || selection._tag === 'Whole')
    return part({ status, headers }, exchange, content, whole, close)
  if (selection._tag === 'Unsatisfiable')
    throw new HttpError(416, 'none of the octets exists that were asked for', {
      headers: { 'Content-Range': ContentRange.formatUnsatisfied(content.size) },
    })
  const [first, ...others] = selection.slices
  if (others.length > 0) return byteRanges(headers, content, selection.slices, close)
  const range = ContentRange.format(first, content.size)
  const partial = { status: 206, headers: [...headers, 'Content-Range', range] }
  return part(partial, exchange, content, first, close)
}

/** One slice. What is read first leaves with the head; of a small slice that is all, and the file is closed by then. */
const part = async (
  head: Head,
  { method }: Exchange,
  content: FileContent,
  slice: Range.Slice,
  close: () => void,
): Promise<EncodedResponse> => {
  if (method === 'HEAD' || slice.length > small) {
    const pieces = fileChunks(content, slice, close)
    if (method === 'HEAD') return { ...head, body: pieces }
    const first = pieces.next()
    await first
    return { ...head, body: prependChunk(first, pieces) }
  }
  const octets = slice.length === 0 ? nothing : await readSlice(content, slice)
  close()
  return { ...head, body: octets }
}

const nothing = new Uint8Array(0)

const selectionOf = (headers: Headers.Headers, size: number): Range.RangeSelection | undefined => {
  const text = Headers.combined(headers, 'range')
  const ranges = text === undefined ? O.none : Range.parse(text)
  return O.isNone(ranges) ? undefined : Range.select(ranges.value, size)
}

/** Puts the type of the extension in the place of a range. */
const withType = async (
  headers: Headers.Headers,
  { name = '' }: FileContent,
): Promise<Headers.Headers> => {
  const said = O.toUndefined(MediaType.parse(Headers.first(headers, 'content-type') ?? ''))
  if (said === undefined || !MediaType.isRange(said)) return headers
  const type = await FileType.ofFileName(name)
  const parsed = MediaType.parse(type)
  const written = O.isNone(parsed) ? type : contentTypeOf(type, parsed.value)
  return ['Content-Type', written, ...Headers.without(headers, 'content-type')]
}

/** The same fields, and those that the handler has not said itself. */
const withValidators = (headers: Headers.Headers, content: FileContent): Headers.Headers => {
  const now = Date.now()
  const more = (name: string, lower: string, value: () => string): Headers.Headers =>
    Headers.first(headers, lower) === undefined ? [name, value()] : []
  return [
    ...headers,
    ...more('Accept-Ranges', 'accept-ranges', () => 'bytes'),
    // a date in the future says nothing (RFC 9110, 8.8.2.1)
    ...more('Last-Modified', 'last-modified', () =>
      HttpDate.format(new Date(Math.min(content.file.modified, now))),
    ),
    ...more('ETag', 'etag', () => EntityTag.format(tagOf(content, now))),
  ]
}

/** Milliseconds in which a file may be changed twice and still have the same time, by the systems that keep it least exactly. */
const exactness = 2000

/** Two states with one size differ in their time, unless they follow each other too closely (RFC 9110, 8.8.1). */
const tagOf = ({ file, offset, size }: FileContent, now: number): EntityTag.EntityTag => ({
  weak: now - file.modified < exactness,
  opaque: [Math.round(file.modified * 1000), file.size, ...(size < file.size ? [offset, size] : [])]
    .map((number) => number.toString(36))
    .join('-'),
})

const validatorsOf = (headers: Headers.Headers): Preconditions.Validators => ({
  etag: O.toUndefined(EntityTag.parse(Headers.first(headers, 'etag') ?? '')),
  lastModified: O.toUndefined(HttpDate.parse(Headers.first(headers, 'last-modified') ?? '')),
})

/** Not sent with 304: they would tell of a content that is not there (RFC 9110, 15.4.5). */
const withContent = [
  'Content-Type',
  'Content-Encoding',
  'Content-Language',
  'Content-Disposition',
  'Accept-Ranges',
  'Last-Modified',
]

const headersOf304 = (headers: Headers.Headers): Headers.Headers =>
  withContent.reduce((left, name) => Headers.without(left, name), headers)
