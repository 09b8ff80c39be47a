/**
 * Implements the platform's file system, which handles files for responses, uploads and spooled bodies, and prepares the directory of
 * uploads before the server starts listening. A spooled body is a request body that is stored in a temporary file.
 */
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import type { FileSystem } from '../../interpreter/exchange.ts'
import { mapOpenError } from '../../interpreter/exchange.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { openFile, openHandle } from './open-file.ts'
import { codeOf } from '../../http/platform-value.ts'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

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

/** The uploads directory of a server, or the configuration errors that prevent its use. */
export interface UploadsDirectory {
  /** The configuration errors. Empty if the directory can be used. */
  readonly errors: ReadonlyArray<ConfigurationIssue>
  /** Deletes the files that exited processes on this machine have left in the directory. */
  readonly sweep: () => Promise<void>
  /** Deletes the files that an exited worker of this process has left in the directory. */
  readonly sweepThread: (thread: number) => Promise<void>
}

const noop = (): Promise<void> => Promise.resolve()

/** The uploads directory of a program that does not write files. It is neither created nor checked. */
export const noUploadsDirectory: UploadsDirectory = {
  errors: [],
  sweep: noop,
  sweepThread: noop,
}

const setting = 'fw.http.body.uploads-directory'

/**
 * Returns the possible absolute paths of the uploads directory. The server uses the first path at which a private directory exists
 * or can be created.
 *
 * There are two paths by default. If there were only one, another user could prevent the server from starting by creating
 * `uploads` in the system's temporary directory.
 */
export const uploadsDirectoryPaths = (settings: Settings): ReadonlyArray<string> => {
  const configured = settings[setting]
  const names =
    configured === undefined
      ? ['uploads', `espalier-uploads-${process.geteuid?.() ?? 'user'}`]
      : [configured]
  return names.map((name) => resolve(tmpdir(), name))
}

/** Creates the uploads directory if it is missing, and checks whether it is private. */
export const prepareUploadsDirectory = async ({
  settings,
  origin,
}: LoadedSettings): Promise<UploadsDirectory> => {
  const { privateDirectory, sweep, sweepThread, UnsafeDirectoryError } =
    await import('./private-directory.ts')
  try {
    const directory = await privateDirectory(uploadsDirectoryPaths(settings))
    return {
      errors: [],
      sweep: () => sweep(directory),
      sweepThread: (thread) => sweepThread(directory, thread),
    }
  } catch (error) {
    if (!(error instanceof UnsafeDirectoryError)) throw error
    const errors = error.reasons.map(([path, reason]) => ({
      code: 'FW-CONF-005' as const,
      concerns: [`${setting} (from ${origin(setting)}): ${path}`],
      remedy: `${reason}, or set ${setting} to another directory`,
    }))
    return { ...noUploadsDirectory, errors }
  }
}
