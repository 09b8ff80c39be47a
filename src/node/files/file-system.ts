/**
 * Implements the platform's file system, which handles files for responses, uploads and spooled bodies. A spooled body is a request
 * body that is stored in a temporary file.
 */
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import type { FileSystem } from '../../interpreter/exchange.ts'
import { mapOpenError } from '../../interpreter/exchange.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { openFile, openHandle } from './open-file.ts'
import { uploadsDirectoryPaths } from './uploads-directory.ts'
import { codeOf } from '../../http/platform-value.ts'

/** Creates the file system. On the first upload, the required modules are loaded and the uploads directory is created. */
export const createFileSystem = (settings: Settings): FileSystem => {
  let factories: Promise<UploadFactories> | undefined
  const load = async (): Promise<UploadFactories> => {
    try {
      return await (factories ??= loadFactories(settings))
    } catch (error) {
      // the next upload retries
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
  const [{ createUploadFactory }, { ownPrefix, privateDirectory }] = await Promise.all([
    import('./upload-file.ts'),
    import('./private-directory.ts'),
  ])
  const directory = await privateDirectory(uploadsDirectoryPaths(settings))
  const createTemporary = createUploadFactory(directory, ownPrefix())
  // files without a prefix are not deleted by a later process
  const areDeleted = settings['fw.http.body.delete-uploaded-files-on-end']
  return {
    create: areDeleted ? createTemporary : createUploadFactory(directory, ''),
    createTemporary,
  }
}

/** Moves a file. If the target is on another file system, the file is copied and the original is deleted. */
const move = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to)
    await rm(from, { force: true })
  }
}
