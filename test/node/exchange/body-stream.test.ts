/**
 * Contents that are taken in pieces, on the wire: whatever a handler does with them, the client gets its answer, and the
 * connection takes another request or is closed.
 */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { api, most, told } from '../../support/incoming-api.ts'
import { onLoopback } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, chunked, sending, to } from '../../support/raw.ts'
import { kept, until } from '../../support/workers.ts'

type Departing = readonly [name: string, request: string, way: string, told: unknown]

const octets = (count: number): string => 'x'.repeat(count)
const continues = 'Expect: 100-continue'
const chunks = 'Transfer-Encoding: chunked'

const probe = async (connection: RawConnection): Promise<void> => {
  connection.write(to('GET /alive'))
  check(await connection.next(), [200, 'alive'])
}

describe('Contents in pieces, on the wire', (test, { before, after }) => {
  let server: Server
  const { lines, logger } = kept()
  before(async () => {
    server = await onLoopback(api, {
      logger,
      'fw.http.limits.max-body-size': most,
    })
  })
  after(() => server.close())

  const connected = async (use: (connection: RawConnection) => Promise<void>): Promise<void> => {
    lines.length = 0
    told.length = 0
    const connection = await connectTo(server.url)
    try {
      await use(connection)
    } finally {
      connection.leave()
    }
    assert.equal(
      lines.filter((line) => line.startsWith('error')),
      [],
    )
  }

  type Row = readonly [name: string, octets: string, status: number, content: string | RegExp]

  table<Row>(
    test,
    [
      ['none of it is read', sending('POST /none', octets(most)), 200, 'none'],
      ['there is none', sending('POST /all', ''), 200, '0'],
      ['there is none, and no length', to('POST /all'), 200, '0'],
      ['there is none, and it stops', to('POST /stops'), 200, 'at none'],
      ['there are no chunks', chunked('POST /all', []), 200, '0'],
      ['one less than the limit', sending('POST /all', octets(most - 1)), 200, '99999'],
      ['as many as the limit', sending('POST /all', octets(most)), 200, '100000'],
      [
        'as many as the limit, in chunks',
        chunked('POST /all', [octets(most - 1), 'x']),
        200,
        '100000',
      ],
      ['its own limit', sending('POST /wide', octets(2 * most)), 200, '200000'],
      ['no Content-Type', sending('POST /all', 'abc'), 200, '3'],
      ['reading stops', sending('POST /stops', octets(most)), 200, 'at 1'],
      ['reading stops without a word', sending('POST /half', octets(most)), 200, 'half 1'],
      ['many are asked for at once', sending('POST /several', octets(most)), 200, `${most} true`],
    ],
    (_, request, status, content) =>
      connected(async (connection) => {
        connection.write(request)
        check(await connection.next(), [status, content])
        await probe(connection)
        // the next request may be there already
        connection.write(request + to('GET /alive'))
        check(await connection.next(), [status, content])
        check(await connection.next(), [200, 'alive'])
      }),
  )

  table<Row>(
    test,
    [
      ['announced, one more', sending('POST /all', octets(most + 1)), 413, /100000 bytes/],
      ['in chunks, one more', chunked('POST /all', [octets(most), 'x']), 413, /100000 bytes/],
      ['its own limit, one more', sending('POST /wide', octets(2 * most + 1)), 413, /200000/],
      [
        'in chunks, one more, which the handler sees',
        chunked('POST /catches', [octets(most + 1)]),
        200,
        'refused, then nothing',
      ],
      ['5 MB', sending('POST /all', octets(5_000_000)), 413, /bytes/],
      ['5 MB in a chunk', chunked('POST /all', [octets(5_000_000)]), 413, /bytes/],
      [
        '5 MB in a chunk for one that reads none',
        chunked('POST /none', [octets(5_000_000)]),
        200,
        'none',
      ],
      [
        '5 MB in a chunk for one that stops',
        chunked('POST /half', [octets(5_000_000)]),
        200,
        'half 1',
      ],
      [
        '5 MB in a chunk for one that asks on',
        chunked('POST /asking', [octets(5_000_000)]),
        200,
        'asking',
      ],
    ],
    (_, request, status, content) =>
      connected(async (connection) => {
        connection.write(request)
        const response = await connection.next()
        check(response, [status, content])
        assert.is(fieldOf(response, 'connection'), 'close')
        connection.socket.end()
        await connection.closed()
      }),
  )

  test('bytes after Content-Length belong to the next request', () =>
    connected(async (connection) => {
      connection.write(`${to('POST /all', 'Content-Length: 3')}abc${to('GET /alive')}`)
      check(await connection.next(), [200, '3'])
      check(await connection.next(), [200, 'alive'])
      connection.write(`${to('POST /all', 'Content-Length: 3')}abc\0\r\n\r\n`)
      check(await connection.next(), [200, '3'])
      check(await connection.next(), 400)
      await connection.closed()
    }))

  test('a pending read rejects when the response is sent', () =>
    connected(async (connection) => {
      connection.write(`${to('POST /asking', 'Content-Length: 6')}abc`)
      check(await connection.next(), [200, 'asking'])
      connection.write(`def${to('GET /alive')}`)
      check(await connection.next(), [200, 'alive'])
      assert.equal(told, ['response already sent'])
    }))

  table<Departing>(
    test,
    [
      ['a length', `${to('POST /tells', 'Content-Length: 6')}abc`],
      ['chunks', `${to('POST /tells', chunks)}3\r\nabc\r\n`],
      ['a chunk', `${to('POST /tells', chunks)}6\r\nabc`],
      ['a length, before any octet', to('POST /tells', 'Content-Length: 6')],
    ].flatMap(([name = '', request = '']): ReadonlyArray<Departing> => [
      [`${name}: the client stops half way`, request, 'stops', 400],
      [`${name}: the client is gone half way`, request, 'is gone', 'ERR_STREAM_PREMATURE_CLOSE'],
    ]),
    (_, request, way, expected) =>
      connected(async ({ write, socket }) => {
        write(request)
        await wait(20)
        if (way === 'stops') socket.end()
        else socket.resetAndDestroy()
        await until(() => told.length > 0)
        assert.equal(told, [expected])
      }),
  )

  test('a read after a disconnect rejects', () =>
    connected(async ({ write, socket }) => {
      write(`${to('POST /later', 'Content-Length: 6')}abc`)
      await wait(20)
      socket.end()
      await until(() => told.length > 0)
      assert.equal(told, [400])
    }))

  test('an invalid chunk returns 400', () =>
    connected(async (connection) => {
      connection.write(`${to('POST /tells', chunks)}3\r\nabc\r\nz\r\n`)
      check(await connection.next(), 400)
      await connection.closed()
      await until(() => told.length > 0)
      assert.is(told.length, 1)
    }))

  test('100 is sent when the body is read', () =>
    connected(async (connection) => {
      connection.write(to('POST /all', continues, 'Content-Length: 3'))
      check(await connection.next(), 100)
      connection.write('abc')
      check(await connection.next(), [200, '3'])
      await probe(connection)
    }))

  table<Row>(
    test,
    [
      ['one that reads none', to('POST /none', continues, 'Content-Length: 3'), 200, 'none'],
      ['one that refuses', to('POST /refuses', continues, 'Content-Length: 3'), 401, /./],
      [
        'one more than the limit',
        to('POST /all', continues, `Content-Length: ${most + 1}`),
        413,
        /./,
      ],
      [
        'a coded content',
        to('POST /all', continues, 'Content-Length: 3', 'Content-Encoding: gzip'),
        415,
        /./,
      ],
      [
        'another media type',
        to('POST /all', continues, 'Content-Length: 3', 'Content-Type: text/plain'),
        415,
        /./,
      ],
    ].map(([name, ...row]) => [`100 is not sent for ${String(name)}`, ...row] as unknown as Row),
    (_, request, status, content) =>
      connected(async (connection) => {
        connection.write(request)
        const response = await connection.next()
        check(response, [status, content])
        assert.is(fieldOf(response, 'connection'), 'close')
      }),
  )
})
