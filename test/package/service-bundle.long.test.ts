/** A service that esbuild bundles into one file, which runs without `node_modules`. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { BuildOptions } from 'esbuild'
import { build } from 'esbuild'
import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'
import { linkPackage } from '../support/linked-package.ts'

const service = `
  import { readFile } from 'node:fs/promises'
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import {
    body, decimal, form, get, handle, instant, json, path, pattern, post, produces, query, routes, string, text, upload,
  } from 'espalier'
  import { lossless } from 'espalier/json'
  import { serve } from 'espalier/node'

  const main = async () => {
    const api = routes({
      send: pipe(
        path('/covers'), post(), form({ title: string, cover: upload }), produces(text),
        handle(async ({ form: { title, cover } }) => title + ': ' + (await readFile(cover.path, 'utf8'))),
      ),
      now: pipe(path('/now'), get(), query({ at: instant }), produces(text), handle(({ query }) => String(query.at))),
      price: pipe(
        path('/price'), post(), lossless, body(json(t.type({ price: decimal }))), produces(json(decimal)),
        handle(({ body }) => body.price),
      ),
    })
    const server = await serve(api, { 'fw.http.port': 0, 'fw.http.host': '127.0.0.1', 'fw.shutdown.grace': 0, 'fw.log.level': 'off', 'fw.http.overload.enabled': false })
    const send = async (target, init) => {
      const response = await fetch(server.url + target, init)
      console.log(response.status, await response.text())
    }
    const cover = new FormData()
    cover.set('title', 'Emma')
    cover.set('cover', new File(['pixels'], 'emma.png', { type: 'image/png' }))
    await send('/covers', { method: 'POST', body: cover })
    await send('/now?at=2026-01-31T12:00:00Z')
    const headers = { 'Content-Type': 'application/json' }
    await send('/price', { method: 'POST', headers, body: '{"price":12.345678901234567890}' })
    try { pattern(/(a+)+$/)(string) } catch (error) { console.log(error.name) }
    await server.close()
  }
  void main()
`

const output = [
  '200 Emma: pixels',
  '200 2026-01-31T12:00:00Z',
  '200 12.345678901234567890',
  'TypeError',
]

const blockingService = `
  import { pipe } from 'fp-ts/lib/function.js'
  import { blocking, get, handle, path, routes } from 'espalier'
  import { serve } from 'espalier/node'

  export const api = routes({ work: pipe(path('/'), get(), blocking, handle(() => {})) })
  const options = { module: import.meta.url, export: 'api', 'fw.http.port': 0, 'fw.log.level': 'off' }
  await serve(api, options).catch((error) => console.log(error.issues[0].remedy))
`

const jwtService = `
  import { pipe } from 'fp-ts/lib/function.js'
  import { authenticated, get, handle, jwt, path, routes, withFilter } from 'espalier'
  import { serve } from 'espalier/node'

  const users = jwt({ keys: new Uint8Array(32), issuer: 'a', audience: 'b', algorithms: ['HS256'] })
  const api = routes({ me: pipe(path('/'), get(), authenticated, handle(() => {})) })
  serve(pipe(api, withFilter(users)), { 'fw.http.port': 0, 'fw.log.level': 'off', 'fw.shutdown.grace': 0 }).then(
    (server) => server.close().then(() => console.log('served')),
    (error) => console.log(error.issues[0].code),
  )
`

const commonJsService = `
  import { Agent } from 'undici'
  console.log(typeof Agent)
`

/** The option of esbuild that the guide recommends for CommonJS packages. */
const [, banner = ''] =
  /--banner:js="(.+)"/.exec(readFileSync('src/guide/deployment.md', 'utf8')) ?? []

describe('service bundled with esbuild', (test, { before, after }) => {
  const project = mkdtempSync(join(tmpdir(), 'espalier-service-'))
  const deployment = mkdtempSync(join(tmpdir(), 'espalier-deployed-'))
  const run = async (source: string, file: string, options: BuildOptions): Promise<string> => {
    const entry = join(project, 'service.mjs')
    writeFileSync(entry, source)
    const outfile = join(deployment, file)
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      preserveSymlinks: true,
      ...options,
    })
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: deployment })
    return stdout.trim()
  }

  before(() => {
    linkPackage(project, 'module')
    mkdirSync(deployment, { recursive: true })
  })
  after(() => {
    rmSync(project, { recursive: true })
    rmSync(deployment, { recursive: true })
  })

  table<readonly [name: string, file: string, options: BuildOptions]>(
    test,
    [
      ['an ES module receives uploads and loads its packages', 'service.mjs', {}],
      ['a minified ES module receives uploads', 'minified.mjs', { minify: true }],
      ['a CommonJS module receives uploads', 'service.cjs', { format: 'cjs' }],
    ],
    async (_, file, options) =>
      assert.equal((await run(service, file, options)).split('\n'), output),
  )

  test('a package that is excluded from the bundle is loaded from node_modules', async () => {
    const excluded = { external: ['temporal-polyfill'], outfile: join(project, 'excluded.mjs') }
    await build({
      entryPoints: [join(project, 'service.mjs')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      preserveSymlinks: true,
      ...excluded,
    })
    const { stdout } = await promisify(execFile)(process.execPath, [excluded.outfile])
    assert.equal(stdout.trim().split('\n'), output)
  })
  test('a CommonJS package that uses modules of Node.js runs with the banner of the guide', async () => {
    const packages = { nodePaths: [resolve('node_modules')] }
    assert.is(
      await run(commonJsService, 'undici.mjs', { ...packages, banner: { js: banner } }),
      'function',
    )
    const message = await run(commonJsService, 'failing.mjs', packages).catch(String)
    assert.match(message, 'Dynamic require of "node:')
  })
  test('jwt loads jose from a directory next to an ES module, and a CommonJS bundle contains it', async () => {
    assert.is(await run(jwtService, 'jwt.mjs', {}), 'FW-FILTER-003')
    mkdirSync(join(deployment, 'node_modules'))
    symlinkSync(resolve('node_modules/jose'), join(deployment, 'node_modules/jose'), 'junction')
    assert.is(await run(jwtService, 'jwt.mjs', {}), 'served')
    assert.is(await run(jwtService, 'jwt.cjs', { format: 'cjs' }), 'served')
  })
  test('blocking operations report that the worker program is missing', async () => {
    const message = await run(blockingService, 'blocking.mjs', {})
    assert.match(message, /^a bundle does not contain .*: exclude espalier from the bundle/)
  })
})
