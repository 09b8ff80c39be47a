/** Starts the servers and load generators of the hostile benchmark as child processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {string} firstLine the first line of the output, such as the URL of a server
 * @property {() => Promise<string>} nextLine
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a script of this folder and waits for the first line of its output.
 *
 * @type {(script: string, environment: Record<string, string>) => Promise<Child>}
 */
export const startChild = async (script, environment) => {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    exited.then(() => undefined),
  ])
  if (line === undefined || child.pid === undefined) throw new Error(`${script} did not start`)
  return {
    pid: child.pid,
    firstLine: line,
    nextLine: async () => String(await once(lines, 'line')),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}
