/**
 * Starts and stops servers as child processes.
 *
 * @import { ChildProcess } from 'node:child_process'
 * @import { Server } from './servers.mjs'
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:http2'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { core, pin } from './cpu-affinity.mjs'

/**
 * @typedef {object} Running
 * @property {Server} server
 * @property {string} origin
 * @property {number} pid
 * @property {number} startMilliseconds from the start of the process to its first response
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

/** Reads the port that a process prints on its standard output. @type {(child: ChildProcess, signal: AbortSignal) => Promise<number>} */
const announcedPort = async (child, signal) => {
  if (child.stdout === null) throw new Error('no standard output')
  const lines = createInterface(child.stdout)
  const port = await Promise.race([
    once(lines, 'line', { signal }).then(([line]) => Number(line)),
    once(child, 'exit', { signal }).then(() => undefined),
  ])
  if (!port) throw new Error('the process printed no port')
  return port
}

/** Waits for a response on a new connection. @type {(url: URL, signal: AbortSignal) => Promise<void>} */
const firstResponse = async (url, signal) => {
  const [response] = await once(get(url, { agent: false, signal }), 'response', { signal })
  response.resume()
  await once(response, 'end', { signal })
  if (response.statusCode !== 200)
    throw new Error(`unexpected status ${response.statusCode} of the first response`)
}

/** Waits for a response over HTTP/2. @type {(url: URL, signal: AbortSignal) => Promise<void>} */
const firstHttp2Response = async (url, signal) => {
  const session = connect(url.origin)
  try {
    const request = session.request({ ':path': url.pathname })
    const [headers] = await once(request, 'response', { signal })
    request.resume()
    await once(request, 'end', { signal })
    if (headers[':status'] !== 200)
      throw new Error(`unexpected status ${headers[':status']} of the first response`)
  } finally {
    session.destroy()
  }
}

/**
 * The program of a server.
 *
 * @typedef {object} Program
 * @property {string} name its file name in `server/`
 * @property {Readonly<Record<string, string>>} environment additional environment variables
 * @property {string} [folder] path of `bench/` in another checkout; default: this one
 * @property {boolean} [isHttp2] whether the server accepts HTTP/2 with prior knowledge only; default: HTTP/1.1
 */

/**
 * Starts a server with `size` item routes.
 *
 * @type {(server: Server, size: number) => Promise<Running>}
 */
export const start = (server, size) =>
  startProgram(server, { name: server.name, environment: { BENCH_ROUTES: String(size) } })

/**
 * Starts a program on a free port, pinned to the server core, and waits for its first response. `taskset` replaces itself
 * with the server, so the child process is the server itself.
 *
 * @type {(server: Server, program: Program) => Promise<Running>}
 */
export const startProgram = async (server, { name, environment, folder, isHttp2 = false }) => {
  const script =
    folder === undefined
      ? fileURLToPath(new URL(`../server/${name}.mjs`, import.meta.url))
      : `${folder}server/${name}.mjs`
  const [command, ...rest] = pin(core.server, [process.execPath, script, '0'])
  const begin = performance.now()
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const signal = AbortSignal.timeout(startLimitMilliseconds)
  try {
    const origin = `http://127.0.0.1:${await announcedPort(child, signal)}`
    await (isHttp2 ? firstHttp2Response : firstResponse)(new URL('/plaintext', origin), signal)
    const startMilliseconds = performance.now() - begin
    if (child.pid === undefined) throw new Error('no process')
    return { server, origin, pid: child.pid, startMilliseconds, stop: () => stop(child) }
  } catch (cause) {
    await stop(child)
    throw new Error(`server ${server.name} did not start`, { cause })
  }
}
