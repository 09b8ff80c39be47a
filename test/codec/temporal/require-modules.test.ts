/** Dates where `require` cannot load ES modules, as on Node.js 22.3 to 22.11. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'

const module = (path: string): string => new URL(`../../../espalier/${path}`, import.meta.url).href

/** A program without the Temporal of the runtime, if there is one. */
const program = (run: string): string => `
  delete globalThis.Temporal
  import { get, handle, instant, path, produces, query, routes, text } from '${module('index.js')}'
  import { toFetchHandler } from '${module('fetch.js')}'
  import { serve } from '${module('node.js')}'
  import { inMemory } from '${module('testing.js')}'
  const endpoint = [get(), query({ at: instant }), produces(text), handle(({ query: { at } }) => String(at))]
  const api = routes({ now: endpoint.reduce((result, change) => change(result), path('/now')) })
  const target = '/now?at=2026-01-31T13:00:00%2B01:00'
  ${run}
`

const expected = '2026-01-31T12:00:00Z'

type Row = readonly [title: string, run: string, expected: string]

const rows: ReadonlyArray<Row> = [
  [
    'a server',
    `const server = await serve(api, { 'fw.http.port': 0, 'fw.http.host': '127.0.0.1', 'fw.shutdown.grace': 0, 'fw.log.level': 'off' })
     console.log(await (await fetch(server.url + target)).text())
     await server.close()`,
    expected,
  ],
  [
    'requests in memory',
    `console.log(await (await inMemory(api)('http://localhost' + target)).text())`,
    expected,
  ],
  [
    'a fetch handler',
    `console.log(await (await toFetchHandler(api)(new Request('http://localhost' + target))).text())`,
    expected,
  ],
  [
    'a codec alone, which names the remedy',
    `try { instant.decode('${expected}') } catch ({ message }) { console.log(message) }`,
    "missing Temporal: import 'temporal-polyfill/global' first",
  ],
]

const flag = '--no-experimental-require-module'
/** Earlier versions of Node.js, which cannot load ES modules with `require` anyway, reject the flag. */
const flags = process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : []

describe('dates without require(esm)', (test) =>
  table<Row>(test, rows, async (_, run, text) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...flags,
      '--input-type=module',
      '--eval',
      program(run),
    ])
    assert.is(stdout.trim(), text)
  }))
