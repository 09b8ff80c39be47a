/** Clients that send FIN after their requests and still read the responses, and `fw.http.half-close-timeout`. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { fileWith, newFolder } from '../../support/folder.ts'
import { api, large, seen } from '../../support/half-closing-api.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, chunked, head, sending, to } from '../../support/raw.ts'
import { until } from '../../support/workers.ts'

const errors: string[] = []
const error = (_: object, message: string): void => void errors.push(message)

const begin = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    module: new URL('../../support/half-closing-api.js', import.meta.url).href,
    logger: { ...silentLogger, error, warn: error },
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.worker.threads': 1,
    ...options,
  })

/** A connection that stays open when the server has closed its side. */
const connect = (server: Server | undefined): Promise<RawConnection> =>
  connectTo(server?.url ?? '', { allowHalfOpen: true })

const content = 'x'.repeat(large)
const folder = newFolder()
const [small, big] = [fileWith(folder, 'small', 'abc'), fileWith(folder, 'big', content)]

type Row = readonly [title: string, octets: string, status: number, content: string]

const rows: ReadonlyArray<Row> = [
  ['a synchronous handler', to('GET /now'), 200, 'now'],
  ['an asynchronous handler', to('GET /slow'), 200, 'slow'],
  ['HTTP/1.0', head('GET /slow HTTP/1.0'), 200, 'slow'],
  [
    'HTTP/1.0 that keeps the connection',
    head('GET /slow HTTP/1.0', 'Connection: keep-alive'),
    200,
    'slow',
  ],
  ['Connection: close', to('GET /slow', 'Connection: close'), 200, 'slow'],
  ['a body', sending('POST /echo', 'hunter2'), 200, 'hunter2'],
  ['a chunked body', chunked('POST /echo', ['a', 'bc']), 200, 'abc'],
  ['a large body', sending('POST /echo', 'y'.repeat(500_000)), 200, 'y'.repeat(500_000)],
  ['JSON', to('GET /json'), 200, '{"a":1}'],
  ['a small file', to('GET /file', `X-File: ${small}`), 200, 'abc'],
  ['a large file', to('GET /file', `X-File: ${big}`), 200, content],
  [
    'a range of a file',
    to('GET /file', `X-File: ${big}`, 'Range: bytes=1-200000'),
    206,
    content.slice(0, 200_000),
  ],
  ['an aborted signal', to('GET /late'), 200, 'true'],
  ['a blocking operation', to('GET /blocking'), 200, 'blocking true'],
]

const sendAndEnd = {
  'with the request': (connection: RawConnection, octets: string) =>
    void connection.socket.end(octets, 'latin1'),
  'while the handler runs': async (connection: RawConnection, octets: string) => {
    connection.write(octets)
    await wait(10)
    connection.socket.end()
  },
}

