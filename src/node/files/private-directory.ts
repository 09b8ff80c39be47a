/**
 * A directory that only the user of the process can access.
 *
 * The path is resolved one component at a time, and missing directories are created with mode 0700. No other user may be able to
 * replace a component: every directory and link on the path must belong to the user or to root, and a directory that all users can
 * write to needs the sticky bit. So the result of the checks stays valid.
 *
 * Windows has neither owners nor modes here: there, only the type of the directory is checked.
 */
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { access, lstat, mkdir, readlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse, sep } from 'node:path'

/** The error if none of several directories can be used. */
export class UnsafeDirectoryError extends Error {
  /** Each path with the reason why it cannot be used, and the remedy. */
  readonly reasons: ReadonlyArray<readonly [path: string, reason: string]>
  constructor(reasons: UnsafeDirectoryError['reasons']) {
    const all = reasons.map(([path, reason]) => `${path}: ${reason}`)
    super(`unsafe uploads directory ${all.join('; ')}`)
    this.name = 'UnsafeDirectoryError'
    this.reasons = reasons
  }
}

/** Returns the first of several absolute paths that is a private directory, or can be created as one. Otherwise rejects. */
export const privateDirectory = async (paths: ReadonlyArray<string>): Promise<string> => {
  const reasons: Array<readonly [string, string]> = []
  for (const path of paths) {
    const reason = await makePrivate(path)
    if (reason === undefined) return path
    reasons.push([path, reason])
  }
  throw new UnsafeDirectoryError(reasons)
}

/** Maximum number of symbolic links on a path, as in Linux. */
const maxLinks = 40

/**
 * Creates the directory with an absolute path if it is missing, and checks it.
 *
 * Returns `undefined`, or the reason why it cannot be used, with the remedy.
 */
export const makePrivate = async (path: string): Promise<string | undefined> => {
  try {
    return (await unsafeParent(dirname(path))) ?? (await unsafe(path))
  } catch (error) {
    return `it cannot be created or accessed: ${error instanceof Error ? error.message : String(error)}`
  }
}

const unsafeParent = async (path: string): Promise<string | undefined> => {
  let current = parse(path).root
  const pending = componentsOf(path)
  const reason = rejectParent(current, await lstat(current))
  if (reason !== undefined) return reason
  for (let links = 0; pending.length > 0;) {
    const next = join(current, pending.shift() ?? '')
    const stats = await ensureExists(next)
    const found = rejectParent(next, stats)
    if (found !== undefined) return found
    if (!stats.isSymbolicLink()) {
      current = next
      continue
    }
    if (++links > maxLinks) return `${path} has too many symbolic links`
    const target = await readlink(next)
    if (isAbsolute(target)) current = parse(target).root
    pending.unshift(...componentsOf(target))
  }
  return undefined
}

const componentsOf = (path: string): string[] =>
  path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((component) => component !== '' && component !== '.')

/** Creates a directory unless the path exists, and returns the properties of the path. */
const ensureExists = async (path: string): Promise<Stats> => {
  try {
    return await lstat(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  return lstat(path)
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const rejectParent = (path: string, stats: Stats): string | undefined => {
  if (!stats.isDirectory() && !stats.isSymbolicLink()) return `${path} is not a directory`
  const own = process.geteuid?.()
  if (own === undefined) return undefined
  if (stats.uid !== own && stats.uid !== 0)
    return `${path} belongs to user ${stats.uid}, who can replace its contents: move the directory or change the owner`
  const isOpen = stats.isDirectory() && (stats.mode & 0o1002) === 0o0002
  return isOpen
    ? `all users can replace the contents of ${path}: run chmod o-w or chmod +t on it`
    : undefined
}

const unsafe = async (path: string): Promise<string | undefined> => {
  const stats = await ensureExists(path)
  if (stats.isSymbolicLink()) return 'it is a symbolic link: set the path of a directory'
  if (!stats.isDirectory()) return 'it is not a directory'
  const own = process.geteuid?.()
  if (own === undefined) return undefined
  if (stats.uid !== own) return `it belongs to user ${stats.uid}, and the process runs as ${own}`
  if ((stats.mode & 0o077) !== 0)
    return `other users can access it (mode ${(stats.mode & 0o777).toString(8)}): run chmod 700 ${path}`
  await access(path, constants.W_OK | constants.X_OK)
  return undefined
}
