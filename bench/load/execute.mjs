/**
 * Runs the command of a load generator, on its core, and gives what it prints.
 *
 * @import { Command } from '../support/cpu-affinity.mjs'
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { core, pinned } from '../support/cpu-affinity.mjs'

const graceMilliseconds = 10_000

/**
 * Throws when the command fails, or takes much longer than the seconds it is meant to take.
 *
 * @type {(command: Command, seconds: number) => Promise<string>}
 */
export const execute = async (command, seconds) => {
  const [name, ...rest] = pinned(core.generator, command)
  const { stdout } = await promisify(execFile)(name, rest, {
    timeout: seconds * 1_000 + graceMilliseconds,
    killSignal: 'SIGKILL',
  })
  return stdout
}
