/** Files as a client gives them. Nobody has their content in memory. */
import * as E from 'fp-ts/lib/Either.js'

/**
 * A file as a client gives it: a `Blob` or `File`, or, where there is a file system, the path of one. Without a name of its own
 * it is called as its path ends, or `blob`, as browsers do; without a media type it is of `application/octet-stream`.
 */
export type FileToSend =
  | Blob
  | { readonly path: string; readonly fileName?: string; readonly contentType?: string }

/** A file that is there. */
export interface FileThere {
  readonly blob: Blob
  readonly fileName: string
  /** `undefined` when nothing is said. */
  readonly contentType: string | undefined
}

/** Whether a value names or is a file. */
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

/** Finds a file; its content is read when it is sent. `Left` in words when there is none. */
export const fileThere = async (file: unknown): Promise<E.Either<string, FileThere>> => {
  if (!isFileToSend(file)) return E.left('has to be: a file')
  if (file instanceof Blob)
    return E.right({
      blob: file,
      fileName: 'name' in file && typeof file.name === 'string' ? file.name : 'blob',
      contentType: file.type === '' ? undefined : file.type,
    })
  const { path, contentType, fileName = baseName(path) } = file
  const blobOf = fileSystem()
  if (blobOf === undefined) return E.left('is the path of a file, and here are no files')
  try {
    const blob = await blobOf(path)
    return blob === undefined
      ? E.left(`is no file: ${JSON.stringify(path)}`)
      : E.right({ blob, fileName, contentType })
  } catch (error) {
    return E.left(`cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** What makes a blob of a file, where there is something; `undefined` for a folder and the like. */
const fileSystem = (): ((path: string) => Promise<Blob | undefined>) | undefined => {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function')
    return undefined
  const { openAsBlob, promises } = process.getBuiltinModule('node:fs')
  return async (path) => ((await promises.stat(path)).isFile() ? openAsBlob(path) : undefined)
}
