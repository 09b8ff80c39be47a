/** The directory for uploads: checked when a server starts, and cleaned of the files of ended processes. */
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

export interface UploadsDirectory {
  /** The reasons why the directory cannot be used. */
  readonly errors: ReadonlyArray<Mistake>
  /** Deletes the files of ended processes. */
  readonly sweep: () => Promise<void>
  /** Deletes the files of an ended worker of this process. */
  readonly sweepThread: (thread: number) => Promise<void>
}

const nothing = (): Promise<void> => Promise.resolve()

/** For programs that write no files: the directory is neither created nor checked. */
export const noUploadsDirectory: UploadsDirectory = {
  errors: [],
  sweep: nothing,
  sweepThread: nothing,
}

const setting = 'fw.http.body.uploads-directory'

/**
 * Returns the absolute paths of which the first private directory is used.
 *
 * By default there are two: another user who creates `uploads` in the temporary directory of the system cannot prevent the start.
 */
export const uploadsDirectoryPaths = (settings: Settings): ReadonlyArray<string> => {
  const configured = settings[setting]
  const names =
    configured === undefined
      ? ['uploads', `espalier-uploads-${process.geteuid?.() ?? 'user'}`]
      : [configured]
  return names.map((name) => resolve(tmpdir(), name))
}

/** Creates the directory if it is missing, and checks it. */
export const prepareUploadsDirectory = async ({
  settings,
  origin,
}: LoadedSettings): Promise<UploadsDirectory> => {
  const [{ privateDirectory, UnsafeDirectoryError }, stale] = await Promise.all([
    import('./private-directory.ts'),
    import('./stale-uploads.ts'),
  ])
  try {
    const directory = await privateDirectory(uploadsDirectoryPaths(settings))
    return {
      errors: [],
      sweep: () => stale.sweep(directory),
      sweepThread: (thread) => stale.sweepThread(directory, thread),
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
