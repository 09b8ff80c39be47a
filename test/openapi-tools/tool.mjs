/** Functions that start programs and servers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Absolute path of this folder. */
export const folder = fileURLToPath(new URL('.', import.meta.url))

/** Folder of the documents, generated clients and reports. It is not part of the repository. */
export const output = `${folder}dist/`

/** Compiled files of the repository. */
export const compiled = new URL('../../dist/', import.meta.url)

/**
 * Runs a program in this folder and returns its exit code and its output.
 *
 * @type {(command: string, args: ReadonlyArray<string>, environment?: Readonly<Record<string, string>>) =>
 *   Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export const run = async (command, args, environment = {}) => {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/**
 * Runs a program of an installed package. Throws an error with its output if it fails.
 *
 * @type {(name: string, ...args: ReadonlyArray<string>) => Promise<void>}
 */
export const runTool = async (name, ...args) => {
  const { code, stdout, stderr } = await run(`${folder}node_modules/.bin/${name}`, args)
  if (code !== 0) throw new Error(`${name} exits with ${code}\n${stdout}\n${stderr}`)
}

/**
 * Serves the compiled showcase in a process of its own, and passes its URL to a function.
 *
 * @type {<A>(use: (url: string) => Promise<A>) => Promise<A>}
 */
export const withShowcase = (use) =>
  withServer([fileURLToPath(new URL('src/showcase/main.js', compiled))], use)

/**
 * Runs a program that prints `listening on URL`, and passes the URL to a function.
 *
 * @type {<A>(args: ReadonlyArray<string>, use: (url: string) => Promise<A>) => Promise<A>}
 */
export const withServer = async (args, use) => {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, FW_HTTP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = text(child.stderr)
  const ended = once(child, 'close')
  try {
    return await use(await urlOf(child.stdout, log))
  } finally {
    child.kill()
    await ended
  }
}

const urlOf = async (stdout, log) => {
  const lines = createInterface({ input: stdout })
  for await (const line of lines) {
    const [, url] = /listening on (\S+)/.exec(line) ?? []
    if (url !== undefined) {
      stdout.resume()
      return url
    }
  }
  throw new Error(`the server does not start: ${await log}`)
}
