/** Files of the system. */
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Files } from '../interpreter/files.ts'
import type { Settings } from '../interpreter/settings.ts'
import { adopt, openFile } from './open-file.ts'
import { ownPrefix } from './stale-uploads.ts'
import { uploadsIn } from './uploads.ts'

/** Files as the settings say; nothing is made before it is needed. */
export const filesOf = (settings: Settings): Files => ({
  open: openFile,
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