describe('A response after a half-close', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await begin()
  })
  after(async () => {
    await server?.close()
    assert.equal(errors, [])
  })

  for (const [when, send] of Object.entries(sendAndEnd)) {
    table<Row>(
      test,
      rows.map(([title, ...rest]) => [`${title}, FIN ${when}`, ...rest] as const),
      async (_, octets, status, expected) => {
        const connection = await connect(server)
        await send(connection, octets)
        const response = await connection.next()
        check(response, [status, expected])
        await connection.closed()
      },
    )
  }

  test('announces the end of the connection', async () => {
    const connection = await connect(server)
    connection.socket.end(to('GET /slow'))
    assert.is(fieldOf(await connection.next(), 'connection'), 'close')
    await connection.closed()
  })

  test('a response to HEAD is sent', async () => {
    const connection = await connect(server)
    connection.socket.end(to('HEAD /slow'))
    const response = await connection.next('HEAD')
    assert.equal([response.status, fieldOf(response, 'content-length')], [200, '4'])
    await connection.closed()
  })

  table(
    test,
    [
      ['an error', to('GET /error'), 409],
      ['an unknown path', to('GET /nothing'), 404],
    ] as const,
    async (_, octets, status) => {
      const connection = await connect(server)
      connection.socket.end(octets)
      check(await connection.next(), status)
      await connection.closed()
    },
  )

  test('aborts the signal at once', async () => {
    seen.length = 0
    const connection = await connect(server)
    connection.write(to('GET /slow?ms=300'))
    await until(() => seen.includes('begun'))
    const begun = performance.now()
    connection.socket.end()
    await until(() => seen.includes('aborted'))
    assert.ok(performance.now() - begun < 250)
    check(await connection.next(), [200, 'slow'])
    await connection.closed()
  })

  test('a handler that fails because of the signal logs no error', async () => {
    seen.length = 0
    const connection = await connect(server)
    connection.write(to('GET /aborts'))
    await until(() => seen.includes('begun'))
    connection.socket.end()
    check(await connection.next(), 500)
    await connection.closed()
    assert.equal(errors, [])
  })

  test('pipelined requests get their responses in order', async () => {
    const connection = await connect(server)
    connection.socket.end(
      to('GET /slow?ms=60') +
        to('GET /now') +
        sending('POST /echo', 'abc') +
        to('GET /slow?ms=5') +
        to('GET /blocking'),
    )
    for (const expected of ['slow', 'now', 'abc', 'slow', 'blocking true'])
      check(await connection.next(), [200, expected])
    await connection.closed()
  })

  test('a complete request before an incomplete one is served', async () => {
    const connection = await connect(server)
    connection.socket.end(to('GET /slow') + to('POST /echo', 'Content-Length: 10') + 'abc')
    check(await connection.next(), [200, 'slow'])
    check(await connection.next(), 400)
    await connection.closed()
  })

  test('an incomplete body is rejected', async () => {
    const connection = await connect(server)
    connection.socket.end(to('POST /echo', 'Content-Length: 10') + 'abc')
    check(await connection.next(), 400)
    await connection.closed()
  })

  test('a connection without a request is closed', async () => {
    const connection = await connect(server)
    connection.socket.end()
    await connection.closed()
  })

  test('a connection between two requests is closed', async () => {
    const connection = await connect(server)
    connection.write(to('GET /slow'))
    check(await connection.next(), [200, 'slow'])
    connection.socket.end()
    await connection.closed()
  })

  test('a reset ends the request at once', async () => {
    seen.length = 0
    const connection = await connect(server)
    connection.write(to('GET /never'))
    await until(() => seen.includes('begun'))
    connection.socket.resetAndDestroy()
    const begun = performance.now()
    await until(() => seen.includes('ended'))
    assert.ok(performance.now() - begun < 1000)
  })

  for (const name of ['events', 'lines', 'array', 'texts', 'bytes'])
    test(`a stream ends: ${name}`, async () => {
      seen.length = 0
      const connection = await connect(server)
      const { socket } = connection
      connection.write(to(`GET /${name}`))
      await once(socket, 'data')
      const ended = once(socket, 'end')
      const begun = performance.now()
      socket.end()
      await ended
      await until(() => seen.includes('source ended'))
      assert.ok(performance.now() - begun < 1000)
    })

  test('a stream of a blocking operation ends', async () => {
    const { socket, write } = await connect(server)
    write(to('GET /blocking-lines'))
    await once(socket, 'data')
    const ended = once(socket, 'end')
    socket.end()
    await ended
  })

  test('a stream that begins after the half-close is not sent', async () => {
    const connection = await connect(server)
    connection.socket.end(to('GET /late-lines'))
    await connection.closed()
  })

  test('responses before a stream are sent', async () => {
    const connection = await connect(server)
    connection.socket.end(to('GET /slow?ms=60') + to('GET /lines') + to('GET /now'))
    check(await connection.next(), [200, 'slow'])
    await connection.closed()
  })

  test('a server that closes waits for the response', async () => {
    const other = await begin()
    seen.length = 0
    const connection = await connect(other)
    connection.socket.end(to('GET /slow?ms=200'))
    await until(() => seen.includes('aborted'))
    const closing = other.close()
    check(await connection.next(), [200, 'slow'])
    await connection.closed()
    await closing
  })
})

/** Milliseconds until a connection is closed whose handler never ends. */
const never = async (options: ServeOptions): Promise<number> => {
  seen.length = 0
  errors.length = 0
  const server = await begin(options)
  try {
    const connection = await connect(server)
    connection.write(to('GET /never'))
    await until(() => seen.includes('begun'))
    const begun = performance.now()
    connection.socket.end()
    await connection.closed()
    const took = performance.now() - begun
    await until(() => seen.includes('ended'))
    assert.equal(errors, [])
    return took
  } finally {
    await server.close()
  }
}

describe('fw.http.half-close-timeout', (test) => {
  test('closes a connection whose response does not begin in time', async () => {
    const took = await never({ 'fw.http.half-close-timeout': '300ms' })
    assert.ok(took >= 290 && took < 2000, `${took} ms`)
  })

  test('0 closes it at once', async () => {
    const took = await never({ 'fw.http.half-close-timeout': 0 })
    assert.ok(took < 200, `${took} ms`)
  })

  test('does not cut a file that is being sent', async () => {
    const server = await begin({ 'fw.http.half-close-timeout': 100 })
    try {
      const connection = await connect(server)
      const { socket } = connection
      socket.pause()
      socket.end(to('GET /file', `X-File: ${big}`))
      await wait(400)
      socket.resume()
      check(await connection.next(), [200, content])
      await connection.closed()
    } finally {
      await server.close()
    }
  })

  test('holds for all pipelined requests together', async () => {
    const server = await begin({ 'fw.http.half-close-timeout': 200 })
    try {
      const connection = await connect(server)
      const begun = performance.now()
      connection.socket.end(to('GET /slow?ms=50') + to('GET /never') + to('GET /never'))
      check(await connection.next(), [200, 'slow'])
      await connection.closed()
      assert.ok(performance.now() - begun < 1500)
    } finally {
      await server.close()
    }
  })
})
