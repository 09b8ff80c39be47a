/** Opens files for reading, and pools the buffers into which they are read. */
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { OpenHandle } from '../../endpoint/file.ts'
import type { OpenFile } from '../../interpreter/exchange.ts'
import { isArrayBuffer } from '../../http/platform-value.ts'

/** A pool of free buffers of one size. */
interface Pool {
  /** Size of each buffer, in bytes. */
  readonly size: number
  /** Maximum number of free buffers kept in the pool. Further released buffers are left to the garbage collector. */
  readonly maxFree: number
  readonly free: ArrayBuffer[]
}

/**
 * The pools, in ascending order of buffer size. Most reads use the smaller buffers. The larger buffers are used for files sent to
 * fast clients.
 */
const pools: ReadonlyArray<Pool> = [
  { size: 256 * 1024, maxFree: 32, free: [] },
  { size: 768 * 1024, maxFree: 8, free: [] },
]

const poolOf = new WeakMap<ArrayBufferLike, Pool>()

/** Returns an uninitialized array of `length` bytes. Arrays of up to 64 KiB or more than 768 KiB are not taken from a pool. */
export const acquireBuffer = (length: number): Uint8Array => {
  const pool = pools.find(({ size }) => length <= size)
  if (pool === undefined || length <= pool.size / 4)
    return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  const buffer = pool.free.pop() ?? Buffer.allocUnsafeSlow(pool.size).buffer
  poolOf.set(buffer, pool)
  return new Uint8Array(buffer, 0, length)
}

/** Returns a buffer to its pool. Does nothing if the array was not taken from a pool. */
export const releaseBuffer = ({ buffer }: Uint8Array): void => {
  const pool = poolOf.get(buffer)
  if (pool === undefined || !poolOf.delete(buffer) || !isArrayBuffer(buffer)) return
  if (pool.free.length < pool.maxFree) pool.free.push(buffer)
}

/**
 * Flags for `open`. The file is opened in non-blocking mode, because opening a pipe without a writer would otherwise block a
 * thread.
 */
const flags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)

const open = promisify(fs.open)
const readAt = promisify(fs.read)
const close = promisify(fs.close)

/** Opens a regular file by its path. Rejects with `EISDIR` if the path refers to anything else. */
export const openFile = async (path: string): Promise<OpenFile> =>
  openHandle(handleOf(await open(path, flags)))

/** Wraps an open file handle. Closes the handle and rejects with `EISDIR` if the handle does not refer to a regular file. */
export const openHandle = async (handle: OpenHandle): Promise<OpenFile> => {
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
  /** The most recent read. No other read can be pending, because reads are sequential. */
  #read: Promise<unknown> | undefined = undefined
  #closed: Promise<void> | undefined = undefined

  constructor(handle: OpenHandle, size: number, modified: number) {
    this.#handle = handle
    this.size = size
    this.modified = modified
  }

  /**
   * Reads up to `length` bytes, starting at `position`. Rejects with an `AbortError` that has the code `EBADF` if the file has been
   * closed.
   */
  async read(position: number, length: number): Promise<Uint8Array> {
    const buffer = acquireBuffer(length)
    let offset = 0
    // a short read is not an error: the next call reads the rest
    while (offset < length) {
      if (this.#closed !== undefined) throw closedError()
      const read = this.#handle.read(buffer, offset, length - offset, position + offset)
      this.#read = read
      const { bytesRead } = await read
      if (bytesRead === 0) break
      offset += bytesRead
    }
    return offset === length ? buffer : buffer.subarray(0, offset)
  }

  /**
   * Closes the file after the pending read has settled. Until then, the read might still write to its buffer, and the file
   * descriptor number must not be reused.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeAfterRead())
  }

  async #closeAfterRead(): Promise<void> {
    try {
      await this.#read
    } catch {}
    await this.#handle.close()
  }

  free(bytes: Uint8Array): void {
    releaseBuffer(bytes)
  }
}

/** Creates the error for a read after `close`. Such a read can occur if the response has been aborted. */
const closedError = (): Error =>
  Object.assign(new Error('the file is closed'), { name: 'AbortError', code: 'EBADF' })

/**
 * Creates a handle for a file descriptor. Reading a file of 1 MB takes 10% less CPU time with this handle than with a handle from
 * `node:fs/promises`.
 */
const handleOf = (descriptor: number): OpenHandle => ({
  // the call is synchronous, because the inode of an open file is cached and a call in the thread pool takes twenty times as long
  stat: async () => fs.fstatSync(descriptor),
  read: (buffer, offset, length, position) => readAt(descriptor, buffer, offset, length, position),
  close: () => close(descriptor),
})
