/**
 * Tests of streamed request bodies over a connection: the client gets a response however the handler reads the body, and the
 * connection serves another request or is closed.
 */
import * as assert from 'uvu/assert'
import { releaseMemory } from '../../../src/node/exchange/request-body.ts'
import { describe, table } from '../../support/describe.ts'
import type { Server } from '../../../src/node.ts'
import { api, maxBodySize, recorded } from '../../programs/incoming-api.ts'
import { serveLocally } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import * as Raw from '../../support/raw.ts'
import { recordLog } from '../../support/workers.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const { assertResponse, chunkedRequest, isDirect, requestWithBody, rawRequest } = Raw

/** Minimum number of bytes that `releaseMemory` releases. */
const minimum = 16 * 1024

type MemoryRow = readonly [name: string, bytes: Uint8Array, remaining: number]

describe('releaseMemory', (test) => {
  table<MemoryRow>(
    test,
    [
      ['one byte below the minimum', new Uint8Array(minimum - 1), minimum - 1],
      ['the minimum', new Uint8Array(minimum), 0],
      ['one byte above the minimum', Buffer.from(new ArrayBuffer(minimum + 1)), 0],
      ['the start of a larger buffer', new Uint8Array(2 * minimum).subarray(0, minimum), minimum],
      ['the end of a larger buffer', new Uint8Array(2 * minimum).subarray(minimum), minimum],
      ['shared memory', new Uint8Array(new SharedArrayBuffer(minimum)), minimum],
    ],
    (_, bytes, remaining) => {
      releaseMemory(bytes)
      assert.is(bytes.length, remaining)
      releaseMemory(bytes)
    },
  )
  test('memory is released without garbage collection', () => {
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 100; i++) releaseMemory(new Uint8Array(1024 * 1024))
    assert.ok(process.memoryUsage().arrayBuffers - before < 10 * 1024 * 1024)
  })
})

type DisconnectRow = readonly [name: string, request: string, disconnect: string, error: unknown]

const repeat = (count: number): string => 'x'.repeat(count)
const continues = 'Expect: 100-continue'
const chunks = 'Transfer-Encoding: chunked'

const probe = async (connection: RawConnection): Promise<void> => {
  connection.write(rawRequest('GET /alive'))
  assertResponse(await connection.next(), [200, 'alive'])
}

