/** Tests of responses that stream the request body back while it arrives. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { connectClient, decodeChunks } from './chunked-client.ts'
import type { Client } from './chunked-client.ts'
import { describe, table } from '../../support/describe.ts'
import { api, maxBodySize } from '../../programs/incoming-api.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import {
  assertResponse,
  chunkedRequest,
  isDirect,
  requestWithBody,
  rawRequest,
} from '../../support/raw.ts'
import { recordLog } from '../../support/workers.ts'

const repeat = (count: number): string => 'x'.repeat(count)
const continues = 'Expect: 100-continue'
const chunks = 'Transfer-Encoding: chunked'

describe('an echoed request body', (test, { before, after }) => {
  let server: Server
  const { lines, logger } = recordLog()
  before(async () => {
    server = await serveLocally(api, {
      logger,
      'fw.http.limits.max-body-size': maxBodySize,
    })
  })
  after(() => server.close())

  const withClient = async (use: (client: Client) => Promise<void>): Promise<void> => {
    lines.length = 0
    await use(await connectClient(server.url))
    assert.equal(
      lines.filter((line) => line.startsWith('error')),
      [],
    )
  }

  table(
    test,
    [
      [
        'a body is echoed',
        requestWithBody('POST /echo', repeat(maxBodySize)),
        repeat(maxBodySize),
        'keep-alive',
      ],
      ['a byte is echoed', requestWithBody('POST /echo', 'a'), 'a', 'keep-alive'],
      [
        'chunks are echoed',
        chunkedRequest('POST /echo', ['abc', 'def']),
        'abcdef',
        // direct connections have received the whole body when the response begins
        isDirect ? 'keep-alive' : 'close',
      ],
    ] as const,
    (_, request, body, connection) =>
      withClient(async ({ write, readToEnd }) => {
        write(request + rawRequest('GET /alive', 'Connection: close'))
        const response = await readToEnd()
        assert.ok(response.startsWith('HTTP/1.1 200 OK\r\n'), response.slice(0, 200))
        assert.is(decodeChunks(response), body)
        assert.is(/connection: (\S+)/i.exec(response)?.[1], connection)
        assert.is(response.endsWith('alive'), connection === 'keep-alive')
      }),
  )

  test('chunks are echoed as they arrive, and the response ends with the request', () =>
    withClient(async ({ write, waitFor, readToEnd }) => {
      write(`${rawRequest('POST /echo', chunks)}3\r\nabc\r\n`)
      await waitFor('abc')
      write('3\r\ndef\r\n')
      await waitFor('def')
      const start = performance.now()
      write('0\r\n\r\n')
      assert.is(decodeChunks(await readToEnd()), 'abcdef')
      // the response ends without a timeout
      assert.ok(performance.now() - start < 3000)
    }))

  test('100 is sent to a client whose body is echoed', () =>
    withClient(async ({ write, waitFor, readToEnd }) => {
      write(rawRequest('POST /echo', continues, 'Content-Length: 3', 'Connection: close'))
      await waitFor('HTTP/1.1 100 Continue\r\n\r\n')
      write('abc')
      const response = await readToEnd()
      assert.is(decodeChunks(response.replace('HTTP/1.1 100 Continue\r\n\r\n', '')), 'abc')
    }))

  test('an invalid chunk interrupts a response that has started', async () => {
    const { write, waitFor, readToEnd } = await connectClient(server.url)
    write(`${rawRequest('POST /echo', chunks)}3\r\nabc\r\n`)
    await waitFor('abc')
    write('z\r\n')
    assert.is(decodeChunks(await readToEnd()), 'abc, interrupted')
  })
})

describe('a slow client of a streamed body', (test) => {
  test('gets 408 before the response starts, and is disconnected afterwards', async () => {
    const { logger } = recordLog()
    const server = await serveLocally(api, {
      logger,
      'fw.http.read-timeout': 200,
    })
    try {
      const [reading, echoing] = await Promise.all([
        connectTo(server.url),
        connectClient(server.url),
      ])
      reading.write(`${rawRequest('POST /all', 'Content-Length: 6')}abc`)
      echoing.write(`${rawRequest('POST /echo', 'Content-Length: 6')}abc`)
      assertResponse(await reading.next(), 408)
      assert.is(decodeChunks(await echoing.readToEnd()), 'abc, interrupted')
    } finally {
      await server.close()
    }
  })
})
