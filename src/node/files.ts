/** Files of the system. */
import { open } from 'node:fs/promises'
import type { Files, OpenFile } from '../interpreter/files.ts'
import type { Settings } from '../interpreter/settings.ts'
import { uploadsIn } from './uploads.ts'

/** Files as the settings say; nothing is made before it is needed. */
export const filesOf = (settings: Settings): Files => ({
  open: openFile,
  create: uploadsIn(settings['fw.http.body.uploads-directory']),
})

const openFile = async (path: string): Promise<OpenFile> => {
  const handle = await open(path, 'r')
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw Object.assign(new Error(`not a file: ${path}`), { code: 'EISDIR' })
    return {
      size: stats.size,
      modified: stats.mtimeMs,
      read: async (position, length) => {
        const octets = Buffer.allocUnsafeSlow(length)
        const { bytesRead } = await handle.read(octets, 0, length, position)
        return octets.subarray(0, bytesRead)
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
