/** Tests of `fw.http.idle-timeout` and `fw.http.keep-alive-timeout`: idle connections are closed in time, others stay open. */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { body, bytes, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { recordConnections } from '../accepted-connections.ts'
import { describe, concurrentTable } from '../../support/describe.ts'
import { blockThread } from '../../support/cpu-time.ts'
import { serveLocally } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'
import type { ExpectedResponse } from '../../support/raw.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'

/** More than the buffers of a connection can hold. */
const large = 'x'.repeat(32 * 1024 * 1024)

const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  long: pipe(
    path('/long'),
    get(),
    produces(text),
    handle(() => wait(1400, 'long')),
  ),
  stuck: pipe(
    path('/stuck'),
    get(),
    produces(text),
    handle(() => new Promise<string>(() => undefined)),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => large),
  ),
  count: pipe(
    path('/count'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
})

const start = (idle: number, keepAlive: number): Promise<Server> =>
  serveLocally(api, {
    'fw.http.header-timeout': 0,
    'fw.http.read-timeout': 0,
    'fw.http.idle-timeout': idle,
    'fw.http.keep-alive-timeout': keepAlive,
    'fw.shutdown.timeout': 0,
  })

/** Milliseconds. The server adds a second to `fw.http.keep-alive-timeout`, because a request may be on its way when it expires. */
const [idle, keepAlive] = [500, 100]
const effectiveKeepAlive = keepAlive + 1000
/** Tolerated delay in milliseconds on a busy machine. No other timeout closes a connection earlier. */
const tolerance = 10_000

const assertAlive = async (connection: RawConnection): Promise<void> => {
  connection.write(rawRequest('GET /alive'))
  assertResponse(await connection.next(), [200, 'alive'])
}

/** Sends a message, reads the responses, and asserts that the connection is closed `timeout` milliseconds after sending. */
const assertClosedAfter = async (
  connection: RawConnection,
  timeout: number,
  message: string,
  ...responses: ReadonlyArray<ExpectedResponse>
): Promise<void> => {
  const startTime = performance.now()
  connection.write(message)
  for (const response of responses) assertResponse(await connection.next(), response)
  await connection.closed()
  const duration = performance.now() - startTime
  assert.ok(duration >= timeout && duration < timeout + tolerance, `closed after ${duration} ms`)
}

/** Writes a message byte by byte, for longer than the idle timeout. */
const writeSlowly = async (connection: RawConnection, message: string): Promise<void> => {
  for (const byte of message) {
    connection.write(byte)
    await wait(idle / 5)
  }
}

/** Reads until `total` bytes have been received on the connection, and then pauses. */
const readUpTo = async ({ socket }: RawConnection, total: number): Promise<void> => {
  const signal = AbortSignal.timeout(20_000)
  socket.resume()
  while (socket.bytesRead < total) await once(socket, 'data', { signal })
  socket.pause()
}

type Row = readonly [
  title: string,
  idle: number,
  keepAlive: number,
  run: (connection: RawConnection) => Promise<void>,
]

