/** Servers as child processes that report their resource usage. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { core, pin } from '../support/cpu-affinity.mjs'

/**
 * The resource usage of a process after a garbage collection.
 *
 * @typedef {object} ResourceUsage
 * @property {number} heapUsed in bytes
 * @property {number} external memory outside of the heap that belongs to objects, in bytes
 * @property {number} rss in bytes
 * @property {number} descriptors number of open files and sockets
 * @property {number} resources number of active resources (`process.getActiveResourcesInfo`)
 */

/**
 * @typedef {object} MeasuredServer
 * @property {URL} origin
 * @property {() => Promise<ResourceUsage>} usage
 * @property {() => Promise<void>} stop
 */

const preload = fileURLToPath(new URL('memory-probe.mjs', import.meta.url))

const limitMilliseconds = 20_000

/**
 * Starts a program that prints its port.
 *
 * @type {(script: string, words: readonly string[], environment?: Readonly<Record<string, string>>) => Promise<MeasuredServer>}
 */
export const startProcess = async (script, words, environment = {}) => {
  const arguments_ = ['--expose-gc', '--import', preload, script, ...words]
  const [command, ...rest] = pin(core.server, [process.execPath, ...arguments_])
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  /** Waits for an event; throws if the process exits first. @type {(from: NodeJS.EventEmitter, event: string) => Promise<unknown>} */
  const next = async (from, event) => {
    const done = new AbortController()
    const signal = AbortSignal.any([done.signal, AbortSignal.timeout(limitMilliseconds)])
    try {
      return await Promise.race([
        once(from, event, { signal }).then(([value]) => value),
        once(child, 'exit', { signal }).then(() => {
          throw new Error('the server exited')
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
    usage: async () => {
      const message = next(child, 'message')
      child.send('usage')
      return /** @type {ResourceUsage} */ (await message)
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
