/**
 * Sends files. Adds validators (`ETag`, `Last-Modified`) and supports preconditions and byte ranges.
 *
 * Preconditions and ranges are evaluated after the file has been opened, because they depend on its size and modification time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
import { acceptsRanges, isRead } from '../../http/method.ts'
import * as Boundary from '../../http/part-headers.ts'
import * as Headers from '../../http/headers.ts'
import type { EncodedResponse, Exchange, ChunkSource, FileSystem, OpenFile } from '../exchange.ts'
import { mapOpenError } from '../exchange.ts'
import { fileNameOf, multipartBody } from './multipart-writer.ts'
import * as O from 'fp-ts/lib/Option.js'
import { HttpError, NotFound } from '../../endpoint/http-error.ts'
import * as EntityTag from '../../http/entity-tag.ts'
import * as FileType from '../../http/file-media-type.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Preconditions from '../../http/preconditions.ts'
import * as Range from '../../http/range.ts'
import { contentTypeOf } from '../../body/charset.ts'
import type { DeferredResponse, StatusAndHeaders } from './write-body.ts'
import { prependChunk } from './stream/stream-response.ts'
import { notModified, validatorsOf } from './conditional-response.ts'
import type { OpenHandle, FileSource } from '../../endpoint/file.ts'
import { isFilePart, isHandle, isFileSource } from '../../endpoint/file.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { codeOf } from '../../http/platform-value.ts'

/**
 * Creates a 206 response with one part for each byte range. `close` is called when the response has been sent or the client
 * disconnects.
 */
