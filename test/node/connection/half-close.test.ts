/** Tests of clients that half-close the connection after their requests, and of `fw.http.half-close-timeout`. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { createFile, newFolder } from '../../support/folder.ts'
import { api, large, events } from '../../programs/half-closing-api.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import {
  assertResponse,
  chunkedRequest,
  head,
  requestWithBody,
  rawRequest,
} from '../../support/raw.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const errors: string[] = []
const error = (_: object, message: string): void => void errors.push(message)

const start = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    module: new URL('../../programs/half-closing-api.js', import.meta.url).href,
    logger: { ...silentLogger, error, warn: error },
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.http.overload.enabled': false, // on a loaded machine, requests would be rejected
    'fw.worker.threads': 1,
    ...options,
  })

/** Opens a connection that stays open after the server has closed its side. */
const connect = (server: Server | undefined): Promise<RawConnection> =>
  connectTo(server?.url ?? '', { allowHalfOpen: true })

const content = 'x'.repeat(large)
const folder = newFolder()
const [small, big] = [createFile(folder, 'small', 'abc'), createFile(folder, 'big', content)]

type Row = readonly [title: string, message: string, status: number, content: string]

const rows: ReadonlyArray<Row> = [
  ['a synchronous handler', rawRequest('GET /now'), 200, 'now'],
  ['an asynchronous handler', rawRequest('GET /slow'), 200, 'slow'],
  ['HTTP/1.0', head('GET /slow HTTP/1.0'), 200, 'slow'],
  ['HTTP/1.0 with keep-alive', head('GET /slow HTTP/1.0', 'Connection: keep-alive'), 200, 'slow'],
  ['Connection: close', rawRequest('GET /slow', 'Connection: close'), 200, 'slow'],
  ['a body', requestWithBody('POST /echo', 'hunter2'), 200, 'hunter2'],
  ['a chunked body', chunkedRequest('POST /echo', ['a', 'bc']), 200, 'abc'],
  ['a large body', requestWithBody('POST /echo', 'y'.repeat(500_000)), 200, 'y'.repeat(500_000)],
  ['JSON', rawRequest('GET /json'), 200, '{"a":1}'],
  ['a small file', rawRequest('GET /file', `X-File: ${small}`), 200, 'abc'],
  ['a large file', rawRequest('GET /file', `X-File: ${big}`), 200, content],
  [
    'a range of a file',
    rawRequest('GET /file', `X-File: ${big}`, 'Range: bytes=1-200000'),
    206,
    content.slice(0, 200_000),
  ],
  ['an aborted signal', rawRequest('GET /late'), 200, 'true'],
  ['a blocking operation', rawRequest('GET /blocking?ms=300'), 200, 'blocking true'],
]

const sendAndEnd = {
  'with the request': (connection: RawConnection, message: string) =>
    void connection.socket.end(message, 'latin1'),
  'while the handler runs': async (connection: RawConnection, message: string) => {
    connection.write(message)
    await turns()
    connection.socket.end()
  },
}

