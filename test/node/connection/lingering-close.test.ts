/** The last response of a connection: FIN follows at once, and the client may still send for a while without a reset. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, chunked, head, mostContent, sending, start, to } from '../../support/raw.ts'

const chunks = 'Transfer-Encoding: chunked'
const tooLong = String(mostContent + 1)
const waiting = 'Expect: 100-continue'

type Row = readonly [title: string, octets: string, status: number]

const rows: ReadonlyArray<Row> = [
  ['a broken chunk size', to('POST /text', chunks) + 'z\r\n', 400],
  ['a broken chunk size after a chunk', to('POST /text', chunks) + '1\r\na\r\n-1\r\n', 400],
  ['a chunk that is longer than announced', to('POST /text', chunks) + '1\r\nab\r\n', 400],
  ['a chunk size that is too large', to('POST /text', chunks) + 'f'.repeat(20), 400],
  ['a broken trailer', to('POST /text', chunks) + '0\r\n x: y\r\n\r\n', 400],
  ['a trailer without a colon', to('POST /text', chunks) + '0\r\nhunter2\r\n\r\n', 400],
  [
    'chunk extensions that are too large',
    to('POST /text', chunks) + `1;${'x'.repeat(20_000)}`,
    413,
  ],
  ['an unknown transfer coding', to('POST /text', 'Transfer-Encoding: gzip, chunked'), 501],
  ['a transfer coding that is not chunked', to('POST /text', 'Transfer-Encoding: gzip'), 400],
  ['a transfer coding in HTTP/1.0', head('POST /text HTTP/1.0', chunks), 400],
  ['a length and a transfer coding', to('POST /text', chunks, 'Content-Length: 3'), 400],
  ['a body that is too large', to('POST /text', `Content-Length: ${tooLong}`), 413],
  [
    'a body that is too large, and 100',
    to('POST /text', `Content-Length: ${tooLong}`, waiting),
    413,
  ],
  [
    'a chunk that is too large',
    to('POST /text', chunks) +
      `${(mostContent + 1).toString(16)}\r\n${'x'.repeat(mostContent + 1)}`,
    413,
  ],
  ['another expectation', to('POST /text', 'Content-Length: 3', 'Expect: 200-ok'), 417],
  ['an unread body after 100 was expected', to('POST /guarded', 'Content-Length: 3', waiting), 401],
  ['an unread chunked body', to('POST /guarded', chunks), 401],
  [
    'an unread body and Connection: close',
    to('POST /guarded', 'Content-Length: 3', 'Connection: close'),
    401,
  ],
  ['an unread body in HTTP/1.0', head('POST /guarded HTTP/1.0', 'Content-Length: 3'), 401],
  ['no such path, chunked', to('POST /nothing', chunks), 404],
  ['another method, chunked', to('PUT /alive', chunks), 405],
  ['an unsupported media type, chunked', to('POST /json', chunks, 'Content-Type: a/b'), 415],
  ['a missing Host', head('POST /text HTTP/1.1', 'Content-Length: 3'), 400],
  ['two Hosts', to('POST /text', 'Host: b', 'Content-Length: 3'), 400],
  ['another version', head('POST /text HTTP/2.0', 'Host: a', 'Content-Length: 3'), 505],
  ['a broken head', 'GET /alive\0', 400],
  ['an unknown method', to('CHEESE /alive', 'Content-Length: 3'), 501],
  ['a head that is too large', to('GET /alive', `X: ${'x'.repeat(40_000)}`), 431],
  ['a head that is too large for the framework', to('GET /alive', `X: ${'x'.repeat(17_000)}`), 431],
  ['a target that is too long', to(`GET /${'x'.repeat(9000)}`), 414],
  ['a target that is much too long', to(`GET /${'x'.repeat(40_000)}`), 414],
  ['CONNECT', head('CONNECT a:1 HTTP/1.1', 'Host: a'), 405],
]

/** Milliseconds until a FIN that follows at once has come, and megabytes that a client then still sends. */
const atOnce = 200
const more = 4

/** Keeps its own side open, and reports a reset by rejecting. */
const connect = (server: Server | undefined): Promise<RawConnection> =>
  connectTo(server?.url ?? '', { allowHalfOpen: true })

const send = ({ socket }: RawConnection, octets: string): Promise<void> =>
  new Promise((resolve, reject) =>
    socket.write(octets, 'latin1', (error) => (error ? reject(error) : resolve())),
  )

describe('The last response of a connection', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await start()
  })
  after(() => server?.close())

  table<Row>(test, rows, async (_, octets, status) => {
    const connection = await connect(server)
    connection.write(octets)
    const response = await connection.next()
    check(response, status)
    assert.is(fieldOf(response, 'connection'), 'close')
    const begun = performance.now()
    await connection.closed()
    assert.ok(performance.now() - begun < atOnce, `FIN after ${performance.now() - begun} ms`)
    // the client is not reset while it still sends
    for (let part = 0; part < more * 4; part++) {
      await send(connection, 'x'.repeat(256 * 1024))
      await wait(1)
    }
    const closed = once(connection.socket, 'close')
    connection.socket.end()
    await closed
    assert.is(connection.socket.errored, null)
  })

  test('a client that never closes its side is disconnected after two seconds', async () => {
    const connection = await connect(server)
    connection.write(to('POST /text', chunks) + 'z\r\n')
    check(await connection.next(), 400)
    await connection.closed()
    const begun = performance.now()
    connection.socket.on('error', () => undefined)
    while (!connection.socket.destroyed && performance.now() - begun < 10_000) {
      connection.write('x')
      await wait(50)
    }
    const took = performance.now() - begun
    assert.ok(took > 1500 && took < 5000, `${took} ms`)
  })

  test('a request after an unread body is not served', async () => {
    const connection = await connect(server)
    connection.write(chunked('POST /guarded', ['abc']) + sending('POST /text', 'hunter2'))
    const responses = await connection.rest()
    assert.equal(
      responses.map(({ status }) => status),
      [401],
    )
    connection.leave()
  })
})

describe('fw.http.read-timeout', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await start({ 'fw.http.read-timeout': 500, 'fw.http.header-timeout': 500 })
  })
  after(() => server?.close())
  table(
    test,
    [
      ['half a head', 'GET /alive HTTP/1.1\r\nHo'],
      ['half a body', `${to('POST /text', 'Content-Length: 10')}abc`],
      ['half a chunked body', `${to('POST /text', chunks)}3\r\na`],
    ] as const,
    async (_, octets) => {
      const connection = await connect(server)
      connection.write(octets)
      check(await connection.next(), 408)
      const begun = performance.now()
      await connection.closed()
      assert.ok(performance.now() - begun < atOnce)
      await send(connection, 'x'.repeat(1024 * 1024))
      connection.leave()
    },
  )
})