const byteRanges = (
  headers: Headers.Headers,
  content: FileContent,
  slices: ReadonlyArray<Range.Slice>,
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
  status === 200 && isRead(method) && Headers.first(headers, 'content-range') === undefined

/** Evaluates the preconditions (304, 412) and then the ranges (206, 416) of a request. */
const conditionalResponse = async (
  { status, headers: ownHeaders }: StatusAndHeaders,
  exchange: Exchange,
  content: FileContent,
  close: () => void,
): Promise<EncodedResponse> => {
  const headers = addValidators(ownHeaders, content)
  const unmodified = notModified(exchange, headers, content.size, bodyHeaders)
  if (unmodified !== undefined) {
    close()
    return unmodified
  }
  const whole = { offset: 0, length: content.size }
  const selection =
    acceptsRanges(exchange.method) &&
    Headers.first(headers, 'accept-ranges') === 'bytes' &&
    Preconditions.allowsRange(exchange.headers, validatorsOf(headers))
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

/** Headers that describe the representation and are therefore not sent in a 304 response (RFC 9110, 15.4.5). */
const bodyHeaders = [
  'Content-Type',
  'Content-Encoding',
  'Content-Language',
  'Content-Disposition',
  'Accept-Ranges',
  'Last-Modified',
]

/** Whether values of a representation can contain open files. */
export const mayContainFiles = ({ format }: AnyRepresentation | BodyPlan): boolean =>
  bodyFormat(format).mayContainFiles

/** Files that are sent in a response. The code that sends a file also closes it. */
const sent = new WeakSet<OpenHandle>()

/** Marks a file as being sent, so that {@link closeUnsentFiles} does not close it. */
const markAsSent = (handle: OpenHandle): void => void sent.add(handle)

/** Closes the open files in an entity at the end of the request, except for files that are being sent. */
export const closeUnsentFiles = (entity: unknown, exchange: Pick<Exchange, 'onEnd'>): void => {
  const handles = openHandles(entity, 2)
  if (handles.length === 0) return
  exchange.onEnd(() => {
    for (const handle of handles) if (!sent.has(handle)) void closeHandle(handle)
  })
}

/**
 * Returns the open files in an entity. `depth` is the number of levels of lists and records to search. A multipart entity has at
 * most two: a record that contains lists.
 */
const openHandles = (entity: unknown, depth: number): ReadonlyArray<OpenHandle> => {
  if (typeof entity !== 'object' || entity === null) return []
  if (isHandle(entity)) return [entity]
  if (isFilePart(entity)) return openHandles(entity.file, 0)
  return depth === 0 || ArrayBuffer.isView(entity)
    ? []
    : Object.values(entity).flatMap((member) => openHandles(member, depth - 1))
}

const closeHandle = async (handle: OpenHandle): Promise<void> => {
  try {
    await handle.close()
  } catch {}
}

/** An open file, or a part of one, that is sent as a response body. */
export interface FileContent {
  /** The base name of the path, or `undefined` for a file that the application opened. */
  readonly name: string | undefined
  readonly file: OpenFile
  /** Offset of the part in the file, in bytes. */
  readonly offset: number
  /** Size of the part in bytes. */
  readonly size: number
}

/** Default maximum number of bytes per read. A chunk of this size stays in memory while a slow client is receiving it. */
const defaultReadSize = 256 * 1024

/**
 * Maximum number of bytes per read for a fast client. A client is fast if it receives a chunk in less than `fastChunkTime`
 * milliseconds.
 */
const fastReadSize = 768 * 1024
const fastChunkTime = 20

/** Maximum size, in bytes, of a body that is read completely before the head is sent, so that both are sent in one write. */
const maxSingleRead = 64 * 1024

/**
 * Opens a file returned by a handler.
 *
 * Throws a 404 error if the file is missing or not readable, and a 503 error if too many files are open. Throws a `TypeError` if
 * the value is not a file, and a `RangeError` if the requested part extends beyond the end of the file.
 */
export const openFileContent = async (source: unknown, files: FileSystem): Promise<FileContent> => {
  if (!isFileSource(source))
    throw new TypeError('invalid file response: expected a path, an open file or a part of a file')
  const path = typeof source === 'object' && isFilePart(source) ? source.file : source
  const file = await openOrAdopt(path, files)
  const { offset, length } = sliceOf(source, file.size)
  if (offset + length <= file.size) return { name: fileNameOf(path), file, offset, size: length }
  await file.close()
  throw new RangeError(
    `invalid file range: ${length} bytes at offset ${offset} extend beyond the end of the file (${file.size} bytes)`,
  )
}

const sliceOf = (source: FileSource, size: number): Range.Slice =>
  typeof source === 'object' && isFilePart(source)
    ? { offset: source.offset, length: source.count }
    : { offset: 0, length: size }

const openOrAdopt = async (source: string | OpenHandle, files: FileSystem): Promise<OpenFile> => {
  try {
    if (typeof source === 'string') return await files.open(source)
    markAsSent(source)
    return await files.adopt(source)
  } catch (error) {
    throw toHttpError(error)
  }
}

/**
 * Converts an error that occurred while a file was being opened to an `HttpError`, if possible. A missing read permission results
 * in 404, so that clients cannot detect that the file exists (RFC 9110, 15.5.4).
 */
const toHttpError = (error: unknown): unknown => {
  const code = codeOf(error)
  if (notFoundCodes.has(code))
    return new NotFound('file not found', { cause: error, expose: false })
  return mapOpenError(error)
}

const notFoundCodes = new Set<unknown>([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EACCES',
  'EPERM',
  'ELOOP',
  'ENAMETOOLONG',
  'ENXIO',
  'ERR_INVALID_ARG_VALUE',
])

/** Returns a source that reads a slice of a file in chunks. `next` rejects with a `RangeError` if the file has been truncated. */
export const fileChunks = (
  { file, offset }: Pick<FileContent, 'file' | 'offset'>,
  { offset: sliceOffset, length }: Range.Slice,
  close: () => void,
): ChunkSource => {
  const end = offset + sliceOffset + length
  let position = offset + sliceOffset
  let lastRead = -Infinity
  return {
    length,
    isFile: true,
    next: async () => {
      if (position >= end) return { done: true, value: undefined }
      const isFastClient = performance.now() - lastRead < fastChunkTime
      const readSize = isFastClient ? fastReadSize : defaultReadSize
      const bytes = await file.read(position, Math.min(readSize, end - position))
      if (bytes.length === 0) throw truncatedFile(end - position)
      position += bytes.length
      lastRead = performance.now()
      return { done: false, value: bytes }
    },
    close,
    free: (chunk) => file.free?.(chunk),
  }
}

/**
 * Reads a slice of at most {@link maxSingleRead} bytes in a single call. Rejects with a `RangeError` if the file has become
 * shorter.
 */
const readSlice = async (
  { file, offset }: Pick<FileContent, 'file' | 'offset'>,
  { offset: sliceOffset, length }: Range.Slice,
): Promise<Uint8Array> => {
  const bytes = await file.read(offset + sliceOffset, length)
  if (bytes.length === length) return bytes
  throw truncatedFile(length - bytes.length)
}

const truncatedFile = (missing: number): RangeError =>
  new RangeError(`unexpected end of file: ${missing} of the requested bytes could not be read`)
