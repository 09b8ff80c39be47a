/**
 * Programs that call a service, each in a process of its own.
 *
 * @typedef {object} Turn
 * @property {'find' | 'list' | 'add'} what
 * @property {number} calls
 *
 * @typedef {object} Told microseconds per call
 * @property {unknown} value what a call has given
 * @property {number} wall
 * @property {number} processor
 *
 * @typedef {object} Caller
 * @property {(turn: Turn) => Promise<Told>} call
 * @property {() => void} stop
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { core, pinned } from '../support/cpu-affinity.mjs'

const file = fileURLToPath(new URL('caller.mjs', import.meta.url))

/** @type {(way: string, origin: string) => Caller} */
export const caller = (way, origin) => {
  const [command, ...rest] = pinned(core.generator, [process.execPath, file, way, origin])
  const child = spawn(command, rest, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return {
    call: async (turn) => {
      const over = new AbortController()
      const { signal } = over
      child.send(turn)
      try {
        const [told] = await Promise.race([
          once(child, 'message', { signal }),
          once(child, 'exit', { signal }).then(() => {
            throw new Error(`${way} has ended`)
          }),
        ])
        return told
      } finally {
        over.abort()
      }
    },
    stop: () => void child.kill(),
  }
}
