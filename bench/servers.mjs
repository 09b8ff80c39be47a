/**
 * The servers that are compared, and one of them as a running process.
 *
 * @import { ChildProcess } from 'node:child_process'
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { core, pinned } from './pin.mjs'

/** @type {(path: string) => string} */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** @type {(title: string, folder: string) => string} */
const withVersion = (title, folder) =>
  `${title} ${JSON.parse(readFileSync(here(`${folder}/package.json`), 'utf8')).version}`

/**
 * @typedef {object} Server
 * @property {string} name as `--servers` takes it, and its file in `server/`
 * @property {string} title as the tables show it
 */

/** The first one is the measure of the others. @type {readonly [Server, ...Server[]]} */
export const servers = [
  { name: 'raw', title: 'raw `node:http`' },
  { name: 'espalier', title: withVersion('espalier', '..') },
  { name: 'fastify', title: withVersion('Fastify', 'node_modules/fastify') },
  { name: 'hono', title: withVersion('Hono', 'node_modules/hono') },
]

/**
 * @typedef {object} Running
 * @property {Server} server
 * @property {string} origin
 * @property {number} startMilliseconds from the start of the process to the open port
 * @property {() => Promise<void>} stop
 */

const startLimitMilliseconds = 20_000
const stopLimitMilliseconds = 5_000

/** @type {(process: ChildProcess) => Promise<void>} */
const stop = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMilliseconds)
  child.kill('SIGTERM')
  await exit
  clearTimeout(limit)
}

/**
 * Starts a server on a free port and a core of its own.
 *
 * @type {(server: Server) => Promise<Running>}
 */
export const start = async (server) => {
  const begin = performance.now()
  const [command, ...rest] = pinned(core.server, [
    process.execPath,
    here(`server/${server.name}.mjs`),
    '0',
  ])
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)
  const signal = AbortSignal.timeout(startLimitMilliseconds)
  try {
    const port = await Promise.race([
      once(lines, 'line', { signal }).then(([line]) => Number(line)),
      once(child, 'exit', { signal }).then(() => undefined),
    ])
    if (!port) throw new Error('no port was announced')
    return {
      server,
      origin: `http://127.0.0.1:${port}`,
      startMilliseconds: performance.now() - begin,
      stop: () => stop(child),
    }
  } catch (cause) {
    await stop(child)
    throw new Error(`server ${server.name} did not start`, { cause })
  }
}
