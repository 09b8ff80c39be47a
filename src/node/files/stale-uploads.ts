/**
 * Deletes uploads of ended processes and workers.
 *
 * The name of an upload identifies the machine, the process and its start time, and the thread if it is a worker.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { lstat, readFile, readdir, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** Processes of other machines cannot be checked. Containers that share a directory count as machines. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/**
 * Returns the start time of a process in clock ticks, from `/proc/<pid>/stat` (proc(5)), because process ids are reused. 0 on systems
 * other than Linux.
 */
const startTimeIn = (stat: string): string =>
  stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'

const ownStartTime = (): string => {
  try {
    return startTimeIn(readFileSync('/proc/self/stat', 'latin1'))
  } catch {
    return '0'
  }
}

/** Returns the prefix of the names of this thread's uploads. */
export const ownPrefix = (): string => prefixOf(threadId)

/** The main thread has the id 0. */
const prefixOf = (thread: number): string => {
  const ofProcess = `upload-${machine}-${process.pid}-${ownStartTime()}-`
  return thread === 0 ? ofProcess : `${ofProcess}w${thread}-`
}

const uploadName = /^upload-([\da-f]{8})-(\d+)-(\d+)-(?:w\d+-)?[\da-f-]{36}$/

/** Deletes the uploads that ended processes of this machine have left in a private directory. Never rejects. */
export const sweep = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch(() => [])
  for (const name of names) {
    const [, ofMachine, pid, startTime] = uploadName.exec(name) ?? []
    if (ofMachine === machine && pid !== undefined && !(await isAlive(Number(pid), startTime)))
      await remove(join(directory, name))
  }
}

/** Deletes a regular file of the own user. Links, and files of other users, are not uploads. */
const remove = async (path: string): Promise<void> => {
  try {
    const stats = await lstat(path)
    const own = process.geteuid?.() ?? stats.uid
    if (stats.isFile() && stats.uid === own) await unlink(path)
  } catch {}
}

/** Deletes the uploads of an ended worker of this process. Never rejects. */
export const sweepThread = async (directory: string, thread: number): Promise<void> => {
  const prefix = prefixOf(thread)
  const names = await readdir(directory).catch(() => [])
  for (const name of names) if (name.startsWith(prefix)) await remove(join(directory, name))
}

const isAlive = async (pid: number, startTime: string | undefined): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  return stat === undefined || startTime === startTimeIn(stat)
}
