/**
 * Reads all parts of a multipart form into a map, or yields them as they arrive. A map holds text in memory, and files in memory
 * or on disk.
 */
import type { StreamedPart, FileItem, FormValue } from '../../../endpoint/multipart.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { ReadStream } from '../buffered-body.ts'
import {
  attributeByteLimit,
  fileByteLimit,
  tooManyFilesError,
  filePartCheck,
  partsOf,
  readAttribute,
  attributeText,
  multipartLimits,
  ReceivedFiles,
  readFile,
} from './parts.ts'
import type { MultipartLimits, ReceivedPart, ReceivedBody } from './parts.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { Exchange, FileSystem } from '../../exchange.ts'
import { chunkReleaser } from '../../exchange.ts'
import type * as MediaType from '../../../http/media-type.ts'

/** Returns a reader that yields the parts of a form as they arrive. */
export const multipartStreamReader = (settings: Settings): ReadStream => {
  const limits = multipartLimits(settings)
  const isFile = filePartCheck(settings)
  return (chunks, contentType, exchange, { onEnd }) => {
    const parts = streamParts(
      partsOf(exchange.platform, chunks, contentType, limits),
      isFile,
      limits,
    )
    // a handler may stop reading without calling `return`
    onEnd(() => parts.return(undefined))
    return E.right(parts)
  }
}

async function* streamParts(
  parts: AsyncIterable<ReceivedPart>,
  isFile: (part: ReceivedPart) => boolean,
  limits: MultipartLimits,
): AsyncGenerator<StreamedPart, undefined> {
  let files = 0
  for await (const part of parts) {
    if (isFile(part) && ++files > limits.files) throw tooManyFilesError(limits)
    const { name, fileName, contentType, charset, headers } = part
    const content = isFile(part)
      ? fileByteLimit(part, limits)
      : attributeByteLimit(part, limits.attribute)
    yield { name, fileName, contentType, charset, headers, content }
  }
}

/** Returns a reader that collects the parts of a form by name. */
export const multipartInputReader = (settings: Settings): ReadStream => {
  const limits = multipartLimits(settings)
  const areKept = !settings['fw.http.body.delete-uploaded-files-on-end']
  const threshold = settings['fw.http.body.multipart.file-size-threshold']
  const isFile = filePartCheck(settings)
  const defaultCharset = settings['fw.rest.multipart.input-part.default-charset']
  return async (chunks, contentType, exchange, context) => {
    const received = new ReceivedFiles(exchange, limits, context, areKept)
    const values = new Map<string, FormValue[]>()
    try {
      for await (const part of partsOf(
        exchange.platform,
        chunks,
        contentType,
        limits,
        chunkReleaser(chunks),
      )) {
        const value = isFile(part)
          ? fileValue(
              part,
              fileItemOf(exchange.platform.files, await received.receiveAbove(threshold, part)),
            )
          : await attributeValue(part, exchange, limits, defaultCharset)
        values.set(part.name, [...(values.get(part.name) ?? []), value])
      }
      return E.right({ values })
    } catch (error) {
      await received.delete()
      throw error
    }
  }
}

/**
 * Reads a part that is not a file. If the media type of the part is textual or missing, the part is read as text. Otherwise, the
 * part is treated as a file that is held in memory.
 */
const attributeValue = async (
  part: ReceivedPart,
  { platform, reservation }: Exchange,
  limits: MultipartLimits,
  defaultCharset: string,
): Promise<FormValue> => {
  const bytes = await readAttribute(part, limits, reservation)
  return isText(part.mediaType)
    ? textValue(part, attributeText(bytes, part, defaultCharset))
    : fileValue(part, fileItemOf(platform.files, { _tag: 'Memory', bytes }))
}

const isText = (mediaType: MediaType.MediaType | undefined): boolean =>
  mediaType === undefined ||
  mediaType.type === 'text' ||
  /(?:^|\+)(?:json|xml)$|^x-www-form-urlencoded$/.test(mediaType.subtype)

const textValue = (
  { name, charset, fileName, headers }: ReceivedPart,
  value: string,
): FormValue => ({
  isFileItem: false,
  get fileItem(): FileItem {
    throw new TypeError(`part ${JSON.stringify(name)} is not a file: read its value`)
  },
  value,
  charset,
  fileName,
  headers,
})

const fileValue = (
  { name, charset, fileName, headers }: ReceivedPart,
  fileItem: FileItem,
): FormValue => ({
  isFileItem: true,
  fileItem,
  get value(): string {
    throw new TypeError(`part ${JSON.stringify(name)} is a file: read its fileItem`)
  },
  charset,
  fileName,
  headers,
})

const fileItemOf = (files: FileSystem, received: ReceivedBody): FileItem =>
  received._tag === 'File' ? fileOnDisk(files, received) : fileInMemory(files, received)

const fileOnDisk = (
  files: FileSystem,
  { path, size }: Extract<ReceivedBody, { readonly _tag: 'File' }>,
): FileItem => ({
  isInMemory: false,
  path,
  size,
  read: () => readFile(files, path),
  write: (to) => files.move(path, to),
  delete: () => files.delete(path),
})

const fileInMemory = (
  files: FileSystem,
  { bytes }: Extract<ReceivedBody, { readonly _tag: 'Memory' }>,
): FileItem => {
  let remaining: Uint8Array | undefined = bytes
  const contents = (): Uint8Array => {
    if (remaining === undefined) throw new TypeError('the file was moved or deleted')
    return remaining
  }
  const release = (): void => {
    remaining = undefined
  }
  return {
    isInMemory: true,
    get path(): string {
      throw new TypeError('a file in memory has no path')
    },
    size: bytes.length,
    read: async () => contents(),
    write: async (to) => {
      await files.write(to, contents())
      release()
    },
    delete: async () => release(),
  }
}
