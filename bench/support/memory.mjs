/** What a process holds in memory, as the operating system counts it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const idleMilliseconds = 1_000

const octetsPerKilobyte = 1_024 // of /proc and of ps alike

/** @type {(pid: number) => number} */
const residentKilobytes = (pid) => {
  const status = `/proc/${pid}/status`
  if (existsSync(status))
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1])
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}

/**
 * The resident set of a process that has nothing to do, after a while, in megabytes of 1,000,000
 * octets.
 *
 * @type {(pid: number) => Promise<number>}
 */
export const idleMegabytes = async (pid) => {
  await sleep(idleMilliseconds)
  return (residentKilobytes(pid) * octetsPerKilobyte) / 1_000_000
}
