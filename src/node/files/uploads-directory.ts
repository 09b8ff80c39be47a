/**
 * Prepares the uploads directory of a server. The directory is checked, and files from ended processes are deleted, before the server
 * listens.
 */
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { ConfigurationIssue } from '../../endpoint/internal/configuration-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

/** The uploads directory of a server, or the configuration errors that prevent its use. */
export interface UploadsDirectory {
  /** The configuration errors. The array is empty if the directory can be used. */
  readonly errors: ReadonlyArray<ConfigurationIssue>
  /** Deletes the files that ended processes have left in the directory. */
  readonly sweep: () => Promise<void>
  /** Deletes the files that an ended worker in this process has left in the directory. */
  readonly sweepThread: (thread: number) => Promise<void>
}

const noop = (): Promise<void> => Promise.resolve()

/** The value for programs that do not write files. The directory is neither created nor checked. */
export const noUploadsDirectory: UploadsDirectory = {
  errors: [],
  sweep: noop,
  sweepThread: noop,
}

const setting = 'fw.http.body.uploads-directory'

/**
 * Returns the candidates for the uploads directory as absolute paths. The first candidate that is a private directory is used.
 *
 * By default, there are two candidates. If there were only one, another user could prevent the server from starting by creating `uploads`
 * in the temporary directory of the system.
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
