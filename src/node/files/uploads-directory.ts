/** The uploads directory at the start of a server: checked, and swept of files that ended processes have left. */
import type { Mistake } from '../../endpoint/mistake.ts'
import { uploadsDirectories } from './file-system.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

export interface CheckedUploads {
  /** Why the directory cannot be used. */
  readonly mistakes: ReadonlyArray<Mistake>
  /** Deletes the files of ended processes. */
  readonly sweep: () => Promise<void>
  /** Deletes the files of a worker of this process that has ended. */
  readonly sweepThread: (thread: number) => Promise<void>
}

const nothing = (): Promise<void> => Promise.resolve()

/** For programs that write no files: the directory is neither created nor checked. */
export const noUploads: CheckedUploads = { mistakes: [], sweep: nothing, sweepThread: nothing }

const name = 'fw.http.body.uploads-directory'

/** Creates the directory if it is missing, and checks it. */
export const checkedUploads = async ({
  settings,
  origin,
}: LoadedSettings): Promise<CheckedUploads> => {
  const [{ privateDirectory, UnsafeDirectoryError }, stale] = await Promise.all([
    import('./private-directory.ts'),
    import('./stale-uploads.ts'),
  ])
  try {
    const directory = await privateDirectory(uploadsDirectories(settings))
    return {
      mistakes: [],
      sweep: () => stale.sweep(directory),
      sweepThread: (thread) => stale.sweepThread(directory, thread),
    }
  } catch (error) {
    if (!(error instanceof UnsafeDirectoryError)) throw error
    const mistakes = error.reasons.map(([path, reason]) => ({
      code: 'FW-CONF-005' as const,
      concerns: [`${name} (from ${origin(name)}): ${path}`],
      remedy: `${reason}, or set ${name} to another directory`,
    }))
    return { ...noUploads, mistakes }
  }
}
