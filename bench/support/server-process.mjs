/**
 * One of the servers as a running process.
 *
 * @import { ChildProcess } from 'node:child_process'
 * @import { Server } from './servers.mjs'
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { core, pinned } from './cpu-affinity.mjs'

/**
 * @typedef {object} Running
 * @property {Server} server
 * @property {string} origin
 * @property {number} pid
 * @property {number} startMilliseconds from the start of the process to its first answer
 * @property {() => Promise<void>} stop
 */

const startLimitMilliseconds = 60_000
const stopLimitMilliseconds = 5_000

/** @type {(child: ChildProcess) => Promise<void>} */
const stop = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMilliseconds)
  child.kill('SIGTERM')
  await exit
  clearTimeout(limit)
}

/** The port that a process tells on its standard output. @type {(child: ChildProcess, signal: AbortSignal) => Promise<number>} */
const announcedPort = async (child, signal) => {
  if (child.stdout === null) throw new Error('no standard output')
  const lines = createInterface(child.stdout)
  const port = await Promise.race([
    once(lines, 'line', { signal }).then(([line]) => Number(line)),
    once(child, 'exit', { signal }).then(() => undefined),
  ])
  if (!port) throw new Error('no port was announced')
  return port
}

/** Waits for an answer, on a connection of its own. @type {(url: URL, signal: AbortSignal) => Promise<void>} */
const firstAnswer = async (url, signal) => {
  const [response] = await once(get(url, { agent: false, signal }), 'response', { signal })
  response.resume()
  await once(response, 'end', { signal })
  if (response.statusCode !== 200) throw new Error(`the first answer is ${response.statusCode}`)
}

/**
 * What is started of a server.
 *
 * @typedef {object} Program
 * @property {string} name its file in `server/`
 * @property {Readonly<Record<string, string>>} environment beside that of this process
 * @property {string} [folder] the `bench/` of another checkout
 */

/**
 * Starts a server with so many item routes.
 *
 * @type {(server: Server, size: number) => Promise<Running>}
 */
export const start = (server, size) =>
  startProgram(server, { name: server.name, environment: { BENCH_ROUTES: String(size) } })

/**
 * Starts a program of a server, on a free port and a core of its own, and sends it a request.
 * `taskset` becomes the server, so that the process that is started is the server itself.
 *
 * @type {(server: Server, program: Program) => Promise<Running>}
 */
export const startProgram = async (server, { name, environment, folder }) => {
  const script =
    folder === undefined
      ? fileURLToPath(new URL(`../server/${name}.mjs`, import.meta.url))
      : `${folder}server/${name}.mjs`
  const [command, ...rest] = pinned(core.server, [process.execPath, script, '0'])
  const begin = performance.now()
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const signal = AbortSignal.timeout(startLimitMilliseconds)
  try {
    const origin = `http://127.0.0.1:${await announcedPort(child, signal)}`
    await firstAnswer(new URL('/plaintext', origin), signal)
    const startMilliseconds = performance.now() - begin
    if (child.pid === undefined) throw new Error('no process')
    return { server, origin, pid: child.pid, startMilliseconds, stop: () => stop(child) }
  } catch (cause) {
    await stop(child)
    throw new Error(`server ${server.name} did not start`, { cause })
  }
}
