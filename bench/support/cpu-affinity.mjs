/** Pins the server and the load generator to different CPU cores, so that they do not compete. */
import { spawnSync } from 'node:child_process'

/** @typedef {readonly [string, ...string[]]} Command */

/** The core of each process. */
export const core = { server: 0, generator: 1 }

/** @type {(on: number, command: Command) => Command} */
const taskset = (on, command) => ['taskset', '--cpu-list', String(on), ...command]

/** @type {(command: Command) => boolean} */
const succeeds = ([name, ...rest]) => spawnSync(name, rest).status === 0

/** Whether `taskset` is installed and both cores are available. */
export const canPin = Object.values(core).every((on) => succeeds(taskset(on, ['true'])))

/**
 * Returns a command that runs `command` on one core. Returns `command` itself if pinning is not possible.
 *
 * @type {(on: number, command: Command) => Command}
 */
export const pin = (on, command) => (canPin ? taskset(on, command) : command)
