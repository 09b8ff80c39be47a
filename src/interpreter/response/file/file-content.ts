/** Opens files for responses and reads slices of files. */
import type { OpenHandle, FileSource } from '../../../endpoint/file.ts'
import { isFilePart, isHandle, isFileSource } from '../../../endpoint/file.ts'
import type { AnyRepresentation } from '../../../endpoint/representation.ts'
import type { BodyPlan } from '../../../body/body-plan.ts'
import { bodyFormat } from '../../../body/body-formats.ts'
import type { Exchange } from '../../exchange.ts'
import { NotFound } from '../../../endpoint/http-error.ts'
import type { Slice } from '../../../http/range.ts'
import type { FileSystem, OpenFile } from '../../platform.ts'
import type { ChunkSource } from '../../chunks.ts'
import { mapOpenError } from '../../platform.ts'
import { codeOf } from '../../../http/platform-value.ts'

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
export const maxSingleRead = 64 * 1024

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

const sliceOf = (source: FileSource, size: number): Slice =>
  typeof source === 'object' && isFilePart(source)
    ? { offset: source.offset, length: source.count }
    : { offset: 0, length: size }

/** Returns the base name of a file, or `undefined` for a file that the application opened. */
export const fileNameOf = (source: unknown): string | undefined =>
  typeof source === 'string'
    ? source.replace(/^.*[/\\]/s, '')
    : typeof source === 'object' && source !== null && isFilePart(source)
      ? fileNameOf(source.file)
      : undefined

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
  { offset: sliceOffset, length }: Slice,
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
export const readSlice = async (
  { file, offset }: Pick<FileContent, 'file' | 'offset'>,
  { offset: sliceOffset, length }: Slice,
): Promise<Uint8Array> => {
  const bytes = await file.read(offset + sliceOffset, length)
  if (bytes.length === length) return bytes
  throw truncatedFile(length - bytes.length)
}

const truncatedFile = (missing: number): RangeError =>
  new RangeError(`unexpected end of file: ${missing} of the requested bytes could not be read`)
