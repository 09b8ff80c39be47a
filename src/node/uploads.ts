/**
 * Files for content that was received. Nothing of their names comes from a client, and nobody else may read them. A process
 * that is killed leaves them behind; their names tell whose they were, and the next one takes them away (`stale-uploads.ts`).
 */
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { HttpError } from '../endpoint/http-error.ts'
import type { NewFile } from '../interpreter/files.ts'

/** Makes files in a directory, which is made with the first; `prefix` is what all their names begin with. */
export const uploadsIn =
  (directory: string, prefix: string): (() => Promise<NewFile>) =>
  async () => {
    const path = join(directory, `${prefix}${randomUUID()}`)
    return new Upload(path, await made(path, directory))
  }

const made = async (path: string, directory: string): Promise<FileHandle> => {
  try {
    return await create(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw told(error)
  }
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    return await create(path)
  } catch (error) {
    throw told(error)
  }
}

const create = (path: string): Promise<FileHandle> => open(path, 'wx', 0o600)

class Upload implements NewFile {
  readonly path: string
  readonly #handle: FileHandle
  #isDeleted = false

  constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  async write(octets: Uint8Array): Promise<void> {
    // it was deleted under who writes, because the client has gone
    if (this.#isDeleted) throw new DOMException('the file is deleted', 'AbortError')
    try {
      // a short write is no error of the system: it is gone on with
      for (let at = 0; at < octets.length;) {
        const { bytesWritten } = await this.#handle.write(octets, at)
        at += bytesWritten
      }
    } catch (error) {
      throw told(error)
    }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async delete(): Promise<void> {
    this.#isDeleted = true
    await this.#handle.close()
    await rm(this.path, { force: true })
  }
}

/** What the system says when there is no room, or none for us. */
const full = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** 507 where the system has no room (RFC 4918, 11.5); anything else is a defect. */
const told = (error: unknown): unknown =>
  full.some((code) => code === codeOf(error))
    ? new HttpError(507, 'there is no room for what is received', { cause: error })
    : error
