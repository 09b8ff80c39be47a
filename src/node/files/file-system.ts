/** The file system of the platform. */
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import type { FileSystem } from '../../interpreter/file-system.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { mapOpenError } from '../../interpreter/file-system.ts'
import { openFile, openHandle } from './open-file.ts'
import { uploadsDirectoryPaths } from './uploads-directory.ts'

/** Creates the file system. Modules and directories for uploads are loaded and created on first use. */
export const createFileSystem = (settings: Settings): FileSystem => {
  let factories: Promise<UploadFactories> | undefined
  const load = async (): Promise<UploadFactories> => {
    try {
      return await (factories ??= loadFactories(settings))
    } catch (error) {
      // the next upload tries again
      factories = undefined
      throw mapOpenError(error)
    }
  }
  return {
    open: openFile,
    adopt: openHandle,
    create: async () => (await load()).create(),
    createTemporary: async () => (await load()).createTemporary(),
    move,
    write: (path, bytes) => writeFile(path, bytes, { mode: 0o600 }),
    delete: (path) => rm(path, { force: true }),
  }
}

type UploadFactories = Pick<FileSystem, 'create' | 'createTemporary'>

const loadFactories = async (settings: Settings): Promise<UploadFactories> => {
  const [{ createUploadFactory }, { ownPrefix }, { privateDirectory }] = await Promise.all([
    import('./upload-file.ts'),
    import('./stale-uploads.ts'),
    import('./private-directory.ts'),
  ])
  const directory = await privateDirectory(uploadsDirectoryPaths(settings))
  const createTemporary = createUploadFactory(directory, ownPrefix())
  // files without a prefix are never deleted
  const areDeleted = settings['fw.http.body.delete-uploaded-files-on-end']
  return {
    create: areDeleted ? createTemporary : createUploadFactory(directory, ''),
    createTemporary,
  }
}

/** Moves a file. It is copied if the target is on another file system. */
const move = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyFile(from, to)
    await rm(from, { force: true })
  }
}
