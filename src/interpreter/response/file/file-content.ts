/** Opens files and reads slices of them for responses. */
import type { FileSource, OpenHandle } from '../../../endpoint/file.ts'
import { isFilePart, isFileSource } from '../../../endpoint/file.ts'
import { NotFound } from '../../../endpoint/http-error.ts'
import type { Slice } from '../../../http/range.ts'
import type { FileSystem, OpenFile } from '../../file-system.ts'
import type { ChunkSource } from '../../chunks.ts'
import { mapOpenError } from '../../file-system.ts'
import { markAsSent } from './close-unsent.ts'

/** An open file, or a part of one, that is the body of a response. */
export interface FileContent {
  /** The base name of the path; `undefined` for a file that the application opened. */
  readonly name: string | undefined
  readonly file: OpenFile
  /** Bytes before the part. */
  readonly offset: number
  /** Bytes of the part. */
  readonly size: number
}

/** Bytes per read. A slow client keeps one such chunk in memory. */
const defaultReadSize = 256 * 1024

/** Bytes per read for a fast client, one that takes a chunk in less than `fastChunkTime` milliseconds. */
const fastReadSize = 768 * 1024
const fastChunkTime = 20

/** Maximum size in bytes of a body that is read before the head is sent, so that both leave in one write. */
export const maxSingleRead = 64 * 1024

/**
 * Opens the file that a handler returned.
 *
 * Throws `NotFound` for a file that is missing or not readable, a 503 if too many files are open, a `TypeError` for a value that
 * is not a file, and a `RangeError` for a part that ends after the file.
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
    `invalid part of a file: ${length} bytes at offset ${offset} exceed the file size of ${file.size} bytes`,
  )
}

const sliceOf = (source: FileSource, size: number): Slice =>
  typeof source === 'object' && isFilePart(source)
    ? { offset: source.offset, length: source.count }
    : { offset: 0, length: size }

/** Returns the base name of a file; `undefined` for a file that the application opened. */
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

/** Returns a 404 also for files without read permission, so that clients cannot detect them (RFC 9110, 15.5.4). */
const toHttpError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (notFoundCodes.has(code)) return new NotFound('file not found', { cause: error })
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

/** Reads a slice in chunks. `next` rejects with a `RangeError` if the file has become shorter. */
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

/** Reads a slice of at most {@link maxSingleRead} bytes with one call. */
export const readSlice = async (
  { file, offset }: Pick<FileContent, 'file' | 'offset'>,
  { offset: sliceOffset, length }: Slice,
): Promise<Uint8Array> => {
  const bytes = await file.read(offset + sliceOffset, length)
  if (bytes.length === length) return bytes
  throw truncatedFile(length - bytes.length)
}

const truncatedFile = (missing: number): RangeError =>
  new RangeError(`unexpected end of a file: ${missing} bytes are missing`)
