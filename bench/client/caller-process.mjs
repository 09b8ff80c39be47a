/**
 * Starts programs that call the service as child processes.
 *
 * @typedef {object} Turn
 * @property {'find' | 'list' | 'add'} operation
 * @property {number} calls
 *
 * @typedef {object} CallResult times in microseconds per call
 * @property {unknown} value the result of a call
 * @property {number} wall
 * @property {number} cpu
 *
 * @typedef {object} Caller
 * @property {(turn: Turn) => Promise<CallResult>} call
 * @property {() => void} stop
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { core, pin } from '../support/cpu-affinity.mjs'

const file = fileURLToPath(new URL('caller.mjs', import.meta.url))

/** @type {(variant: string, origin: string) => Caller} */
export const startCaller = (variant, origin) => {
  const [command, ...rest] = pin(core.generator, [process.execPath, file, variant, origin])
  const child = spawn(command, rest, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return {
    call: async (turn) => {
      const done = new AbortController()
      const { signal } = done
      child.send(turn)
      try {
        const [result] = await Promise.race([
          once(child, 'message', { signal }),
          once(child, 'exit', { signal }).then(() => {
            throw new Error(`${variant} exited`)
          }),
        ])
        return result
      } finally {
        done.abort()
      }
    },
    stop: () => void child.kill(),
  }
}
