/** Keeps server and load generator out of each other's way: a core for each. */
import { spawnSync } from 'node:child_process'

/** @typedef {readonly [string, ...string[]]} Command */

/** The core of each part. */
export const core = { server: 0, generator: 1 }

/** @type {(on: number, command: Command) => Command} */
const taskset = (on, command) => ['taskset', '--cpu-list', String(on), ...command]

/** @type {(command: Command) => boolean} */
const runs = ([name, ...rest]) => spawnSync(name, rest).status === 0

/** Whether commands can be pinned here: `taskset` is installed and both cores can be used. */
export const pinning = Object.values(core).every((on) => runs(taskset(on, ['true'])))

/**
 * The command that runs the given one on one core; the same command where that cannot be.
 *
 * @type {(on: number, command: Command) => Command}
 */
export const pinned = (on, command) => (pinning ? taskset(on, command) : command)
