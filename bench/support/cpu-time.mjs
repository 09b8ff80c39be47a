/** The time of the processor that a process has taken, as Linux counts it. */
import { existsSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for programs, whatever it does itself. */
const perSecond = 100

/**
 * Seconds on the processor so far, in the program and in the kernel on its behalf; `undefined` where
 * there is no `/proc`.
 *
 * @type {(pid: number) => number | undefined}
 */
export const processorSeconds = (pid) => {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  // the second field is the name of the program, in parentheses and with anything inside
  const [, , , , , , , , , , , user, kernel] = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(user) + Number(kernel)) / perSecond
}
