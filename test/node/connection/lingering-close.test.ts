/** Tests of the last response of a connection: the server sends FIN at once, and does not reset a client that still sends. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describeConcurrently, repetitions, table } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import {
  assertResponse,
  chunkedRequest,
  head,
  isDirect,
  maxBodySize,
  requestWithBody,
  startServer,
  rawRequest,
} from '../../support/raw.ts'
import { turns } from '../../support/wait-until.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'

const chunks = 'Transfer-Encoding: chunked'
const tooLong = String(maxBodySize + 1)
const expectContinue = 'Expect: 100-continue'

type Row = readonly [title: string, message: string, status: number]

const rows: ReadonlyArray<Row> = [
  ['a malformed chunk size', rawRequest('POST /text', chunks) + 'z\r\n', 400],
  [
    'a malformed chunk size after a chunk',
    rawRequest('POST /text', chunks) + '1\r\na\r\n-1\r\n',
    400,
  ],
  ['a chunk longer than its size', rawRequest('POST /text', chunks) + '1\r\nab\r\n', 400],
  ['a chunk size that is too large', rawRequest('POST /text', chunks) + 'f'.repeat(20), 400],
  ['a malformed trailer', rawRequest('POST /text', chunks) + '0\r\n x: y\r\n\r\n', 400],
  ['a trailer without a colon', rawRequest('POST /text', chunks) + '0\r\nhunter2\r\n\r\n', 400],
  [
    'chunk extensions that are too large',
    rawRequest('POST /text', chunks) + `1;${'x'.repeat(20_000)}`,
    413,
  ],
  ['an unknown transfer coding', rawRequest('POST /text', 'Transfer-Encoding: gzip, chunked'), 501],
  [
    'a transfer coding that is not chunked',
    rawRequest('POST /text', 'Transfer-Encoding: gzip'),
    400,
  ],
  ['a transfer coding in HTTP/1.0', head('POST /text HTTP/1.0', chunks), 400],
  ['a length and a transfer coding', rawRequest('POST /text', chunks, 'Content-Length: 3'), 400],
  ['a body that is too large', rawRequest('POST /text', `Content-Length: ${tooLong}`), 413],
  [
    'a body that is too large, with Expect',
    rawRequest('POST /text', `Content-Length: ${tooLong}`, expectContinue),
    413,
  ],
  [
    'a chunk that is too large',
    rawRequest('POST /text', chunks) +
      `${(maxBodySize + 1).toString(16)}\r\n${'x'.repeat(maxBodySize + 1)}`,
    413,
  ],
  ['an unknown expectation', rawRequest('POST /text', 'Content-Length: 3', 'Expect: 200-ok'), 417],
  [
    'an unread body with Expect',
    rawRequest('POST /guarded', 'Content-Length: 3', expectContinue),
    401,
  ],
  ['an unread chunked body', rawRequest('POST /guarded', chunks), 401],
  [
    'an unread body and Connection: close',
    rawRequest('POST /guarded', 'Content-Length: 3', 'Connection: close'),
    401,
  ],
  ['an unread body in HTTP/1.0', head('POST /guarded HTTP/1.0', 'Content-Length: 3'), 401],
  ['an unknown path, chunked', rawRequest('POST /nothing', chunks), 404],
  ['an unsupported method, chunked', rawRequest('PUT /alive', chunks), 405],
  [
    'an unsupported media type, chunked',
    rawRequest('POST /json', chunks, 'Content-Type: a/b'),
    415,
  ],
  ['a missing Host', head('POST /text HTTP/1.1', 'Content-Length: 3'), 400],
  ['two Hosts', rawRequest('POST /text', 'Host: b', 'Content-Length: 3'), 400],
  ['an unsupported version', head('POST /text HTTP/2.0', 'Host: a', 'Content-Length: 3'), 505],
  ['a malformed head', 'GET /alive\0', 400],
  // with direct connections, the rest of the body is discarded
  ...(isDirect
    ? []
    : [['an unknown method', rawRequest('CHEESE /alive', 'Content-Length: 3'), 501] as const]),
  [
    'a head above the limit of the parser',
    rawRequest('GET /alive', `X: ${'x'.repeat(40_000)}`),
    431,
  ],
  [
    'a head above the limit of the framework',
    rawRequest('GET /alive', `X: ${'x'.repeat(17_000)}`),
    431,
  ],
  ['a target above the limit of the framework', rawRequest(`GET /${'x'.repeat(9000)}`), 414],
  ['a target above the limit of the parser', rawRequest(`GET /${'x'.repeat(40_000)}`), 414],
  ['CONNECT', head('CONNECT a:1 HTTP/1.1', 'Host: a'), 405],
]

/** Maximum milliseconds between the response and the FIN. */
const maxDelay = 1000
/** Number of messages of 256 KiB that the client sends after the FIN. */
const parts = repetitions(6, 16)

