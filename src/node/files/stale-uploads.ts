/**
 * Whose files of a directory for uploads are: their names begin with the machine, the process and its start, and with the thread,
 * where that is a worker. Those of processes and of workers that are gone are taken away.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { lstat, readFile, readdir, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** Processes of another machine cannot be asked for, and containers that share a directory are machines of their own. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** When a process started, in the ticks of Linux (proc(5)): numbers of processes come again. Elsewhere it is not known. */
const startOf = (stat: string): string =>
  stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'

const ownStart = (): string => {
  try {
    return startOf(readFileSync('/proc/self/stat', 'latin1'))
  } catch {
    return '0'
  }
}

/** What the names of this thread's files begin with. */
export const ownPrefix = (): string => prefixOf(threadId)

/** Threads are numbered from 0, which is the first of a process. */
const prefixOf = (thread: number): string => {
  const ofProcess = `upload-${machine}-${process.pid}-${ownStart()}-`
  return thread === 0 ? ofProcess : `${ofProcess}w${thread}-`
}

const owned = /^upload-([\da-f]{8})-(\d+)-(\d+)-(?:w\d+-)?[\da-f-]{36}$/

/** Deletes the files that ended processes of this machine have left in a private directory. Never rejects. */
export const sweep = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch(() => [])
  for (const name of names) {
    const [, of, pid, start] = owned.exec(name) ?? []
    if (of === machine && pid !== undefined && !(await isAlive(Number(pid), start)))
      await remove(join(directory, name))
  }
}

/** Deletes a regular file of the own user. Links and files of others have not been created by an upload. */
const remove = async (path: string): Promise<void> => {
  try {
    const stats = await lstat(path)
    const own = process.geteuid?.() ?? stats.uid
    if (stats.isFile() && stats.uid === own) await unlink(path)
  } catch {}
}

/** Deletes what a worker of this process has left that is gone. It never fails. */
export const sweepThread = async (directory: string, thread: number): Promise<void> => {
  const prefix = prefixOf(thread)
  const names = await readdir(directory).catch(() => [])
  for (const name of names) if (name.startsWith(prefix)) await remove(join(directory, name))
}

const isAlive = async (pid: number, start: string | undefined): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // there is one, of somebody else
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  return stat === undefined || start === startOf(stat)
}
