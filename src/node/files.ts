/** Files of the system. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { OpenHandle } from '../endpoint/file.ts'
import type { Files, OpenFile } from '../interpreter/files.ts'
import type { Settings } from '../interpreter/settings.ts'
import { uploadsIn } from './uploads.ts'

/** Files as the settings say; nothing is made before it is needed. */
export const filesOf = (settings: Settings): Files => ({
  open: async (path) => adopt(await open(path, reading)),
  adopt,
  create: uploadsIn(settings['fw.http.body.uploads-directory']),
})

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