/** Opens a connection that stays open after the server has closed its side. Reads reject on a reset. */
const connect = (server: Server | undefined): Promise<RawConnection> =>
  connectTo(server?.url ?? '', { allowHalfOpen: true })

const send = ({ socket }: RawConnection, message: string): Promise<void> =>
  new Promise((resolve, reject) =>
    socket.write(message, 'latin1', (error) => (error ? reject(error) : resolve())),
  )

describeConcurrently('the last response of a connection', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await startServer()
  })
  after(() => server?.close())

  table<Row>(test, rows, (_, message, status) =>
    // client and server share the event loop
    retryWhenDelayed(200, async () => {
      const connection = await connect(server)
      connection.write(message)
      const response = await connection.next()
      assertResponse(response, status)
      assert.is(headerOf(response, 'connection'), 'close')
      const start = performance.now()
      await connection.closed()
      assert.ok(performance.now() - start < maxDelay, `FIN after ${performance.now() - start} ms`)
      // the server does not reset the connection while the client sends, for at most two seconds
      for (let part = 0; part < parts && performance.now() - start < maxDelay; part++) {
        await send(connection, 'x'.repeat(256 * 1024))
        await turns(2)
      }
      const closed = once(connection.socket, 'close')
      connection.socket.end()
      await closed
      assert.is(connection.socket.errored, null)
    }),
  )

  test('a client that never closes its side is disconnected after two seconds', () =>
    retryWhenDelayed(200, async () => {
      const connection = await connect(server)
      connection.write(rawRequest('POST /text', chunks) + 'z\r\n')
      assertResponse(await connection.next(), 400)
      await connection.closed()
      const start = performance.now()
      connection.socket.on('error', () => undefined)
      while (!connection.socket.destroyed && performance.now() - start < 10_000) {
        connection.write('x')
        await wait(50)
      }
      const duration = performance.now() - start
      assert.ok(duration > 1500 && duration < 5000, `${duration} ms`)
    }))

  test('a request after an unread body is not served', async () => {
    const connection = await connect(server)
    connection.write(
      chunkedRequest('POST /guarded', ['abc']) + requestWithBody('POST /text', 'hunter2'),
    )
    const responses = await connection.rest()
    assert.equal(
      responses.map(({ status }) => status),
      [401],
    )
    connection.destroy()
  })
})

describeConcurrently('fw.http.read-timeout', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await startServer({ 'fw.http.read-timeout': 500, 'fw.http.header-timeout': 500 })
  })
  after(() => server?.close())
  table(
    test,
    [
      ['an incomplete head returns 408', 'GET /alive HTTP/1.1\r\nHo'],
      ['an incomplete body returns 408', `${rawRequest('POST /text', 'Content-Length: 10')}abc`],
      ['an incomplete chunked body returns 408', `${rawRequest('POST /text', chunks)}3\r\na`],
    ] as const,
    (_, message) =>
      retryWhenDelayed(200, async () => {
        const connection = await connect(server)
        connection.write(message)
        assertResponse(await connection.next(), 408)
        const start = performance.now()
        await connection.closed()
        assert.ok(performance.now() - start < maxDelay)
        await send(connection, 'x'.repeat(1024 * 1024))
        connection.destroy()
      }),
  )
})
