/** Files of the system. */
import { constants } from 'node:fs'
import { copyFile, open, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { OpenHandle } from '../endpoint/file.ts'
import type { Files, OpenFile } from '../interpreter/files.ts'
import type { Settings } from '../interpreter/settings.ts'
import { ownPrefix } from './stale-uploads.ts'
import { uploadsIn } from './uploads.ts'

/** Files as the settings say; nothing is made before it is needed. */
export const filesOf = (settings: Settings): Files => ({
  open: async (path) => adopt(await open(path, reading)),
  adopt,
  create: uploadsIn(
    uploadsDirectory(settings),
    // what is to be kept is nobody's: it is never taken away
    settings['fw.http.body.delete-uploaded-files-on-end'] ? ownPrefix() : '',
  ),
  move,
  write: (path, octets) => writeFile(path, octets, { mode: 0o600 }),
  delete: (path) => rm(path, { force: true }),
})

/** Where files lie that are received. */
export const uploadsDirectory = (settings: Settings): string =>
  resolve(tmpdir(), settings['fw.http.body.uploads-directory'])

/** A file cannot be renamed into another file system. */
const move = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyFile(from, to)
    await rm(from, { force: true })
  }
}

/** A pipe that nobody writes to would hold up a thread of the system until somebody does. */
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const adopt = async (handle: OpenHandle): Promise<OpenFile> => {
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
    let closing: Promise<void> | undefined
    return {
      size: stats.size,
      modified: stats.mtimeMs,
      read: async (position, length) => {
        const octets = Buffer.allocUnsafeSlow(length)
        let at = 0
        while (at < length) {
          const { bytesRead } = await handle.read(octets, at, length - at, position + at)
          if (bytesRead === 0) break
          at += bytesRead
        }
        return octets.subarray(0, at)
      },
      close: () => (closing ??= handle.close()),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
