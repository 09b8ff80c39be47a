/**
 * Creates a private directory for uploads, and deletes uploads left behind by processes that have ended.
 *
 * Only the user that runs the process can access the directory. Its path is resolved one component at a time, and missing
 * directories are created with mode 0700. Every directory and symbolic link in the path must belong to this user or to root.
 * World-writable directories must have the sticky bit set. These rules ensure that no other user can replace a component after the
 * check.
 *
 * On Windows, Node.js does not report owners and modes. There, the check only ensures that the path is a directory.
 */
import type { Stats } from 'node:fs'
import { constants, readFileSync } from 'node:fs'
import { access, lstat, mkdir, readlink, readFile, readdir, unlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse, sep } from 'node:path'
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { threadId } from 'node:worker_threads'
import { codeOf, messageOf } from '../../http/platform-value.ts'

/** The error with which {@link privateDirectory} rejects if every directory is unsafe. */
export class UnsafeDirectoryError extends Error {
  /** The paths, each with a message that states why it is unsafe and how to fix it. */
  readonly reasons: ReadonlyArray<readonly [path: string, reason: string]>
  constructor(reasons: UnsafeDirectoryError['reasons']) {
    const all = reasons.map(([path, reason]) => `${path}: ${reason}`)
    super(`unusable uploads directory ${all.join('; ')}`)
    this.name = 'UnsafeDirectoryError'
    this.reasons = reasons
  }
}

/**
 * Resolves to the first path at which a private directory exists or can be created. All paths must be absolute.
 *
 * Rejects with an {@link UnsafeDirectoryError} if every path is unsafe.
 */
export const privateDirectory = async (paths: ReadonlyArray<string>): Promise<string> => {
  const reasons: Array<readonly [string, string]> = []
  for (const path of paths) {
    const reason = await makePrivate(path)
    if (reason === undefined) return path
    reasons.push([path, reason])
  }
  throw new UnsafeDirectoryError(reasons)
}

/** Maximum number of symbolic links in a path. The limit is the same as on Linux. */
const maxLinks = 40

/**
 * Creates the directory with the given absolute path if it does not exist, and checks whether it is private.
 *
 * Resolves to `undefined` if the directory is private. Otherwise, resolves to a message that states why it is unsafe and how to fix
 * it.
 */
export const makePrivate = async (path: string): Promise<string | undefined> => {
  try {
    return (await unsafeParentReason(dirname(path))) ?? (await unsafeReason(path))
  } catch (error) {
    return `it cannot be created or accessed (${messageOf(error)}): check the permissions of the directory and of its parent`
  }
}

/**
 * Resolves to the reason why a component of a path is unsafe, or to `undefined` if all components are safe. Follows symbolic links.
 */
const unsafeParentReason = async (path: string): Promise<string | undefined> => {
  let current = parse(path).root
  const pending = componentsOf(path)
  const reason = unsafeComponentReason(current, await lstat(current))
  if (reason !== undefined) return reason
  for (let links = 0; pending.length > 0;) {
    const next = join(current, pending.shift() ?? '')
    const stats = await ensureExists(next)
    const componentReason = unsafeComponentReason(next, stats)
    if (componentReason !== undefined) return componentReason
    if (!stats.isSymbolicLink()) {
      current = next
      continue
    }
    if (++links > maxLinks)
      return `more than ${maxLinks} symbolic links were followed while resolving ${path}: use a path with fewer symbolic links`
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

/** Creates a directory if the path does not exist. Resolves to the `Stats` of the path. */
const ensureExists = async (path: string): Promise<Stats> => {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return lstat(path)
}

const unsafeComponentReason = (path: string, stats: Stats): string | undefined => {
  if (!stats.isDirectory() && !stats.isSymbolicLink())
    return `${path} is not a directory: remove it`
  const userId = process.geteuid?.()
  if (userId === undefined) return undefined
  if (stats.uid !== userId && stats.uid !== 0)
    return `${path} belongs to user ${stats.uid}, who can replace its contents: change the owner of ${path}`
  const isOpen = stats.isDirectory() && (stats.mode & 0o1002) === 0o0002
  return isOpen
    ? `any user can replace the contents of ${path}: run chmod o-w or chmod +t on it`
    : undefined
}

const unsafeReason = async (path: string): Promise<string | undefined> => {
  const stats = await ensureExists(path)
  if (stats.isSymbolicLink()) return 'it is a symbolic link: replace it with a directory'
  if (!stats.isDirectory()) return 'it is not a directory: remove it'
  const userId = process.geteuid?.()
  if (userId === undefined) return undefined
  if (stats.uid !== userId)
    return `it belongs to user ${stats.uid}, but the process runs as user ${userId}: change the owner of the directory`
  if ((stats.mode & 0o077) !== 0)
    return `other users can access it (mode ${(stats.mode & 0o777).toString(8)}): run chmod 700 ${path}`
  await access(path, constants.W_OK | constants.X_OK)
  return undefined
}

/**
 * Identifies this machine in file names. Each container counts as a separate machine. Uploads from other machines are not deleted,
 * because a process cannot determine whether a process on another machine is still running.
 */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/**
 * Returns the start time of a process, in clock ticks, from the text of `/proc/<pid>/stat` (proc(5)). The start time distinguishes
 * processes with the same process ID.
 */
const startTimeIn = (stat: string): string =>
  stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'

/** Returns the start time of this process, or `0` on systems other than Linux. */
const ownStartTime = (): string => {
  try {
    return startTimeIn(readFileSync('/proc/self/stat', 'latin1'))
  } catch {
    return '0'
  }
}

/** Returns the file name prefix for uploads received by the current thread. */
export const ownPrefix = (): string => prefixOf(threadId)

/** Returns the file name prefix for uploads received by a thread of this process. The main thread has the ID 0. */
const prefixOf = (thread: number): string => {
  const processPrefix = `upload-${machine}-${process.pid}-${ownStartTime()}-`
  return thread === 0 ? processPrefix : `${processPrefix}w${thread}-`
}

const uploadName = /^upload-([\da-f]{8})-(\d+)-(\d+)-(?:w\d+-)?[\da-f-]{36}$/

/** Deletes the uploads that exited processes on this machine have left in a private directory. Never rejects. */
export const sweep = async (directory: string): Promise<void> => {
  for (const name of await namesIn(directory)) {
    const [, origin, pid, startTime] = uploadName.exec(name) ?? []
    if (origin === machine && pid !== undefined && !(await isAlive(Number(pid), startTime)))
      await deleteFile(join(directory, name))
  }
}

/** Deletes the uploads that an exited worker of this process has left in a private directory. Never rejects. */
export const sweepThread = async (directory: string, thread: number): Promise<void> => {
  const prefix = prefixOf(thread)
  for (const name of await namesIn(directory))
    if (name.startsWith(prefix)) await deleteFile(join(directory, name))
}

const namesIn = (directory: string): Promise<ReadonlyArray<string>> =>
  readdir(directory).catch(() => [])

/**
 * Deletes a regular file owned by the current user. Links and files owned by other users are ignored, because they are not uploads.
 */
const deleteFile = async (path: string): Promise<void> => {
  try {
    const stats = await lstat(path)
    const userId = process.geteuid?.() ?? stats.uid
    if (stats.isFile() && stats.uid === userId) await unlink(path)
  } catch {}
}

const isAlive = async (pid: number, startTime: string | undefined): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user
    return codeOf(error) === 'EPERM'
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  return stat === undefined || startTime === startTimeIn(stat)
}
