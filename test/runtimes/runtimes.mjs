/** Runs bundles with the runtimes of `package.json`. The binaries are in packages for the platform, so no install scripts are needed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { arch, platform } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')

/** Returns the first file that exists. @type {(...candidates: ReadonlyArray<string>) => string} */
const binary = (...candidates) => {
  const found = candidates.map((path) => join(modules, path)).find(existsSync)
  if (found === undefined)
    throw new Error(`missing ${candidates.join(' and ')}: run npm ci --prefix test/runtimes`)
  return found
}

/** The versions of Node.js in `package.json`. */
export const nodeVersions = ['node-22', 'node-24', 'node-26']

/** Returns the path of a version of Node.js. @type {(name: string) => string} */
export const nodeBinary = (name) => binary(`${name}/bin/node`)

/** The commands that run a module. @type {Readonly<Record<string, () => ReadonlyArray<string>>>} */
const commands = {
  node: () => [process.execPath],
  deno: () => [
    binary(`@deno/${platform}-${arch}-glibc/deno`, `@deno/${platform}-${arch}/deno`),
    'run',
    '--allow-all',
    '--no-lock',
    '--node-modules-dir=manual',
  ],
  bun: () => [
    binary(
      `@oven/bun-${platform}-${arch}/bin/bun`,
      `@oven/bun-${platform}-${arch}-baseline/bin/bun`,
    ),
    'run',
  ],
}

/** Milliseconds without output after which a process is ended. */
const silenceLimit = 90_000

/**
 * Runs a module, and passes each line of output that it marks to `onLine`. Resolves to the exit code and the other output.
 *
 * @type {(runtime: string, module: string, args: ReadonlyArray<string>, onLine: (value: any) => void) => Promise<{ code: number | null, output: string }>}
 */
export const runModule = (runtime, module, args, onLine) =>
  new Promise((resolve) => {
    const [command = '', ...flags] = commands[runtime]?.() ?? []
    const child = spawn(command, [...flags, module, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    let timer = setTimeout(() => child.kill('SIGKILL'), silenceLimit)
    child.stderr.on('data', (chunk) => output.push(String(chunk)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      timer.refresh()
      if (line.startsWith('\u0001')) onLine(JSON.parse(line.slice(1)))
      else output.push(`${line}\n`)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output: output.join('') })
    })
  })

/**
 * Starts a module that prints its URL in a marked line. Returns the URL and a function that ends the process.
 *
 * @type {(runtime: string, module: string) => Promise<{ url: string, close: () => Promise<void>, output: () => string }>}
 */
export const startModule = (runtime, module) =>
  new Promise((resolve, reject) => {
    const [command = '', ...flags] = commands[runtime]?.() ?? []
    const child = spawn(command, [...flags, module], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    const closed = new Promise((done) => child.on('close', done))
    closed.then((code) => reject(new Error(`${runtime} ended with ${code}: ${output.join('')}`)))
    child.stderr.on('data', (chunk) => output.push(String(chunk)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('\u0001')) return output.push(`${line}\n`)
      const { url } = JSON.parse(line.slice(1))
      const close = async () => {
        child.kill('SIGKILL')
        await closed
      }
      resolve({ url, close, output: () => output.join('') })
    })
  })

/**
 * Starts a Worker with miniflare. Returns its URL, its log and a function that stops it.
 *
 * @type {(script: string, flags: ReadonlyArray<string>) => Promise<{ url: string, close: () => Promise<void>, output: () => string }>}
 */
export const startWorker = async (script, flags) => {
  const output = []
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: script }],
    modulesRoot: dirname(script),
    compatibilityDate: '2026-04-01',
    compatibilityFlags: [...flags],
    host: '127.0.0.1',
    port: 0,
    bindings: { GREETING: 'Hello from a binding' },
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.on('data', (chunk) => output.push(String(chunk)))
      stderr.on('data', (chunk) => output.push(String(chunk)))
    },
  })
  const url = await worker.ready
  return { url: url.origin, close: () => worker.dispose(), output: () => output.join('') }
}