describe('a streamed request body', (test, { before, after }) => {
  let server: Server
  const { lines, logger } = recordLog()
  before(async () => {
    server = await serveLocally(api, {
      logger,
      'fw.http.limits.max-body-size': maxBodySize,
    })
  })
  after(() => server.close())

  const withConnection = async (
    use: (connection: RawConnection) => Promise<void>,
  ): Promise<void> => {
    lines.length = 0
    recorded.length = 0
    const connection = await connectTo(server.url)
    try {
      await use(connection)
    } finally {
      connection.destroy()
    }
    assert.equal(
      lines.filter((line) => line.startsWith('error')),
      [],
    )
  }

  type Row = readonly [name: string, message: string, status: number, body: string | RegExp]

  table<Row>(
    test,
    [
      ['an unread body', requestWithBody('POST /none', repeat(maxBodySize)), 200, 'none'],
      ['an empty body', requestWithBody('POST /all', ''), 200, '0'],
      ['no body and no Content-Length', rawRequest('POST /all'), 200, '0'],
      ['no body for a handler that stops', rawRequest('POST /stops'), 200, 'at none'],
      ['no chunks', chunkedRequest('POST /all', []), 200, '0'],
      [
        'a body below the limit',
        requestWithBody('POST /all', repeat(maxBodySize - 1)),
        200,
        '99999',
      ],
      ['a body at the limit', requestWithBody('POST /all', repeat(maxBodySize)), 200, '100000'],
      [
        'chunks at the limit',
        chunkedRequest('POST /all', [repeat(maxBodySize - 1), 'x']),
        200,
        '100000',
      ],
      [
        'a body at the limit of the operation',
        requestWithBody('POST /wide', repeat(2 * maxBodySize)),
        200,
        '200000',
      ],
      ['no Content-Type', requestWithBody('POST /all', 'abc'), 200, '3'],
      [
        'a handler that stops reading',
        requestWithBody('POST /stops', repeat(maxBodySize)),
        200,
        'at 1',
      ],
      [
        'a handler that stops reading without closing',
        requestWithBody('POST /half', repeat(maxBodySize)),
        200,
        'half 1',
      ],
      [
        'concurrent reads',
        requestWithBody('POST /several', repeat(maxBodySize)),
        200,
        `${maxBodySize} true`,
      ],
    ],
    (_, request, status, body) =>
      withConnection(async (connection) => {
        connection.write(request)
        assertResponse(await connection.next(), [status, body])
        await probe(connection)
        // a pipelined request
        connection.write(request + rawRequest('GET /alive'))
        assertResponse(await connection.next(), [status, body])
        assertResponse(await connection.next(), [200, 'alive'])
      }),
  )

  table<Row>(
    test,
    [
      [
        'Content-Length above the limit',
        requestWithBody('POST /all', repeat(maxBodySize + 1)),
        413,
        /100000 bytes/,
      ],
      [
        'chunks above the limit',
        chunkedRequest('POST /all', [repeat(maxBodySize), 'x']),
        413,
        /100000 bytes/,
      ],
      [
        'a body above the limit of the operation',
        requestWithBody('POST /wide', repeat(2 * maxBodySize + 1)),
        413,
        /200000/,
      ],
      [
        'chunks above the limit for a handler that catches the error',
        chunkedRequest('POST /catches', [repeat(maxBodySize + 1)]),
        200,
        'rejected, then nothing',
      ],
      ['5 MB', requestWithBody('POST /all', repeat(5_000_000)), 413, /bytes/],
      ['5 MB in a chunk', chunkedRequest('POST /all', [repeat(5_000_000)]), 413, /bytes/],
      [
        '5 MB in a chunk for a handler that reads none',
        chunkedRequest('POST /none', [repeat(5_000_000)]),
        200,
        'none',
      ],
      [
        '5 MB in a chunk for a handler that stops',
        chunkedRequest('POST /half', [repeat(5_000_000)]),
        200,
        'half 1',
      ],
      [
        '5 MB in a chunk for a handler with a pending read',
        chunkedRequest('POST /pending', [repeat(5_000_000)]),
        200,
        'pending',
      ],
    ],
    (_, request, status, body) =>
      withConnection(async (connection) => {
        connection.write(request)
        const response = await connection.next()
        assertResponse(response, [status, body])
        // direct connections may have received the whole body when the response begins
        if (isDirect && headerOf(response, 'connection') === 'keep-alive')
          return await probe(connection)
        assert.is(headerOf(response, 'connection'), 'close')
        connection.socket.end()
        await connection.closed()
      }),
  )

  test('bytes after Content-Length belong to the next request', () =>
    withConnection(async (connection) => {
      connection.write(
        `${rawRequest('POST /all', 'Content-Length: 3')}abc${rawRequest('GET /alive')}`,
      )
      assertResponse(await connection.next(), [200, '3'])
      assertResponse(await connection.next(), [200, 'alive'])
      connection.write(`${rawRequest('POST /all', 'Content-Length: 3')}abc\0\r\n\r\n`)
      assertResponse(await connection.next(), [200, '3'])
      assertResponse(await connection.next(), 400)
      await connection.closed()
    }))

  test('a pending read rejects when the response is sent', () =>
    withConnection(async (connection) => {
      connection.write(`${rawRequest('POST /pending', 'Content-Length: 6')}abc`)
      assertResponse(await connection.next(), [200, 'pending'])
      connection.write(`def${rawRequest('GET /alive')}`)
      assertResponse(await connection.next(), [200, 'alive'])
      assert.equal(recorded, ['response already sent'])
    }))

  table<DisconnectRow>(
    test,
    [
      ['a length', `${rawRequest('POST /records', 'Content-Length: 6')}abc`],
      ['chunks', `${rawRequest('POST /records', chunks)}3\r\nabc\r\n`],
      ['a chunk', `${rawRequest('POST /records', chunks)}6\r\nabc`],
      ['a length, before any byte', rawRequest('POST /records', 'Content-Length: 6')],
    ].flatMap(([name = '', request = '']): ReadonlyArray<DisconnectRow> => [
      [`${name}: a half-close within the body`, request, 'half-close', 400],
      [`${name}: a reset within the body`, request, 'reset', 'ERR_STREAM_PREMATURE_CLOSE'],
    ]),
    (_, request, disconnect, expected) =>
      withConnection(async ({ write, socket }) => {
        write(request)
        await turns()
        if (disconnect === 'half-close') socket.end()
        else socket.resetAndDestroy()
        await waitUntil(() => recorded.length > 0)
        assert.equal(recorded, [expected])
      }),
  )

  test('a read after a disconnect rejects', () =>
    withConnection(async ({ write, socket }) => {
      write(`${rawRequest('POST /later', 'Content-Length: 6')}abc`)
      await turns()
      socket.end()
      await waitUntil(() => recorded.length > 0)
      assert.equal(recorded, [400])
    }))

  test('an invalid chunk returns 400', () =>
    withConnection(async (connection) => {
      connection.write(`${rawRequest('POST /records', chunks)}3\r\nabc\r\nz\r\n`)
      assertResponse(await connection.next(), 400)
      await connection.closed()
      await waitUntil(() => recorded.length > 0)
      assert.is(recorded.length, 1)
    }))

  test('100 is sent when the body is read', () =>
    withConnection(async (connection) => {
      connection.write(rawRequest('POST /all', continues, 'Content-Length: 3'))
      assertResponse(await connection.next(), 100)
      connection.write('abc')
      assertResponse(await connection.next(), [200, '3'])
      await probe(connection)
    }))

  table<Row>(
    test,
    [
      [
        'a handler that reads none',
        rawRequest('POST /none', continues, 'Content-Length: 3'),
        200,
        'none',
      ],
      [
        'a handler that returns 401',
        rawRequest('POST /rejects', continues, 'Content-Length: 3'),
        401,
        /./,
      ],
      [
        'a body above the limit',
        rawRequest('POST /all', continues, `Content-Length: ${maxBodySize + 1}`),
        413,
        /./,
      ],
      [
        'an unsupported content coding',
        rawRequest('POST /all', continues, 'Content-Length: 3', 'Content-Encoding: gzip'),
        415,
        /./,
      ],
      [
        'an unsupported media type',
        rawRequest('POST /all', continues, 'Content-Length: 3', 'Content-Type: text/plain'),
        415,
        /./,
      ],
    ].map(([name, ...row]) => [`100 is not sent for ${String(name)}`, ...row] as unknown as Row),
    (_, request, status, body) =>
      withConnection(async (connection) => {
        connection.write(request)
        const response = await connection.next()
        assertResponse(response, [status, body])
        assert.is(headerOf(response, 'connection'), 'close')
      }),
  )
})
