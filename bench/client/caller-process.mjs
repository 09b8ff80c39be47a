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

const thisCheckout = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a caller that uses the build in a checkout. @type {(variant: string, origin: string, checkout?: string) => Caller} */
export const startCaller = (variant, origin, checkout = thisCheckout) => {
  const command = /** @type {const} */ ([process.execPath, file, variant, origin, checkout])
  const [program, ...rest] = pin(core.generator, command)
  const child = spawn(program, rest, {
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