describe('a response after a half-close', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    // longer than the tests wait: what they wait for does not depend on the timeout
    server = await start({ 'fw.http.half-close-timeout': '100s' })
  })
  after(async () => {
    await server?.close()
    assert.equal(errors, [])
  })

  for (const [when, send] of Object.entries(sendAndEnd)) {
    table<Row>(
      test,
      rows.map(([title, ...rest]) => [`${title}, FIN ${when}`, ...rest] as const),
      async (_, message, status, expected) => {
        const connection = await connect(server)
        await send(connection, message)
        const response = await connection.next()
        assertResponse(response, [status, expected])
        await connection.closed()
      },
    )
  }

  test('has Connection: close', async () => {
    const connection = await connect(server)
    connection.socket.end(rawRequest('GET /slow'))
    assert.is(headerOf(await connection.next(), 'connection'), 'close')
    await connection.closed()
  })

  test('a response to HEAD is sent', async () => {
    const connection = await connect(server)
    connection.socket.end(rawRequest('HEAD /slow'))
    const response = await connection.next('HEAD')
    assert.equal([response.status, headerOf(response, 'content-length')], [200, '4'])
    await connection.closed()
  })

  table(
    test,
    [
      ['an error', rawRequest('GET /error'), 409],
      ['an unknown path', rawRequest('GET /nothing'), 404],
    ] as const,
    async (_, message, status) => {
      const connection = await connect(server)
      connection.socket.end(message)
      assertResponse(await connection.next(), status)
      await connection.closed()
    },
  )

  test('a half-close aborts the signal at once', () =>
    retryWhenDelayed(50, async () => {
      events.length = 0
      const connection = await connect(server)
      connection.write(rawRequest('GET /slow?ms=300'))
      await waitUntil(() => events.includes('started'))
      const startTime = performance.now()
      connection.socket.end()
      await waitUntil(() => events.includes('aborted'))
      assert.ok(performance.now() - startTime < 250)
      assertResponse(await connection.next(), [200, 'slow'])
      await connection.closed()
    }))

  test('a handler that fails because of the signal logs no error', async () => {
    events.length = 0
    const connection = await connect(server)
    connection.write(rawRequest('GET /aborts'))
    await waitUntil(() => events.includes('started'))
    connection.socket.end()
    assertResponse(await connection.next(), 500)
    await connection.closed()
    assert.equal(errors, [])
  })

  test('pipelined requests get their responses in order', async () => {
    const connection = await connect(server)
    connection.socket.end(
      rawRequest('GET /slow?ms=60') +
        rawRequest('GET /now') +
        requestWithBody('POST /echo', 'abc') +
        rawRequest('GET /slow?ms=5') +
        rawRequest('GET /blocking?ms=300'),
    )
    for (const expected of ['slow', 'now', 'abc', 'slow', 'blocking true'])
      assertResponse(await connection.next(), [200, expected])
    await connection.closed()
  })

  test('a stream that is ready before its turn closes the connection after the earlier response', async () => {
    const connection = await connect(server)
    connection.socket.end(rawRequest('GET /slow?ms=200') + rawRequest('GET /late-lines'))
    assertResponse(await connection.next(), [200, 'slow'])
    await connection.closed()
  })

  test('a complete request before an incomplete one is served', async () => {
    const connection = await connect(server)
    connection.socket.end(
      rawRequest('GET /slow') + rawRequest('POST /echo', 'Content-Length: 10') + 'abc',
    )
    assertResponse(await connection.next(), [200, 'slow'])
    assertResponse(await connection.next(), 400)
    await connection.closed()
  })

  test('an incomplete body is rejected', async () => {
    const connection = await connect(server)
    connection.socket.end(rawRequest('POST /echo', 'Content-Length: 10') + 'abc')
    assertResponse(await connection.next(), 400)
    await connection.closed()
  })

  test('a connection without a request is closed', async () => {
    const connection = await connect(server)
    connection.socket.end()
    await connection.closed()
  })

  test('a connection between two requests is closed', async () => {
    const connection = await connect(server)
    connection.write(rawRequest('GET /slow'))
    assertResponse(await connection.next(), [200, 'slow'])
    connection.socket.end()
    await connection.closed()
  })

  test('a reset ends the request at once', async () => {
    events.length = 0
    const connection = await connect(server)
    connection.write(rawRequest('GET /never'))
    await waitUntil(() => events.includes('started'))
    connection.socket.resetAndDestroy()
    await waitUntil(() => events.includes('ended'))
  })

  for (const name of ['events', 'lines', 'array', 'texts', 'bytes', 'parts'])
    test(`a half-close ends the stream /${name}, which waits for its source`, async () => {
      events.length = 0
      const connection = await connect(server)
      const { socket } = connection
      connection.write(rawRequest(`GET /${name}`))
      await once(socket, 'data')
      const ended = once(socket, 'end')
      socket.end()
      await ended
      await waitUntil(() => events.includes('source ended'))
    })

  test('a half-close ends a stream of a blocking operation', async () => {
    const { socket, write } = await connect(server)
    write(rawRequest('GET /blocking-lines'))
    await once(socket, 'data')
    const ended = once(socket, 'end')
    socket.end()
    await ended
  })

  test('a stream that begins after the half-close is not sent', async () => {
    const connection = await connect(server)
    connection.socket.end(rawRequest('GET /late-lines'))
    await connection.closed()
  })

  test('responses before a stream are sent', async () => {
    const connection = await connect(server)
    connection.socket.end(
      rawRequest('GET /slow?ms=60') + rawRequest('GET /lines') + rawRequest('GET /now'),
    )
    assertResponse(await connection.next(), [200, 'slow'])
    await connection.closed()
  })

  test('a server that closes waits for the response', async () => {
    const other = await start()
    events.length = 0
    const connection = await connect(other)
    connection.socket.end(rawRequest('GET /slow?ms=200'))
    await waitUntil(() => events.includes('aborted'))
    const closing = other.close()
    assertResponse(await connection.next(), [200, 'slow'])
    await connection.closed()
    await closing
  })
})

/** The default of `fw.http.half-close-timeout`, in milliseconds. */
const defaultTimeout = 5000

/** Measures the milliseconds until the server closes a half-closed connection whose handler never ends. */
const measureTimeout = async (options: ServeOptions): Promise<number> => {
  events.length = 0
  errors.length = 0
  const server = await start(options)
  try {
    const connection = await connect(server)
    connection.write(rawRequest('GET /never'))
    await waitUntil(() => events.includes('started'))
    const startTime = performance.now()
    connection.socket.end()
    await connection.closed()
    const duration = performance.now() - startTime
    await waitUntil(() => events.includes('ended'))
    assert.equal(errors, [])
    return duration
  } finally {
    await server.close()
  }
}

describe('fw.http.half-close-timeout', (test) => {
  test('closes a connection whose response does not start in time', async () => {
    const duration = await measureTimeout({ 'fw.http.half-close-timeout': '300ms' })
    assert.ok(duration >= 290 && duration < defaultTimeout, `${duration} ms`)
  })

  test('the value 0 closes the connection at once', async () => {
    const duration = await measureTimeout({ 'fw.http.half-close-timeout': 0 })
    assert.ok(duration < defaultTimeout, `${duration} ms`)
  })

  test('does not interrupt the transfer of a file', async () => {
    const server = await start({ 'fw.http.half-close-timeout': 500 })
    try {
      const connection = await connect(server)
      const { socket } = connection
      socket.pause()
      socket.end(rawRequest('GET /file', `X-File: ${big}`))
      await wait(800)
      socket.resume()
      assertResponse(await connection.next(), [200, content])
      await connection.closed()
    } finally {
      await server.close()
    }
  })

  test('applies to all pipelined requests together', async () => {
    const server = await start({ 'fw.http.half-close-timeout': 200 })
    try {
      const connection = await connect(server)
      const startTime = performance.now()
      connection.socket.end(
        rawRequest('GET /slow?ms=50') + rawRequest('GET /never') + rawRequest('GET /never'),
      )
      assertResponse(await connection.next(), [200, 'slow'])
      await connection.closed()
      assert.ok(performance.now() - startTime < defaultTimeout)
    } finally {
      await server.close()
    }
  })
})
