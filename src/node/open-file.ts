/** Files that are open for reading. */
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { OpenHandle } from '../endpoint/file.ts'
import type { OpenFile } from '../interpreter/files.ts'
import { giveBack, lend } from './read-buffers.ts'

/** A pipe that nobody writes to would hold up a thread of the system until somebody does. */
const reading = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)

const open = promisify(fs.open)
const close = promisify(fs.close)

/** Opens a file by its path. */
export const openFile = async (path: string): Promise<OpenFile> =>
  adopt(handleOf(await open(path, reading)))

/** Takes over a file that is open. What is no file, such as a directory, is closed again. */
export const adopt = async (handle: OpenHandle): Promise<OpenFile> => {
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
    return new ReadFile(handle, stats.size, stats.mtimeMs)
  } catch (error) {
    await handle.close()
    throw error
  }
}

class ReadFile implements OpenFile {
  readonly size: number
  readonly modified: number
  readonly #handle: OpenHandle
  #closing: Promise<void> | undefined = undefined

  constructor(handle: OpenHandle, size: number, modified: number) {
    this.#handle = handle
    this.size = size
    this.modified = modified
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const octets = lend(length)
    let at = 0
    // a short read is no error of the system: it is gone on with
    while (at < length) {
      const { bytesRead } = await this.#handle.read(octets, at, length - at, position + at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return at === length ? octets : octets.subarray(0, at)
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#handle.close())
  }

  free(octets: Uint8Array): void {
    giveBack(octets)
  }
}

/**
 * A descriptor as a handle. Those of `node:fs/promises` take a tenth more time of the processor for a file of 1 MB. It is closed
 * behind the read that is underway: its number may belong to another file afterwards.
 */
const handleOf = (descriptor: number): OpenHandle => {
  let underway: Promise<unknown> = Promise.resolve()
  let isClosed = false
  return {
    // the system has just opened it, and need not look: to ask a thread takes twenty times as long
    stat: async () => fs.fstatSync(descriptor),
    read: (octets, offset, length, position) => {
      if (isClosed) return Promise.reject(closed())
      const result = new Promise<{ readonly bytesRead: number }>((resolve, reject) =>
        fs.read(descriptor, octets, offset, length, position, (error, bytesRead) => {
          if (error === null) resolve({ bytesRead })
          else reject(error)
        }),
      )
      underway = result
      return result
    },
    close: async () => {
      isClosed = true
      await underway.catch(() => undefined)
      await close(descriptor)
    },
  }
}

const closed = (): Error => Object.assign(new Error('the file is closed'), { code: 'EBADF' })
