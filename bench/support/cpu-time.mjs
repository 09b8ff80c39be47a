/** The CPU time of a process, read from `/proc`. */
import { existsSync, readFileSync } from 'node:fs'

/** Clock ticks per second (`USER_HZ`), which is 100 on all architectures that Node.js supports. */
const ticksPerSecond = 100

/**
 * Returns the CPU seconds that a process has used, in user and kernel mode; `undefined` without `/proc`.
 *
 * @type {(pid: number) => number | undefined}
 */
export const cpuSeconds = (pid) => {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  // the second field is the name of the program in parentheses, which may contain any character
  const [, , , , , , , , , , , user, kernel] = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(user) + Number(kernel)) / ticksPerSecond
}
