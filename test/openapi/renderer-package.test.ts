/** The optional package of the documentation page: installed, missing or too old. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'

const service = `
  import { routes } from 'espalier'
  import { openApiRoutes } from 'espalier/openapi'
  import { serve } from 'espalier/node'
  const page = process.argv[2] === 'no-page' ? false : {}
  try {
    const server = await serve(
      routes({ docs: openApiRoutes({ info: { title: 'Docs', version: '1' }, page }) }),
      { 'fw.http.port': 0, 'fw.http.host': '127.0.0.1', 'fw.shutdown.grace': 0, 'fw.log.level': 'off' },
    )
    const statusOf = async (path) => (await fetch(server.url + path)).status
    console.log(await statusOf('/openapi.json'), await statusOf('/docs'), await statusOf('/docs/swagger-ui.css'))
    await server.close()
  } catch (error) {
    console.log(error.name, error.message)
  }
`

describe('the renderer package', (test, { before, after }) => {
  let folder = ''
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'espalier-renderer-'))
    await build({
      stdin: { contents: service, resolveDir: resolve('.') },
      outfile: join(folder, 'service.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      alias: Object.fromEntries(
        ['openapi', 'node', 'index'].map((name) => [
          name === 'index' ? 'espalier' : `espalier/${name}`,
          resolve(`dist/espalier/${name}.js`),
        ]),
      ),
      logLevel: 'silent',
    })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  const run = async (...options: ReadonlyArray<string>): Promise<string> =>
    (await promisify(execFile)(process.execPath, [join(folder, 'service.mjs'), ...options])).stdout
  const install = (): string => {
    const modules = join(folder, 'node_modules')
    rmSync(modules, { recursive: true, force: true })
    mkdirSync(modules)
    return join(modules, 'swagger-ui-dist')
  }

  test('a missing package is a configuration error that names the package', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    const output = await run()
    assert.match(output, 'ConfigurationError')
    assert.match(output, 'FW-FILTER-003')
    assert.match(output, 'run npm install swagger-ui-dist, or set page to false')
  })
  test('the documents need no package', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    assert.is(await run('no-page'), '200 404 404\n')
  })
  test('the package is found in node_modules', async () => {
    symlinkSync(resolve('node_modules/swagger-ui-dist'), install())
    assert.is(await run(), '200 200 200\n')
  })
  test('an old version is a configuration error that names the version', async () => {
    const modules = install()
    mkdirSync(modules)
    writeFileSync(join(modules, 'package.json'), '{"name":"swagger-ui-dist","version":"4.19.1"}')
    assert.match(await run(), /FW-FILTER-003[^]*found version 4\.19\.1/)
  })
})
