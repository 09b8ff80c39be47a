/** Files of the system. */
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Files } from '../interpreter/files.ts'
import type { Settings } from '../interpreter/settings.ts'
import { tooManyFiles } from '../interpreter/too-many-files.ts'
import { adopt, openFile } from './open-file.ts'

/** Files as the settings say; nothing is made, or loaded, before it is needed. */
export const filesOf = (settings: Settings): Files => {
  let creating: Promise<Creating> | undefined
  const create = (): Promise<Creating> =>
    (creating ??= creatingIn(settings).catch((error: unknown) => {
      creating = undefined
      throw tooManyFiles(error)
    }))
  return {
    open: openFile,
    adopt,
    create: async () => (await create()).create(),
    createTemporary: async () => (await create()).createTemporary(),
    move,
    write: (path, octets) => writeFile(path, octets, { mode: 0o600 }),
    delete: (path) => rm(path, { force: true }),
  }
}

type Creating = Pick<Files, 'create' | 'createTemporary'>

const creatingIn = async (settings: Settings): Promise<Creating> => {
  const [{ uploadsIn }, { ownPrefix }] = await Promise.all([
    import('./uploads.ts'),
    import('./stale-uploads.ts'),
  ])
  const directory = uploadsDirectory(settings)
  const createTemporary = uploadsIn(directory, ownPrefix())
  // what is to be kept is nobody's: it is never taken away
  const areDeleted = settings['fw.http.body.delete-uploaded-files-on-end']
  return { create: areDeleted ? createTemporary : uploadsIn(directory, ''), createTemporary }
}

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
