/**
 * The maximum number of connections, as a share of the files that the process may have open (RLIMIT_NOFILE).
 *
 * Node.js raises the soft limit to the hard limit when it starts, so the number does not change later.
 */
import { readFileSync, readdirSync } from 'node:fs'
import type { Percentage } from '../../compiler/settings/percentage.ts'

/** Files that stay available for responses and uploads, in addition to those that are open when the server starts. */
const reservedFiles = 8

/** The file descriptors of a process. */
export interface Descriptors {
  /** Returns the maximum number; `undefined` if it is unknown, on systems other than Linux. */
  readonly limit: () => number | undefined
  readonly openCount: () => number
}

/**
 * Resolves `fw.http.limits.max-connections`. A percentage of an unknown limit is no limit. If the limit is low, the result leaves
 * room for the files that are already open, and for some more.
 */
export const resolveMaxConnections = (
  configured: number | Percentage | undefined,
  descriptors: Descriptors = ofProcess,
): number | undefined => {
  if (typeof configured !== 'object') return configured
  const limit = descriptors.limit()
  if (limit === undefined) return undefined
  const share = Math.floor((limit * configured.percent) / 100)
  return Math.max(1, Math.min(share, limit - descriptors.openCount() - reservedFiles))
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
