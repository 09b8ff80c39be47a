/** PUT with `Content-Range` (RFC 9110, 14.4 and 14.5). */
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { sendRequest, validationErrorsOf } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import { api, partialPutModule } from '../../programs/partial-put-api.ts'
import { rawRequest } from '../../support/raw.ts'
import { connectTo } from '../../support/raw-connection.ts'

const range = 'bytes 2-4/10'
const rejection = [
  'header',
  'content-range',
  'must be omitted: this operation does not support PUT with Content-Range',
] as const

contract(
  'PUT with Content-Range',
  api,
  (test, call) => {
    const send = (line: string, headers: Record<string, string> = {}, requestBody = '"abc"') =>
      sendRequest(call, line, {
        headers: { 'Content-Range': range, ...headers },
        body: requestBody,
      })

    table(
      test,
      [
        ['text', '/text', 'text/plain'],
        ['JSON', '/json', 'application/json'],
        ['bytes', '/bytes', 'application/octet-stream'],
        ['a byte stream', '/stream', 'application/octet-stream'],
        ['a form', '/form', 'application/x-www-form-urlencoded'],
        ['an operation without a body', '/nothing', 'text/plain'],
        ['an operation with a request filter', '/filtered', 'text/plain'],
        ['a blocking operation', '/blocking', 'text/plain'],
        ['a byte stream of a blocking operation', '/blocking-stream', 'application/octet-stream'],
      ] as const,
      async (_, path, type) => {
        const response = await send(`PUT ${path}`, { 'Content-Type': type })
        assert.is(response.status, 400)
        assert.equal(await validationErrorsOf(response), [rejection])
        assert.is(
          (await sendRequest(call, `PUT ${path}`, { body: '', headers: { 'Content-Type': type } }))
            .status,
          200,
        )
      },
    )

    table(
      test,
      [
        ['a range for an empty body', 'bytes 0-0/1', ''],
        ['a range of the whole representation', 'bytes 0-4/5', '"abc"'],
        ['a complete length without a range', 'bytes */5', ''],
        ['an unknown range unit', 'lines 1-2/3', 'abc'],
        ['a malformed value', 'x', 'abc'],
        ['an empty value', '', 'abc'],
      ] as const,
      async (_, value, requestBody) =>
        assert.is((await send('PUT /text', { 'Content-Range': value }, requestBody)).status, 400),
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

    test('a part of a multipart body may have Content-Range', async () => {
      const part = encodePart('a', 'b').replace('\r\n', `\r\nContent-Range: ${range}\r\n`)
      const response = await sendRequest(call, 'PUT /parts', {
        headers: { 'Content-Type': multipartType },
        body: encodeMultipart(part),
      })
      assert.is(response.status, 200)
    })

    test('an invalid path parameter returns 404 and also lists Content-Range', async () => {
      const response = await send('PUT /numbers/x', { 'Content-Type': 'text/plain' })
      assert.is(response.status, 404)
      assert.equal(
        (await validationErrorsOf(response)).map(([, name]) => name),
        ['n', 'content-range'],
      )
    })

    test('an invalid header parameter is reported together with Content-Range', async () => {
      const response = await send('PUT /queried', { 'Content-Type': 'text/plain', n: 'x' })
      assert.is(response.status, 400)
      assert.equal(
        (await validationErrorsOf(response)).map(([, name]) => name),
        ['n', 'content-range'],
      )
    })

    table(
      test,
      [
        ['an unknown path', 'PUT /unknown', {}, 404],
        ['an unsupported method', 'PUT /posted-only', {}, 405],
        ['an unsupported media type', 'PUT /json', { 'Content-Type': 'text/plain' }, 415],
        [
          'an unacceptable representation',
          'PUT /text',
          { 'Content-Type': 'text/plain', Accept: 'image/png' },
          406,
        ],
        ['a response of a request filter', 'PUT /filtered', { 'Content-Range': 'filtered' }, 403],
      ] as const,
      async (_, line, headers, expected) => {
        const response = await send(line, headers)
        assert.is(response.status, expected)
      },
    )
  },
  { module: partialPutModule, 'fw.worker.threads': 1 },
)

describe('PUT with Content-Range and Expect: 100-continue', (test, hooks) => {
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
  for (const path of ['/text', '/stream', '/blocking', '/blocking-stream'])
    test(`PUT ${path} returns 400 before the body is sent`, async () => {
      const connection = await connectTo(server?.url ?? '')
      try {
        const headerLines = [
          'Content-Range: bytes 0-2/9',
          'Expect: 100-continue',
          'Content-Length: 3',
        ]
        connection.write(rawRequest(`PUT ${path}`, ...headerLines))
        assert.is((await connection.next()).status, 400)
      } finally {
        connection.destroy()
      }
    })
})
