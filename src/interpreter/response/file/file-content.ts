/** Files as they are sent: opened, and read in slices. */
import type { FileSource, OpenHandle } from '../../../endpoint/file.ts'
import { isFilePart, isFileSource } from '../../../endpoint/file.ts'
import { NotFound } from '../../../endpoint/http-error.ts'
import type { Slice } from '../../../http/range.ts'
import type { FileSystem, OpenFile } from '../../file-system.ts'
import type { ChunkSource } from '../../chunks.ts'
import { mapOpenError } from '../../file-system.ts'
import { markAsSent } from './close-unsent.ts'

/** Octets of an open file that are a content of their own. */
export interface FileContent {
  /** The last part of the path; `undefined` for a file that was open already. */
  readonly name: string | undefined
  readonly file: OpenFile
  readonly offset: number
  readonly size: number
}

/** Octets that are read at a time, which is what waits for a client that is slow. */
const usual = 256 * 1024

/** Octets that are read at a time for a client that keeps up, one that takes what is usual within some milliseconds. */
const most = 768 * 1024
const within = 20

/** Octets of a content that is read before its head is sent, so that both leave in one write. */
export const small = 64 * 1024

/** Opens what a handler returned, and says in HTTP why that cannot be. */
export const openFileContent = async (source: unknown, files: FileSystem): Promise<FileContent> => {
  if (!isFileSource(source))
    throw new TypeError('the handler returned neither a path nor a file where a file is produced')
  const from = typeof source === 'object' && isFilePart(source) ? source.file : source
  const file = await opened(from, files)
  const { offset, length } = sliceOf(source, file.size)
  if (offset + length <= file.size) return { name: nameOf(from), file, offset, size: length }
  await file.close()
  throw new RangeError(
    `a part of a file has ${length} octets from ${offset} on, and the file has ${file.size}`,
  )
}

const sliceOf = (source: FileSource, size: number): Slice =>
  typeof source === 'object' && isFilePart(source)
    ? { offset: source.offset, length: source.count }
    : { offset: 0, length: size }

/** The last part of the path of a file. */
export const nameOf = (source: unknown): string | undefined =>
  typeof source === 'string'
    ? source.replace(/^.*[/\\]/s, '')
    : typeof source === 'object' && source !== null && isFilePart(source)
      ? nameOf(source.file)
      : undefined

const opened = async (source: string | OpenHandle, files: FileSystem): Promise<OpenFile> => {
  try {
    if (typeof source === 'string') return await files.open(source)
    markAsSent(source)
    return await files.adopt(source)
  } catch (error) {
    throw refusalOf(error)
  }
}

/** A file that may not be read is none: nobody is told that it is there (RFC 9110, 15.5.4). */
const refusalOf = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (missing.has(code)) return new NotFound('there is no such file', { cause: error })
  return mapOpenError(error)
}

const missing = new Set<unknown>([
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

/** The octets of a slice, a whole number of reads. Fewer than there should be are an error: the file has shrunk. */
export const fileChunks = (
  { file, offset }: Pick<FileContent, 'file' | 'offset'>,
  { offset: begin, length }: Slice,
  close: () => void,
): ChunkSource => {
  const end = offset + begin + length
  let at = offset + begin
  let handedOver = -Infinity
  return {
    length,
    isFile: true,
    next: async () => {
      if (at >= end) return { done: true, value: undefined }
      const keepsUp = performance.now() - handedOver < within
      const octets = await file.read(at, Math.min(keepsUp ? most : usual, end - at))
      if (octets.length === 0) throw new RangeError(`a file ends ${end - at} octets too early`)
      at += octets.length
      handedOver = performance.now()
      return { done: false, value: octets }
    },
    close,
    free: (piece) => file.free?.(piece),
  }
}

/** The octets of a slice that one read is enough for. */
export const readSlice = async (
  { file, offset }: Pick<FileContent, 'file' | 'offset'>,
  { offset: begin, length }: Slice,
): Promise<Uint8Array> => {
  const octets = await file.read(offset + begin, length)
  if (octets.length === length) return octets
  throw new RangeError(`a file ends ${length - octets.length} octets too early`)
}
