/**
 * Files, as far as the engine needs them. The runtime has them: nothing here knows where they lie. What the system refuses
 * rejects with the error of the system, `ENOENT` among others as its `code`.
 */
import type { OpenHandle } from '../endpoint/file.ts'
import { ServiceUnavailable } from '../endpoint/http-error.ts'

export interface FileSystem {
  /** Opens a file for reading. */
  readonly open: (path: string) => Promise<OpenFile>
  /** Takes over a file that a program has opened. */
  readonly adopt: (handle: OpenHandle) => Promise<OpenFile>
  /** Makes a file of its own for content that was received, under a name that nobody can guess. */
  readonly create: () => Promise<NewFile>
  /** The same, for a file that is never kept: if the process dies, the next one takes it away. */
  readonly createTemporary: () => Promise<NewFile>
  /** Gives a file another path; a file that lies there is replaced. */
  readonly move: (from: string, to: string) => Promise<void>
  /** Makes a file of bytes; one that lies there is replaced. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
  /** Takes a file away; done when there is none any more. */
  readonly delete: (path: string) => Promise<void>
}

/** A file that is read. What it is stays as it was when it was opened. */
export interface OpenFile {
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970, with their fraction. */
  readonly modified: number
  /** At most `length` bytes from `position` on; none behind the end. */
  readonly read: (position: number, length: number) => Promise<Uint8Array>
  readonly close: () => Promise<void>
  /** Bytes that were read are needed no longer, and may be written over. */
  readonly free?: ((bytes: Uint8Array) => void) | undefined
}

/** A file that is written. */
export interface NewFile {
  readonly path: string
  /** Adds bytes at the end; they are taken up when it is done. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** What was written is there for others. */
  readonly close: () => Promise<void>
  /** Takes it away, open or closed; done when there is none any more. */
  readonly delete: () => Promise<void>
}

/** 503 with `Retry-After` for EMFILE and ENFILE; any other error is returned unchanged. */
export const mapOpenError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EMFILE' || code === 'ENFILE'
    ? new ServiceUnavailable('too many files are open', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : error
}
