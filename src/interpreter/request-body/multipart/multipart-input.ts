/** Reads all parts of a form into a map: text in memory, files in memory or on disk. */
import type { FileItem, FormValue } from '../../../endpoint/multipart.ts'
import type { Exchange } from '../../exchange.ts'
import { freed } from '../body-stream.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { ReadStream } from '../read-stream.ts'
import { readAttribute, attributeText, filePartCheck, partsOf } from './parts.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import { multipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'
import { ReceivedFiles } from './received-files.ts'
import { fromPromise } from '../read-stream.ts'
import type { FileSystem } from '../../file-system.ts'
import { ByteCollector } from '../../../http/byte-collector.ts'
import type { ReceivedContent } from './received-files.ts'
import * as E from 'fp-ts/lib/Either.js'
import type * as MediaType from '../../../http/media-type.ts'

export const multipartInputReader = (settings: Settings): ReadStream => {
  const limits = multipartLimits(settings)
  const areKept = !settings['fw.http.body.delete-uploaded-files-on-end']
  const threshold = settings['fw.http.body.multipart.file-size-threshold']
  const isFile = filePartCheck(settings)
  const defaultCharset = settings['fw.rest.multipart.input-part.default-charset']
  return (chunks, stated, exchange) =>
    fromPromise(async (context) => {
      const received = new ReceivedFiles(exchange, limits, context, areKept)
      const values = new Map<string, FormValue[]>()
      try {
        for await (const part of partsOf(
          exchange.platform,
          chunks,
          stated,
          limits,
          freed(chunks),
        )) {
          const value = isFile(part)
            ? fileValue(
                part,
                fileItemOf(exchange.platform.files, await received.receiveAbove(threshold, part)),
              )
            : await inMemory(part, exchange, limits, defaultCharset)
          values.set(part.name, [...(values.get(part.name) ?? []), value])
        }
        return E.right({ values })
      } catch (error) {
        await received.delete()
        throw error
      }
    })
}

/** Reads a part that is not a file: as text if its media type is textual or missing. */
const inMemory = async (
  part: Part,
  { platform: system, reservation }: Exchange,
  limits: MultipartLimits,
  defaultCharset: string,
): Promise<FormValue> => {
  const bytes = await readAttribute(part, limits, reservation)
  return isText(part.mediaType)
    ? textValue(part, attributeText(bytes, part, defaultCharset))
    : fileValue(part, fileItemOf(system.files, { _tag: 'Memory', bytes: bytes }))
}

const isText = (mediaType: MediaType.MediaType | undefined): boolean =>
  mediaType === undefined ||
  mediaType.type === 'text' ||
  /(?:^|\+)(?:json|xml)$|^x-www-form-urlencoded$/.test(mediaType.subtype)

const textValue = ({ name, charset, fileName, headers }: Part, value: string): FormValue => ({
  isFileItem: false,
  get fileItem(): FileItem {
    throw new TypeError(`part ${JSON.stringify(name)} is not a file: read its value`)
  },
  value,
  charset,
  fileName,
  headers,
})

const fileValue = ({ name, charset, fileName, headers }: Part, fileItem: FileItem): FormValue => ({
  isFileItem: true,
  fileItem,
  get value(): string {
    throw new TypeError(`part ${JSON.stringify(name)} is a file: read its fileItem`)
  },
  charset,
  fileName,
  headers,
})

const fileItemOf = (files: FileSystem, received: ReceivedContent): FileItem =>
  received._tag === 'File' ? fileOnDisk(files, received) : fileInMemory(files, received)

const fileOnDisk = (
  files: FileSystem,
  { path, size }: Extract<ReceivedContent, { readonly _tag: 'File' }>,
): FileItem => ({
  isInMemory: false,
  path,
  size,
  read: () => octetsOf(files, path),
  write: (to) => files.move(path, to),
  delete: () => files.delete(path),
})

const fileInMemory = (
  files: FileSystem,
  { bytes }: Extract<ReceivedContent, { readonly _tag: 'Memory' }>,
): FileItem => {
  let content: Uint8Array | undefined = bytes
  const all = (): Uint8Array => {
    if (content === undefined) throw new TypeError('the file was moved or deleted')
    return content
  }
  const release = (): void => {
    content = undefined
  }
  return {
    isInMemory: true,
    get path(): string {
      throw new TypeError('a file in memory has no path')
    },
    size: bytes.length,
    read: async () => all(),
    write: async (to) => {
      await files.write(to, all())
      release()
    },
    delete: async () => release(),
  }
}

const octetsOf = async (files: FileSystem, path: string): Promise<Uint8Array> => {
  const file = await files.open(path)
  try {
    const bytes = new ByteCollector()
    let at = 0
    while (at < file.size) {
      const chunk = await file.read(at, file.size - at)
      if (chunk.length === 0) break
      bytes.add(chunk)
      at += chunk.length
    }
    return bytes.take()
  } finally {
    await file.close()
  }
}
