/**
 * The file operations of the engine. The runtime implements them and decides where files are stored.
 * Operations reject with the error of the operating system, which has a `code` such as `ENOENT`.
 */
import type { OpenHandle } from '../endpoint/file.ts'
import { ServiceUnavailable } from '../endpoint/http-error.ts'

export interface FileSystem {
  /** Opens a file for reading. */
  readonly open: (path: string) => Promise<OpenFile>
  /** Reads a file that the application has opened. Takes over its handle. */
  readonly adopt: (handle: OpenHandle) => Promise<OpenFile>
  /** Creates a file for a request body, with an unpredictable name. */
  readonly create: () => Promise<NewFile>
  /** Creates a file that lasts no longer than the request. After a crash, the next process deletes it. */
  readonly createTemporary: () => Promise<NewFile>
  /** Moves a file. Replaces an existing file. */
  readonly move: (from: string, to: string) => Promise<void>
  /** Writes a file. Replaces an existing file. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
  /** Deletes a file. Succeeds if it does not exist. */
  readonly delete: (path: string) => Promise<void>
}

/** A file that is open for reading. Its properties are those at the time it was opened. */
export interface OpenFile {
  /** In bytes. */
  readonly size: number
  /** In milliseconds since 1970, with fractions. */
  readonly modified: number
  /** Reads up to `length` bytes from `position`. Returns an empty array at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Uint8Array>
  readonly close: () => Promise<void>
  /** Returns the memory of bytes that are no longer needed, so that it can be reused. */
  readonly free?: ((bytes: Uint8Array) => void) | undefined
}

/** A file that is open for writing. */
export interface NewFile {
  readonly path: string
  /** Appends bytes. They must not change until the promise resolves. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Closes the file, after which others can read it. */
  readonly close: () => Promise<void>
  /** Deletes the file, open or closed. Succeeds if it does not exist. */
  readonly delete: () => Promise<void>
}

/** Converts EMFILE and ENFILE to 503 with `Retry-After`. Returns any other error unchanged. */
export const mapOpenError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EMFILE' || code === 'ENFILE'
    ? new ServiceUnavailable('too many open files', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : error
}
