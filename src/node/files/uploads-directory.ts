/** The uploads directory at the start of a server: checked, and swept of files that ended processes have left. */
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import { uploadsDirectoryPaths } from './file-system.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

export interface UploadsDirectory {
  /** Why the directory cannot be used. */
  readonly errors: ReadonlyArray<Mistake>
  /** Deletes the files of ended processes. */
  readonly sweep: () => Promise<void>
  /** Deletes the files of a worker of this process that has ended. */
  readonly sweepThread: (thread: number) => Promise<void>
}

const nothing = (): Promise<void> => Promise.resolve()

/** For programs that write no files: the directory is neither created nor checked. */
export const noUploadsDirectory: UploadsDirectory = {
  errors: [],
  sweep: nothing,
  sweepThread: nothing,
}

const name = 'fw.http.body.uploads-directory'

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
      concerns: [`${name} (from ${origin(name)}): ${path}`],
      remedy: `${reason}, or set ${name} to another directory`,
    }))
    return { ...noUploadsDirectory, errors }
  }
}
