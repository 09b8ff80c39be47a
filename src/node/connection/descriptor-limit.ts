/**
 * How many files, connections among them, the process may have open (RLIMIT_NOFILE). Node raises what it is limited to as far as
 * it may when it starts, so it does not change any more.
 */
import { readFileSync, readdirSync } from 'node:fs'
import type { Share } from '../../compiler/settings/percentage.ts'

/** Files that remain for responses and uploads beyond those that are open when the server starts. */
const reserve = 8

/** The number of files of a process. */
export interface Descriptors {
  /** Maximum number; `undefined` if the system does not tell it. Only Linux does. */
  readonly limit: () => number | undefined
  /** Number of open files. */
  readonly openCount: () => number
}

/**
 * Resolves `fw.http.limits.max-connections`. A percentage of an unknown number is no limit. With few files, the connections
 * leave room for the files that are open already, and for some more.
 */
export const resolveMaxConnections = (
  most: number | Share | undefined,
  files: Descriptors = ofProcess,
): number | undefined => {
  if (typeof most !== 'object') return most
  const all = files.limit()
  if (all === undefined) return undefined
  const share = Math.floor((all * most.percent) / 100)
  return Math.max(1, Math.min(share, all - files.openCount() - reserve))
}

const ofProcess: Descriptors = {
  limit: () => {
    try {
      const limits = readFileSync('/proc/self/limits', 'utf8')
      const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? []
      return soft === undefined ? undefined : Number(soft)
    } catch {
      return undefined
    }
  },
  openCount: () => {
    try {
      return readdirSync('/proc/self/fd').length
    } catch {
      return 0
    }
  },
}
