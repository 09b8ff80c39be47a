/** The resident set size of a process, as the operating system reports it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const idleMilliseconds = 1_000

const bytesPerKilobyte = 1_024 // in /proc and in the output of ps

/** @type {(pid: number) => number} */
const residentKilobytes = (pid) => {
  const status = `/proc/${pid}/status`
  if (existsSync(status))
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1])
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}

/**
 * Returns the resident set size of a process after one idle second, in megabytes of 1,000,000 bytes.
 *
 * @type {(pid: number) => Promise<number>}
 */
export const idleMegabytes = async (pid) => {
  await sleep(idleMilliseconds)
  return (residentKilobytes(pid) * bytesPerKilobyte) / 1_000_000
}
