/** CommonJS projects, which load the package with `require`. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describeWith } from '../support/describe.ts'
import { linkPackage } from '../support/linked-package.ts'

const service = `
  const { pipe } = require('fp-ts/lib/function')
  const t = require('io-ts')
  const { BadRequest, form, get, handle, json, path, post, produces, routes, text, upload } = require('espalier')
  const { serve } = require('espalier/node')
  const { client } = require('espalier/client')

  const Book = t.type({ title: t.string })
  const api = routes({
    find: pipe(path('/books/1'), get(), produces(json(Book)), handle(() => ({ title: 'Emma' }))),
    send: pipe(path('/covers'), post(), form({ cover: upload }), produces(text), handle(({ form }) => String(form.cover.size))),
  })
  const main = async () => {
    const server = await serve(api, { 'fw.http.port': 0, 'fw.http.host': '127.0.0.1', 'fw.shutdown.grace': 0, 'fw.log.level': 'off', 'fw.http.overload.enabled': false })
    const { right } = await client(api, { baseUrl: server.url }).find()()
    const cover = new FormData()
    cover.set('cover', new File(['pixels'], 'emma.png'))
    const response = await fetch(server.url + '/covers', { method: 'POST', body: cover })
    const { BadRequest: imported } = await import('espalier')
    console.log(right.body.title, await response.text(), imported === BadRequest)
    await server.close()
  }
  void main()
`

/** Whether `require` loads ES modules: in Node.js 20.19, 22.12 and later. */
const canRequire = 'require_module' in process.features

describeWith(
  'package in a CommonJS project',
  'require(esm)',
  canRequire,
  (test, { before, after }) => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-commonjs-'))
    const run = async (source: string): Promise<string> => {
      writeFileSync(join(folder, 'service.js'), source)
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'service.js')])
      return stdout.trim()
    }
    before(() => linkPackage(folder, 'commonjs'))
    after(() => rmSync(folder, { recursive: true }))

    test('a service and a client work', async () => assert.is(await run(service), 'Emma 6 true'))
    // modules with top-level await cannot be required
    test('every entry point can be required', async () => {
      const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
        readonly exports: Readonly<Record<string, unknown>>
      }
      const names = Object.keys(exports)
      assert.ok(names.length > 8)
      const source = names.map(
        (name) => `require(${JSON.stringify(name.replace('.', 'espalier'))})`,
      )
      assert.is(await run(`${source.join('\n')}\nconsole.log('loaded')`), 'loaded')
    })
  },
)
