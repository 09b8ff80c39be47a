/**
 * Files for content that was received. Nothing of their names comes from a client, and nobody else may read them. A process
 * that is killed leaves them behind; their names tell whose they were, and the next one takes them away (`stale-uploads.ts`).
 */
import * as fs from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HttpError } from '../../endpoint/http-error.ts'
import type { NewFile } from '../../interpreter/file-system.ts'
import { tooManyFiles } from '../../interpreter/errors/too-many-files.ts'
import { privateDirectory } from './private-directory.ts'
import { releaseBuffer, acquireBuffer } from './buffer-pool.ts'

/** Creates files in a private directory, which is created again if it is missing; `prefix` is what all their names begin with. */
export const createUploadFactory =
  (directory: string, prefix: string): (() => Promise<NewFile>) =>
  async () => {
    const path = join(directory, `${prefix}${randomUUID()}`)
    return new Upload(path, await made(path, directory))
  }

// descriptors instead of handles, and no look before a file is deleted: a third less time of the processor for 1 MB
const open = promisify(fs.open)
const write = promisify(fs.write)
const closeDescriptor = promisify(fs.close)
const unlink = promisify(fs.unlink)

const made = async (path: string, directory: string): Promise<number> => {
  try {
    return await create(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw told(error)
  }
  try {
    // something has deleted the directory, such as a job that cleans up temporary files
    await privateDirectory([directory])
    return await create(path)
  } catch (error) {
    throw told(error)
  }
}

/** A new file: an existing one or a symbolic link is an error. */
const flags =
  fs.constants.O_WRONLY |
  fs.constants.O_CREAT |
  fs.constants.O_EXCL |
  (fs.constants.O_NOFOLLOW ?? 0)

const create = (path: string): Promise<number> => open(path, flags, 0o600)

/** Octets that are written together. */
const together = 256 * 1024

class Upload implements NewFile {
  readonly path: string
  readonly #descriptor: number
  /** What is not written yet. Octets are copied into it, so that the memory in which they came can be used again. */
  #block: Uint8Array | undefined = undefined
  #used = 0
  /** What is done to the descriptor, one after the other: its number may belong to another file once it is closed. */
  #underway: Promise<void> = written
  #closing: Promise<void> | undefined = undefined
  #isDeleted = false

  constructor(path: string, descriptor: number) {
    this.path = path
    this.#descriptor = descriptor
  }

  /** Is done when there is room for more: one block is written while the next is filled. */
  write(octets: Uint8Array): Promise<void> {
    if (this.#isDeleted || octets.length >= together - this.#used) return this.#writeOn(octets)
    this.#add(octets)
    return written
  }

  async close(): Promise<void> {
    try {
      await this.#flush()
      await this.#underway
    } finally {
      await this.#close()
    }
  }

  async delete(): Promise<void> {
    this.#isDeleted = true
    if (this.#block !== undefined) releaseBuffer(this.#block)
    this.#block = undefined
    await this.#close()
    try {
      await unlink(this.path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }

  async #writeOn(octets: Uint8Array): Promise<void> {
    for (let at = 0; at < octets.length;) {
      // it was deleted under who writes, because the client has gone
      if (this.#isDeleted) throw new DOMException('the file is deleted', 'AbortError')
      const end = at + together - this.#used
      this.#add(octets.subarray(at, end))
      at = end
      if (this.#used === together) await this.#flush()
    }
  }

  #add(octets: Uint8Array): void {
    this.#block ??= acquireBuffer(together)
    this.#block.set(octets, this.#used)
    this.#used += octets.length
  }

  /** Writes the block, behind the one that is being written; is done when that is. */
  #flush(): Promise<void> {
    const block = this.#block
    if (block === undefined) return this.#underway
    const before = this.#underway
    const used = this.#used
    this.#block = undefined
    this.#used = 0
    this.#underway = before
      .then(() => this.#writeAll(block.subarray(0, used)))
      .finally(() => releaseBuffer(block))
    // who asks next is told
    this.#underway.catch(() => undefined)
    return before
  }

  async #writeAll(octets: Uint8Array): Promise<void> {
    try {
      // a short write is no error of the system: it is gone on with
      for (let at = 0; at < octets.length && !this.#isDeleted;) {
        const { bytesWritten } = await write(this.#descriptor, octets, at)
        at += bytesWritten
      }
    } catch (error) {
      throw told(error)
    }
  }

  #close(): Promise<void> {
    return (this.#closing ??= this.#underway
      .catch(() => undefined)
      .then(() => closeDescriptor(this.#descriptor)))
  }
}

const written = Promise.resolve()

/** What the system says when there is no room, or none for us. */
const full = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** 507 where the system has no room (RFC 4918, 11.5), 503 where too many files are open; anything else is a defect. */
const told = (error: unknown): unknown => {
  const code = codeOf(error)
  return full.some((one) => one === code)
    ? new HttpError(507, 'there is no room for what is received', { cause: error })
    : tooManyFiles(error)
}
