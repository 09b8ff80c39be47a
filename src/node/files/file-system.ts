/** Files of the system. */
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Files } from '../../interpreter/file-system.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { tooManyFiles } from '../../interpreter/errors/too-many-files.ts'
import { openHandle, openFile } from './open-file.ts'

/** Files as the settings say; nothing is made, or loaded, before it is needed. */
export const createFileSystem = (settings: Settings): Files => {
  let creating: Promise<Creating> | undefined
  const create = async (): Promise<Creating> => {
    try {
      return await (creating ??= creatingIn(settings))
    } catch (error) {
      // the next upload tries again
      creating = undefined
      throw tooManyFiles(error)
    }
  }
  return {
    open: openFile,
    adopt: openHandle,
    create: async () => (await create()).create(),
    createTemporary: async () => (await create()).createTemporary(),
    move,
    write: (path, octets) => writeFile(path, octets, { mode: 0o600 }),
    delete: (path) => rm(path, { force: true }),
  }
}

type Creating = Pick<Files, 'create' | 'createTemporary'>

const creatingIn = async (settings: Settings): Promise<Creating> => {
  const [{ createUploadFactory }, { ownPrefix }, { privateDirectory }] = await Promise.all([
    import('./upload-file.ts'),
    import('./stale-uploads.ts'),
    import('./private-directory.ts'),
  ])
  const directory = await privateDirectory(uploadsDirectoryPaths(settings))
  const createTemporary = createUploadFactory(directory, ownPrefix())
  // what is to be kept is nobody's: it is never taken away
  const areDeleted = settings['fw.http.body.delete-uploaded-files-on-end']
  return {
    create: areDeleted ? createTemporary : createUploadFactory(directory, ''),
    createTemporary,
  }
}

/**
 * The absolute paths of which the first private directory is used. By default there are two: another user who creates
 * `uploads` in the temporary directory of the machine cannot prevent the start.
 */
export const uploadsDirectoryPaths = (settings: Settings): ReadonlyArray<string> => {
  const configured = settings['fw.http.body.uploads-directory']
  const names =
    configured === undefined
      ? ['uploads', `espalier-uploads-${process.geteuid?.() ?? 'user'}`]
      : [configured]
  return names.map((name) => resolve(tmpdir(), name))
}

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
