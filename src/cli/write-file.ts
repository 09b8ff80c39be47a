/** Writes files so that readers see either the old or the new content. */
import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError } from './exit-code.ts'
import { messageOf } from '../http/platform-value.ts'

/**
 * Writes a file through a temporary file in the same directory, which is then renamed. If writing fails, an existing file is
 * unchanged, and no new file exists. Missing directories are created. Files such as pipes and devices are written directly.
 */
export const writeAtomically = async (file: string, text: string): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true })
    // the target of a symbolic link is replaced, and not the link
    const target = await realpath(file).catch(() => file)
    const existing = await stat(target).catch(() => undefined)
    await (existing === undefined || existing.isFile()
      ? replaceFile(target, text, existing?.mode)
      : writeFile(target, text))
  } catch (cause) {
    throw new CommandError('usage', `cannot write ${file}: ${reasonOf(cause)}`, { cause })
  }
}

const replaceFile = async (file: string, text: string, mode = 0o666): Promise<void> => {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    await writeFile(temporary, text, { mode, flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Returns the reason of a failed file operation, such as `ENOENT: no such file or directory`. */
export const reasonOf = (error: unknown): string => messageOf(error).replace(/, \w+( '[^]*)?$/, '')
