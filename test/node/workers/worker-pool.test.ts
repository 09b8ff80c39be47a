/** Tests of the start and the shutdown of workers. */
import { rejects } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { blocking, get, handle, path, routes } from '../../../src/index.ts'
import { compile } from '../../../src/interpreter/program.ts'
import type { Server } from '../../../src/node.ts'
import { ConfigurationError, serve } from '../../../src/node.ts'
import { startWorkers } from '../../../src/node/workers/worker-pool.ts'
import { recordConnections } from '../accepted-connections.ts'
import { otherApi, api } from '../../programs/blocking-api.ts'
import { program } from '../../support/bundled.ts'
import { describe, table } from '../../support/describe.ts'
import { createGate } from '../../support/gate.ts'
import { fetchText, options } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

const startupErrorOf = async (start: Promise<Server>): Promise<string> => {
  try {
    await (await start).close()
  } catch (error) {
    assert.ok(error instanceof ConfigurationError)
    return error.message
  }
  return 'no error'
}
const moduleOf = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`

describe('starting workers', (test) => {
  const heavy = pipe(
    path('/x'),
    get(),
    handle(() => undefined),
    blocking,
  )
  const { module: _, ...withoutModule } = options

  test('requires the option module', async () => {
    const message = await startupErrorOf(serve(routes({ heavy }), withoutModule))
    assert.match(message, /FW-WORKER-001/)
    assert.match(message, /GET \/x {2}\(heavy\)/)
  })
  table(
    test,
    [
      ['a missing module', { module: 'file:///nowhere.js' }, /Cannot find module/],
      [
        'a missing export',
        { export: 'nothing' },
        /blocking-api\S* has no export "nothing" \(its exports: .*api.*\): export the route tree as "nothing"/,
      ],
      [
        'a module without exports',
        { module: 'data:text/javascript,' },
        /data:text\/javascript, has no export "api" \(it has no exports\)/,
      ],
      [
        'a default export',
        { module: moduleOf('export default {}') },
        /has no export "api" \(its exports: default\)/,
      ],
      ['a name inherited from Object', { export: 'toString' }, /has no export "toString"/],
      [
        'an export that is not a route tree',
        { export: 'notRoutes' },
        /the export "notRoutes" of \S+ is not a route tree/,
      ],
      [
        'an export of null',
        { module: moduleOf('export const api = null') },
        /the export "api" of \S+ is not a route tree/,
      ],
      [
        'a module that throws',
        { module: moduleOf('throw new Error("no database")') },
        /cannot import .* \(no database\)/,
      ],
      [
        'a module that throws a string',
        { module: moduleOf('throw "no database"') },
        /cannot import .* \(no database\)/,
      ],
      [
        'a module that throws undefined',
        { module: moduleOf('throw undefined') },
        /cannot import .* \(undefined\)/,
      ],
      ['a module with a syntax error', { module: moduleOf('export') }, /cannot import/],
      ['a relative path', { module: './app.js' }, /cannot import .*must be the URL of a module/],
      ['a module that ends the process', { module: moduleOf('process.exit(3)') }, /exit code 3/],
      [
        'a module with an endless top-level await',
        { module: moduleOf('await new Promise(() => {})') },
        /a top-level await in its module never settled/,
      ],
      [
        'another tree',
        { export: 'otherApi' },
        /different tree from the one being served, without .* and with GET \/operation/,
      ],
    ] as const,
    async (__, overrides, expected) => {
      const message = await startupErrorOf(serve(api, { ...options, ...overrides }))
      assert.match(message, /FW-WORKER-002/)
      assert.match(message, expected)
    },
  )
  test('uses the option export', async () => {
    const server = await serve(otherApi, { ...options, export: 'otherApi' })
    assert.equal(await fetchText(server, '/operation'), [200, 'worker'])
    await server.close()
  })
  test('loads no worker modules without blocking operations', async () => {
    const source = `
      import { get, handle, path, routes } from ${JSON.stringify(new URL('../../../espalier/index.js', import.meta.url).href)}
      import { serve } from ${JSON.stringify(new URL('../../../espalier/node.js', import.meta.url).href)}
      import { syncBuiltinESMExports } from 'node:module'
      import threads from 'node:worker_threads'
      threads.Worker = class { constructor() { console.log('a thread') } }
      syncBuiltinESMExports()
      const api = routes({ light: handle(() => {})(get()(path('/x'))) })
      const server = await serve(api, { module: 'file:///nowhere.js', 'fw.http.port': 0, 'fw.log.level': 'error', 'fw.shutdown.grace': 0 })
      console.log((await fetch(server.url + '/x')).status)
      await server.close()`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      source,
    ])
    assert.is(stdout, '204\n')
  })
  test('may be called in the module of the route tree', async () => {
    const main = program('serving-itself.js')
    const { stdout } = await promisify(execFile)(process.execPath, [main])
    assert.is(stdout, 'worker\nclosed\n')
  })
})

describe('a module that does not load', (test) => {
  test('is a configuration error after the timeout', async () => {
    const compiled = compile(api)
    const origin = {
      loggerOf: compiled.loggerOf,
      sources: {},
      module: moduleOf('setInterval(() => undefined, 1000); await new Promise(() => undefined)'),
      export: 'api',
      sweep: () => undefined,
    }
    await rejects(startWorkers(compiled, origin, 200), (error) => {
      assert.ok(error instanceof ConfigurationError)
      assert.match(error.message, /FW-WORKER-002/)
      assert.match(error.message, /was not loaded within 200 ms/)
      return true
    })
  })
})

describe('closing a server with workers', (test) => {
  test('waits for running and waiting jobs', async () => {
    const server = await serve(api, options)
    const gate = createGate()
    const { sockets, stop } = recordConnections()
    const pending = [1, 2, 3].map((n) => fetchText(server, `/gated?gate=${gate.name}&as=${n}`))
    await waitUntil(() => gate.isReached() && sockets.length === 3)
    await waitUntil(() => sockets.every(({ bytesRead }) => bytesRead > 0))
    stop()
    const closing = server.close()
    gate.open()
    await closing
    assert.equal(await Promise.all(pending), [
      [200, '1'],
      [200, '2'],
      [200, '3'],
    ])
  })
  test('does not wait for an endless job', async () => {
    const server = await serve(api, { ...options, 'fw.shutdown.timeout': 200 })
    const gate = createGate()
    const pending = fetch(`${server.url}/die/loop?gate=${gate.name}`).catch(() => 'interrupted')
    await waitUntil(gate.isReached)
    await server.close()
    assert.is(await pending, 'interrupted')
  })
})
