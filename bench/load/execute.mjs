/**
 * Runs load generators.
 *
 * @import { Command } from '../support/cpu-affinity.mjs'
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { core, pin } from '../support/cpu-affinity.mjs'

const graceMilliseconds = 10_000

/**
 * Runs a command, pinned to the core of the load generator, and returns its standard output. Throws if it fails, or if it runs
 * more than 10 s longer than `seconds`.
 *
 * @type {(command: Command, seconds: number) => Promise<string>}
 */
export const execute = async (command, seconds) => {
  const [name, ...rest] = pin(core.generator, command)
  const { stdout } = await promisify(execFile)(name, rest, {
    timeout: seconds * 1_000 + graceMilliseconds,
    killSignal: 'SIGKILL',
  })
  return stdout
}
