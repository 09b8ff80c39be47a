/** Tests of `fw.http.write-timeout`: clients that do not read their responses. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, concurrentTable } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { startServer, resetCounters, collectBytes, counters } from '../streams.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'
import { waitUntil } from '../../support/wait-until.ts'

const limit = 300

type Connect = () => Promise<RawConnection>
type Row = readonly [title: string, run: (connect: Connect) => Promise<void>]

/** Number of requests whose sources record that they were closed. */
const requests = { count: 0 }

/** Runs a check with a connection. Repeats it if the event loop was delayed. */
const withConnection = (
  connect: Connect,
  check: (connection: RawConnection, attempt: number) => Promise<void>,
): Promise<void> =>
  retryWhenDelayed(50, async (_, attempt) => {
    const connection = await connect()
    try {
      await check(connection, attempt)
    } finally {
      connection.destroy()
    }
  })

const disconnectsStalledClient = (target: string): Row => [
  `disconnects a client that stops reading ${target}`,
  (connect) =>
    withConnection(connect, async (connection, attempt) => {
      if (target !== '/large') requests.count++
      const { socket } = connection
      const received = collectBytes(connection)
      socket.pause()
      connection.write(rawRequest(`GET ${target}`))
      await wait(limit - 100)
      // the connection is open before the timeout
      const pauseAfterSome = (): void => {
        if (received.bytes < 4e6) return
        socket.off('data', pauseAfterSome).pause()
      }
      socket.on('data', pauseAfterSome).resume()
      await waitUntil(() => received.bytes > 4e6 || received.isClosed)
      assert.not.ok(received.isClosed, 'disconnected too early')
      await wait(attempt * (2 * limit + 200))
      socket.resume()
      await waitUntil(() => received.isClosed)
      assert.ok(received.bytes < 32e6)
    }),
]

const keepsIdleStream = (when: string, target: string): Row => [
  `keeps an idle event stream without a heartbeat: ${when}`,
  (connect) =>
    withConnection(connect, async (connection) => {
      const received = collectBytes(connection)
      const start = performance.now()
      connection.write(rawRequest(`GET ${target}`))
      await waitUntil(
        () => received.isClosed || received.text.endsWith('data: two\n\n\r\n0\r\n\r\n'),
      )
      assert.not.ok(received.isClosed, 'disconnected')
      assert.ok(performance.now() - start > 3 * limit)
      assert.is(received.text.match(/^data: /gm)?.length, 2)
    }),
]

const rows: ReadonlyArray<Row> = [
  ...['/endless/sync', '/endless/async', '/events', '/large'].map(disconnectsStalledClient),
  [
    'resets the connection if the body ends with the connection',
    (connect) =>
      withConnection(connect, async ({ socket, write }, attempt) => {
        requests.count++
        socket.on('error', () => undefined).pause()
        write('GET /endless/sync HTTP/1.0\r\nHost: a\r\n\r\n')
        await wait(attempt * (2 * limit + 300))
        // after an orderly close, the first write would succeed
        const error = await new Promise<Error | null | undefined>((resolve) =>
          socket.write('x', resolve),
        )
        assert.match(String(error), /ECONNRESET|EPIPE/)
      }),
  ],
  [
    'disconnects a client that only sends',
    (connect) =>
      withConnection(connect, async (connection, attempt) => {
        const received = collectBytes(connection)
        connection.socket.pause()
        connection.write(`${rawRequest('GET /large')}GET /alive HTTP/1.1\r\nX: `)
        const sending = setInterval(() => connection.write('x'), 20)
        await wait(attempt * (2 * limit + 300))
        clearInterval(sending)
        connection.socket.resume()
        await waitUntil(() => received.isClosed)
        assert.ok(received.bytes < 32e6)
      }),
  ],
  [
    'keeps a client that waits for a source',
    (connect) =>
      withConnection(connect, async (connection) => {
        const received = collectBytes(connection)
        connection.write(rawRequest('GET /slow'))
        await waitUntil(() => received.isClosed || received.text.endsWith(',2]\r\n0\r\n\r\n'))
        assert.not.ok(received.isClosed, 'disconnected')
      }),
  ],
  keepsIdleStream('between two events', '/quiet'),
  keepsIdleStream('before the first event', '/quiet?first=1000'),
  [
    'keeps a client that reads slowly',
    () =>
      // client and server share the event loop, so a delay also pauses the client
      retryWhenDelayed(200, async () => {
        const timeout = 1500
        const other = await startServer({ 'fw.http.write-timeout': timeout })
        const connection = await connectTo(other.url)
        const { socket } = connection
        const received = collectBytes(connection)
        socket.on('data', () => {
          socket.pause()
          setTimeout(() => socket.resume(), 5)
        })
        const start = performance.now()
        connection.write(rawRequest('GET /large', 'Connection: close'))
        await waitUntil(() => received.isClosed)
        await other.close()
        assert.ok(received.bytes > 32 * 1024 * 1024)
        assert.ok(performance.now() - start > timeout)
      }),
  ],
]

describe('fw.http.write-timeout', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    resetCounters()
    server = await startServer({ 'fw.http.write-timeout': limit, 'fw.rest.sse.heartbeat': 0 })
  })
  after(() => server?.close())

  concurrentTable<Row>(test, { before }, rows, (_, run) => run(() => connectTo(server?.url ?? '')))
  test('closes the sources of interrupted responses', () =>
    waitUntil(() => counters.ended >= requests.count))
})
