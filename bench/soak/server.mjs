/**
 * The server that is soaked, as a process that tells what it holds.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { core, pinned } from '../support/cpu-affinity.mjs'

/**
 * What a process holds after a garbage collection.
 *
 * @typedef {object} Holding
 * @property {number} heapUsed octets
 * @property {number} rss octets
 * @property {number} descriptors open files and sockets
 * @property {number} resources what keeps the event loop going, as Node counts it
 */

/**
 * @typedef {object} Soaked
 * @property {URL} origin
 * @property {() => Promise<Holding>} holding
 * @property {() => Promise<void>} stop
 */

const [server, preload] = ['../server/espalier.mjs', 'memory-probe.mjs'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
)

const limitMilliseconds = 20_000

/** @type {() => Promise<Soaked>} */
export const start = async () => {
  const arguments_ = ['--expose-gc', '--import', String(preload), String(server), '0']
  const [command, ...rest] = pinned(core.server, [process.execPath, ...arguments_])
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  /** The first of these events; throws when the process ends before. @type {(from: NodeJS.EventEmitter, event: string) => Promise<unknown>} */
  const next = async (from, event) => {
    const done = new AbortController()
    const signal = AbortSignal.any([done.signal, AbortSignal.timeout(limitMilliseconds)])
    try {
      return await Promise.race([
        once(from, event, { signal }).then(([value]) => value),
        once(child, 'exit', { signal }).then(() => {
          throw new Error('the server ended')
        }),
      ])
    } finally {
      done.abort()
    }
  }
  if (child.stdout === null) throw new Error('no standard output')
  const port = await next(createInterface(child.stdout), 'line')
  return {
    origin: new URL(`http://127.0.0.1:${port}`),
    holding: async () => {
      const answer = next(child, 'message')
      child.send('holding')
      return /** @type {Holding} */ (await answer)
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      const limit = setTimeout(() => child.kill('SIGKILL'), limitMilliseconds)
      child.kill('SIGTERM')
      await exit
      clearTimeout(limit)
    },
  }
}
