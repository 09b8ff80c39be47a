/**
 * How many files, connections among them, the process may have open (RLIMIT_NOFILE). Node raises what it is limited to as far as
 * it may when it starts, so it does not change any more.
 */
import { readFileSync } from 'node:fs'
import type { Share } from '../interpreter/share.ts'

/** The number that a setting comes to; `undefined` is no limit, and so is a part of what the system does not tell (it is Linux that does). */
export const connectionsOf = (
  most: number | Share | undefined,
  openFiles: () => number | undefined = mostOpenFiles,
): number | undefined => {
  if (typeof most !== 'object') return most
  const files = openFiles()
  return files === undefined ? undefined : Math.max(1, Math.floor((files * most.percent) / 100))
}

const mostOpenFiles = (): number | undefined => {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
