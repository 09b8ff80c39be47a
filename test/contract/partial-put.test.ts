/** PUT with `Content-Range`: RFC 9110, 14.4 and 14.5. */
import * as assert from 'uvu/assert'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { ask, faultsOf } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, multipart } from '../support/multipart.ts'
import { api, partialPutModule } from '../support/partial-put-api.ts'
import { to } from '../support/raw.ts'
import { connectTo } from '../support/raw-connection.ts'

const range = 'bytes 2-4/10'
const rejection = [
  'header',
  'content-range',
  'must be missing: this operation does not support PUT with Content-Range',
] as const

contract(
  'Content-Range in a request',
  api,
  (test, call) => {
    const send = (line: string, headers: Record<string, string> = {}, content = '"abc"') =>
      ask(call, line, { headers: { 'Content-Range': range, ...headers }, body: content })

    table(
      test,
      [
        ['/text', 'text/plain'],
        ['/json', 'application/json'],
        ['/bytes', 'application/octet-stream'],
        ['/stream', 'application/octet-stream'],
        ['/form', 'application/x-www-form-urlencoded'],
        ['/nothing', 'text/plain'],
        ['/filtered', 'text/plain'],
        ['/blocking', 'text/plain'],
        ['/blocking-stream', 'application/octet-stream'],
      ] as const,
      async (path, type) => {
        const response = await send(`PUT ${path}`, { 'Content-Type': type })
        assert.is(response.status, 400)
        assert.equal(await faultsOf(response), [rejection])
        assert.is(
          (await ask(call, `PUT ${path}`, { body: '', headers: { 'Content-Type': type } })).status,
          200,
        )
      },
    )

    table(
      test,
      [
        ['of an empty body', 'bytes 0-0/1', ''],
        ['of the whole representation', 'bytes 0-4/5', '"abc"'],
        ['without a range', 'bytes */5', ''],
        ['of an unknown unit', 'lines 1-2/3', 'abc'],
        ['that is malformed', 'x', 'abc'],
        ['that is empty', '', 'abc'],
      ] as const,
      async (_, value, content) =>
        assert.is((await send('PUT /text', { 'Content-Range': value }, content)).status, 400),
    )

    table(
      test,
      [
        ['POST /text', 'stored'],
        ['PATCH /text', 'stored'],
        ['PUT /declared', range],
        ['PUT /camel-case', range],
        ['PUT /upper-case', range],
        ['PUT /resource', range],
        ['PUT /blocking-declared', range],
      ] as const,
      async (line, expected) => {
        const response = await send(line, { 'Content-Type': 'text/plain' })
        assert.equal([response.status, await response.text()], [200, expected])
      },
    )

    test('a part of a multipart body may have the header', async () => {
      const part = field('a', 'b').replace('\r\n', `\r\nContent-Range: ${range}\r\n`)
      const response = await ask(call, 'PUT /parts', {
        headers: { 'Content-Type': multipart },
        body: formOf(part),
      })
      assert.is(response.status, 200)
    })

    test('404 for a path variable also lists the header', async () => {
      const response = await send('PUT /numbers/x', { 'Content-Type': 'text/plain' })
      assert.is(response.status, 404)
      assert.equal(
        (await faultsOf(response)).map(([, name]) => name),
        ['n', 'content-range'],
      )
    })

    test('an invalid parameter is reported together with the header', async () => {
      const response = await send('PUT /queried', { 'Content-Type': 'text/plain', n: 'x' })
      assert.is(response.status, 400)
      assert.equal(
        (await faultsOf(response)).map(([, name]) => name),
        ['n', 'content-range'],
      )
    })

    table(
      test,
      [
        ['404 comes first', 'PUT /unknown', {}, 404],
        ['405 comes first', 'PUT /posted-only', {}, 405],
        ['415 comes first', 'PUT /json', { 'Content-Type': 'text/plain' }, 415],
        [
          '406 comes first',
          'PUT /text',
          { 'Content-Type': 'text/plain', Accept: 'image/png' },
          406,
        ],
        ['a filter comes first', 'PUT /filtered', { 'Content-Range': 'answered' }, 403],
      ] as const,
      async (_, line, headers, expected) => {
        const response = await send(line, headers)
        assert.is(response.status, expected)
      },
    )
  },
  { module: partialPutModule, 'fw.worker.threads': 1 },
)

describe('A PUT with Content-Range is rejected before its body is read', (test, hooks) => {
  let server: Server | undefined
  hooks.before(async () => {
    server = await serve(api, {
      logger: silentLogger,
      module: partialPutModule,
      'fw.http.host': '127.0.0.1',
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
      'fw.worker.threads': 1,
    })
  })
  hooks.after(() => server?.close())
  table(
    test,
    [['/text'], ['/stream'], ['/blocking'], ['/blocking-stream']] as const,
    async (path) => {
      const connection = await connectTo(server?.url ?? '')
      try {
        const fields = ['Content-Range: bytes 0-2/9', 'Expect: 100-continue', 'Content-Length: 3']
        connection.write(to(`PUT ${path}`, ...fields))
        assert.is((await connection.next()).status, 400)
      } finally {
        connection.leave()
      }
    },
  )
})