const rows: ReadonlyArray<Row> = [
  [
    'between requests: closed after the keep-alive timeout',
    idle,
    keepAlive,
    (connection) =>
      assertClosedAfter(connection, effectiveKeepAlive, rawRequest('GET /alive'), 200),
  ],
  [
    'between requests: each request restarts the keep-alive timeout',
    0,
    keepAlive,
    async (connection) => {
      await assertAlive(connection)
      await wait(effectiveKeepAlive - 100)
      await assertClosedAfter(connection, effectiveKeepAlive, rawRequest('GET /alive'), 200)
    },
  ],
  [
    'between requests: closed after the idle timeout without a keep-alive timeout',
    idle,
    0,
    (connection) => assertClosedAfter(connection, idle, rawRequest('GET /alive'), 200),
  ],
  [
    'before the first byte: closed after the idle timeout',
    idle,
    keepAlive,
    (connection) => assertClosedAfter(connection, idle, ''),
  ],
  [
    'within a head: closed after the idle timeout',
    idle,
    keepAlive,
    (connection) => assertClosedAfter(connection, idle, 'GET /alive HT'),
  ],
  [
    'within a body: closed after the idle timeout',
    idle,
    keepAlive,
    (connection) =>
      assertClosedAfter(connection, idle, `${rawRequest('POST /count', 'Content-Length: 10')}abc`),
  ],
  [
    'while the handler runs: closed after the idle timeout',
    idle,
    keepAlive,
    (connection) => assertClosedAfter(connection, idle, rawRequest('GET /stuck')),
  ],
  [
    'while the handler runs: not closed after the keep-alive timeout',
    0,
    keepAlive,
    async (connection) => {
      connection.write(rawRequest('GET /long'))
      assertResponse(await connection.next(), [200, 'long'])
    },
  ],
  [
    'while the handler of a pipelined request runs: closed after the idle timeout',
    idle,
    keepAlive,
    (connection) =>
      assertClosedAfter(connection, idle, rawRequest('GET /alive') + rawRequest('GET /stuck'), 200),
  ],
  [
    'without timeouts: not closed',
    0,
    0,
    async (connection) => {
      await assertAlive(connection)
      await wait(2 * effectiveKeepAlive)
      await assertAlive(connection)
    },
  ],
  [
    'while a head arrives slowly: not closed',
    idle,
    keepAlive,
    async (connection) => {
      connection.write('GET /alive HTTP/1.1\r\n')
      await writeSlowly(connection, 'Host: a\r\n\r\n')
      assertResponse(await connection.next(), [200, 'alive'])
    },
  ],
  [
    'while a body arrives slowly: not closed',
    idle,
    keepAlive,
    async (connection) => {
      connection.write(rawRequest('POST /count', 'Content-Length: 12'))
      await writeSlowly(connection, 'x'.repeat(12))
      assertResponse(await connection.next(), [200, '12'])
    },
  ],
  [
    'while a client reads slowly: not closed, nor shortly afterwards',
    // client and server share the event loop, so a delay also pauses the client
    800,
    60_000,
    async (connection) => {
      connection.write(rawRequest('GET /large'))
      for (let part = 1; part <= 16; part++) {
        await readUpTo(connection, (part * large.length) / 16)
        await wait(100)
      }
      connection.socket.resume()
      assert.is((await connection.next()).body.length, large.length)
      await wait(1200)
      await assertAlive(connection)
    },
  ],
  [
    'while a client does not read: closed after the idle timeout',
    200,
    60_000,
    async (connection) => {
      connection.write(rawRequest('GET /large'))
      await readUpTo(connection, large.length / 8)
      await wait(4 * 200)
      connection.socket.resume()
      await once(connection.socket, 'close')
      assert.ok(connection.socket.bytesRead < large.length)
    },
  ],
]

describe('connections without traffic', (test, hooks) =>
  // client and server share the event loop
  concurrentTable<Row>(test, hooks, rows, (...row) => retryWhenDelayed(80, () => runOn(row))))

const runOn = async ([, idleLimit, keepAliveLimit, run]: Row): Promise<void> => {
  const server = await start(idleLimit, keepAliveLimit)
  const connection = await connectTo(server.url)
  try {
    await run(connection)
  } finally {
    connection.destroy()
    await server.close()
  }
}

const withServer = async (
  idleLimit: number,
  keepAliveLimit: number,
  use: (url: string) => Promise<void>,
): Promise<void> => {
  const server = await start(idleLimit, keepAliveLimit)
  try {
    await use(server.url)
  } finally {
    await server.close()
  }
}

describe('idle connections of a busy server', (test) => {
  test('a request that arrives while the event loop is blocked beyond the timeout is served', () =>
    withServer(0, 1, async (url) => {
      const connection = await connectTo(url)
      await assertAlive(connection)
      await wait(700)
      connection.write(rawRequest('GET /alive'))
      blockThread(400)
      assertResponse(await connection.next(), [200, 'alive'])
      connection.destroy()
    }))

  test('many connections are closed over several turns of the event loop, while others are served', () =>
    withServer(0, 500, async (url) => {
      const { sockets, stop } = recordConnections()
      const connections = await Promise.all(Array.from({ length: 1200 }, () => connectTo(url)))
      await Promise.all(connections.map(assertAlive))
      stop()
      const isClosed = new Set<Socket>()
      /** Returns the number of connections that the server has closed since the previous call. */
      const closed = (): number => {
        const before = isClosed.size
        for (const socket of sockets) if (socket.destroyed) isClosed.add(socket)
        return isClosed.size - before
      }
      // on a busy machine, some connections time out before the last response
      closed()
      // after the block, all connections have timed out
      await wait(200)
      blockThread(500 + 1000 + 200)
      const other = await connectTo(url)
      const keepBusy = async (): Promise<void> => {
        while (isClosed.size < connections.length) await assertAlive(other)
      }
      // the server shares the event loop, so its turns can be counted
      let maximum = 0
      const count = async (): Promise<void> => {
        const end = performance.now() + 40_000
        while (isClosed.size < connections.length) {
          await turn()
          maximum = Math.max(maximum, closed())
          assert.ok(performance.now() < end, `only ${isClosed.size} closed`)
        }
      }
      await Promise.all([keepBusy(), count()])
      other.destroy()
      // two checks of the server can run between two counts
      assert.ok(maximum < 0.9 * connections.length, `${maximum} in one turn`)
    }))
})
