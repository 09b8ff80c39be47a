/** Files and parts of request bodies. Files are read while they are sent. */
import * as E from 'fp-ts/lib/Either.js'
import type { FormDataPart } from '../../endpoint/multipart-output.ts'

/**
 * A file in a request: a `Blob`, a `File` or, on runtimes with a file system, a path. The file name defaults to the last segment
 * of the path, or to `blob` as in browsers; the media type defaults to `application/octet-stream`.
 */
export type FileToSend =
  | Blob
  | { readonly path: string; readonly fileName?: string; readonly contentType?: string }

/** A part of a form: created with `formDataPart`, or a file. */
export type PartToSend = FormDataPart | FilePartToSend

/** A part with a file. */
export interface FilePartToSend {
  readonly name: string
  readonly file: FileToSend
}

/** An opened file. */
export interface OpenedFile {
  readonly blob: Blob
  readonly fileName: string
  /** `undefined` if unknown. */
  readonly contentType: string | undefined
}

/** Whether a value is a file or the path of one. */
export const isFileToSend = (value: unknown): value is FileToSend =>
  value instanceof Blob ||
  (typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    isText(value, 'fileName') &&
    isText(value, 'contentType'))

const isText = (value: object, member: string): boolean => {
  const text: unknown = Reflect.get(value, member)
  return text === undefined || typeof text === 'string'
}

/** Opens a file without reading it. `Left` describes why it cannot be opened. */
export const openFile = async (file: unknown): Promise<E.Either<string, OpenedFile>> => {
  if (!isFileToSend(file)) return E.left('must be a file')
  if (file instanceof Blob)
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
    return E.left(`cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** Returns a function that opens a file as a `Blob`, or returns `undefined` for a directory; `undefined` without a file system. */
const fileSystem = (): ((path: string) => Promise<Blob | undefined>) | undefined => {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function')
    return undefined
  const { openAsBlob, promises } = process.getBuiltinModule('node:fs')
  return async (path) => ((await promises.stat(path)).isFile() ? openAsBlob(path) : undefined)
}
