/**
 * Prepares the uploads directory before the server starts listening. The directory is checked, and files left behind by processes
 * that have ended are deleted.
 */
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

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
