/** The `espalier` command as a process. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import type { TreeDescription } from '../../src/compiler/route-description.ts'
import { describe, describeConcurrently } from '../support/describe.ts'
import { books, createProject } from './application.ts'

const bin = resolve('dist/espalier/cli.js')

const folder = createProject({
  'books.js': books,
  // everything that a service may do when it is imported
  'service.js': `
    import { createServer } from 'node:http'
    import { serve } from 'espalier/node'
    import { api } from './books.js'
    export { api }
    const [major] = process.versions.node.split('.')
    const server = await serve(api, { 'fw.http.port': Number(process.env.TAKEN_PORT), module: import.meta.url })
    console.log('listening on', JSON.stringify(server.url), server.routes)
    process.stdout.write('signals ' + process.listenerCount('SIGTERM') + process.listenerCount('SIGINT') + '\\n')
    setInterval(() => console.log('tick'), 10)
    createServer().listen(0, '127.0.0.1')
    void Promise.reject(new Error('no database'))
    setTimeout(() => { throw new Error('no cache') }, 1)
    await new Promise((done) => setTimeout(done, 20))
    await server.close()`,
  'blocking.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import { blocking, get, handle, path, routes } from 'espalier'
    import { serve } from 'espalier/node'
    export const api = routes({ work: pipe(path('/work'), get(), blocking, handle(() => undefined)) })
    await serve(api, { module: import.meta.url })
    console.error('workers', process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort|TCP/.test(name)).length)`,
  'many.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import { get, handle, path, produces, routes, text } from 'espalier'
    const operation = (at) => pipe(path('/operations/' + at), get(), produces(text), handle(() => ''))
    export const api = routes(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => ['operation' + at, operation(at)])))
    setInterval(() => undefined, 1000)`,
  'exits.js': `export { api } from './books.js'\nprocess.exit(0)`,
  'polls.js': `export { api } from './books.js'\nsetInterval(() => undefined, 100)\nawait new Promise(() => undefined)`,
  'waits.js': `export { api } from './books.js'\nawait new Promise(() => undefined)`,
})

interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

const espalier = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((ended) => {
    execFile(
      process.execPath,
      [bin, ...args],
      {
        cwd: folder,
        env: { ...process.env, ...environment },
        maxBuffer: 2 ** 26,
        timeout: 30_000,
        killSignal: 'SIGKILL',
      },
      (error, out, errors) =>
        ended({ code: error === null ? 0 : Number(error.code ?? -1), out, error: errors }),
    )
  })

const routesIn = ({ out }: Ended): number => (JSON.parse(out) as TreeDescription).routes.length

describeConcurrently('espalier as a process', (test) => {
  test('a module that calls serve opens no port, and cannot keep the process alive', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const ended = await espalier(['routes', 'service.js', '--json'], { TAKEN_PORT: String(port) })
    taken.close()
    assert.is(ended.code, 0, ended.error)
    assert.is(routesIn(ended), 2)
    assert.match(ended.error, /^listening on ""/m)
    assert.match(ended.error, /^signals 00$/m)
    assert.match(ended.error, /^warning: uncaught error in the module: no database$/m)
    assert.match(ended.error, /^warning: uncaught error in the module: no cache$/m)
  })
  test('blocking operations start no workers', async () => {
    const { code, out, error } = await espalier(['routes', 'blocking.js'])
    assert.equal([code, error], [0, 'workers 0\n'])
    assert.match(out, /^GET +\/work +work +blocking$/m)
  })
  test('writes all output to a slow reader', async () => {
    const child = spawn(process.execPath, [bin, 'routes', 'many.js', '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await sleep(1000)
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout) {
      chunks.push(chunk as Buffer)
      await sleep(1)
    }
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    const out = Buffer.concat(chunks).toString()
    assert.ok(out.length > 500_000, String(out.length))
    assert.equal([code, routesIn({ code: 0, out, error: '' })], [0, 2000])
  })
  test('a reader that closes the pipe is not an error', async () => {
    const child = spawn(process.execPath, [bin, 'routes', 'many.js', '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const errors: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = await once(child, 'close')
    assert.equal([code, errors.join('')], [0, ''])
  })
  test('a module that calls process.exit cannot be loaded', async () =>
    assert.equal(await espalier(['routes', 'exits.js']), {
      code: 3,
      out: '',
      error: 'espalier: the module has called process.exit while it was loaded\n',
    }))
  test('a module that awaits forever cannot be loaded', async () => {
    const { code, error } = await espalier(['openapi', 'waits.js', '-o', 'waits.json'])
    assert.is(code, 3)
    assert.match(
      error,
      /^espalier: the module awaits a promise at its top level that never settles/,
    )
  })
  test('a module that awaits longer than the time limit cannot be loaded', async () => {
    const { code, out, error } = await espalier(['routes', 'polls.js', '--timeout', '1'])
    assert.equal([code, out], [3, ''])
    assert.ok(
      error.startsWith(`espalier: cannot load ${join(folder, 'polls.js')}: timeout after 1 s`),
      error,
    )
  })
  test('errors are written to standard error', async () => {
    const { code, out, error } = await espalier(['openapi', 'missing.js'])
    assert.equal([code, out], [3, ''])
    assert.is(error, `espalier: cannot load ${join(folder, 'missing.js')}: no such file\n`)
  })
})

const read = (name: string): string => readFileSync(join(dirname(bin), name), 'utf8')
const staticImports = (name: string): ReadonlyArray<string> =>
  [...read(name).matchAll(/^(?:import|\} from) "\.\/([^"]+)";$/gm)].map(([, one = '']) => one)

describe('the executable file', (test) => {
  test('starts with the line that makes it executable', () => {
    assert.match(read('cli.js'), /^#!\/usr\/bin\/env node\n/)
    assert.is(statSync(bin).mode & 0o111, 0o111)
  })
  test('loads the commands on demand', () => {
    const loaded = staticImports('cli.js')
    assert.ok(loaded.length > 0, 'no imports found')
    const size = [...new Set(loaded.flatMap((name) => [name, ...staticImports(name)]))]
      .map((name) => read(name).length)
      .reduce((sum, length) => sum + length, 0)
    assert.ok(size < 20_000, String(size))
  })
})
