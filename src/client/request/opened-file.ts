/** Opens the files in request bodies. */
import * as E from 'fp-ts/lib/Either.js'
import type { FormDataPart } from '../../endpoint/multipart.ts'
import { isBlob, messageOf } from '../../http/platform-value.ts'

/**
 * A file to send: a `Blob`, a `File` or, on runtimes with a file system, the path of a file.
 *
 * A `File` is sent with its own name. Any other `Blob` is sent with the file name `blob`, as in browsers. If a file is
 * given by its path, the default file name is the last segment of the path. If the media type is unknown,
 * `application/octet-stream` is used.
 */
export type FileToSend =
  | Blob
  | { readonly path: string; readonly fileName?: string; readonly contentType?: string }

/** A form part to send: a file, or a part created with `formDataPart`. */
export type PartToSend = FormDataPart | FilePartToSend

/** A form part that contains a file. */
export interface FilePartToSend {
  readonly name: string
  readonly file: FileToSend
}

/** An opened file. */
export interface OpenedFile {
  readonly blob: Blob
  readonly fileName: string
  /** Media type, or `undefined` if it is unknown. */
  readonly contentType: string | undefined
}

/** Whether a value is a file or an object that contains the path of a file. */
export const isFileToSend = (value: unknown): value is FileToSend =>
  isBlob(value) ||
  (typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    isOptionalString(value, 'fileName') &&
    isOptionalString(value, 'contentType'))

const isOptionalString = (value: object, member: string): boolean => {
  const text: unknown = Reflect.get(value, member)
  return text === undefined || typeof text === 'string'
}

/** Opens a file without reading it. If the file cannot be opened, returns a `Left` that contains the reason. */
export const openFile = async (file: unknown): Promise<E.Either<string, OpenedFile>> => {
  if (!isFileToSend(file)) return E.left('must be a file')
  if (isBlob(file))
    return E.right({
      blob: file,
      fileName: 'name' in file && typeof file.name === 'string' ? file.name : 'blob',
      contentType: file.type === '' ? undefined : file.type,
    })
  const { path, contentType, fileName = baseName(path) } = file
  const openBlob = fileSystem()
  if (openBlob === undefined)
    return E.left('must be a Blob, because this runtime has no file system')
  try {
    const blob = await openBlob(path)
    return blob === undefined
      ? E.left(`must be the path of a file, got ${JSON.stringify(path)}`)
      : E.right({ blob, fileName, contentType })
  } catch (error) {
    return E.left(`cannot be read: ${messageOf(error)}`)
  }
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/**
 * Returns a function that opens a file as a `Blob`, or `undefined` if the runtime has no file system. The function
 * resolves to `undefined` if the path does not refer to a regular file, for example, if it refers to a directory.
 */
const fileSystem = (): ((path: string) => Promise<Blob | undefined>) | undefined => {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function')
    return undefined
  const { openAsBlob, promises } = process.getBuiltinModule('node:fs')
  return async (path) => ((await promises.stat(path)).isFile() ? openAsBlob(path) : undefined)
}
