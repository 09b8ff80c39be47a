/** Graceful shutdown: connections are served, closed at once, or destroyed at the end. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { body, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { recordConnections } from '../accepted-connections.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { assertResponse, head, rawRequest } from '../../support/raw.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  slow: pipe(
    path('/slow'),
    get(),
    produces(text),
    handle(() => wait(100, 'slow')),
  ),
  stuck: pipe(
    path('/stuck'),
    get(),
    produces(text),
    handle(() => new Promise<string>(() => undefined)),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
})

/** `fw.shutdown.timeout` in milliseconds: short for tests that wait for it, and long for others. */
const deadline = 300
const longTimeout = 30_000
/** Maximum milliseconds for an immediate action on a busy machine. */
const maxDelay = 10_000

const startServer = (options: ServeOptions = {}): Promise<Server> =>
  serveLocally(api, {
    'fw.shutdown.timeout': deadline,
    ...options,
  })

/** Runs a function with a server and a connection that has sent the text `sent` and received `responses` responses. */
const withConnection = async (
  sent: string,
  responses: number,
  use: (server: Server, connection: RawConnection) => Promise<void>,
  timeout = longTimeout,
): Promise<void> => {
  const server = await startServer({ 'fw.shutdown.timeout': timeout })
  const { sockets, receivedBytes, stop } = recordConnections()
  const connection = await connectTo(server.url)
  try {
    connection.write(sent)
    for (let count = 0; count < responses; count++) await connection.next()
    await waitUntil(() => sockets.length === 1 && receivedBytes() === sent.length)
    stop()
    await use(server, connection)
  } finally {
    connection.destroy()
    await server.close()
  }
}

const timeClose = async (server: Server): Promise<number> => {
  const startTime = performance.now()
  await server.close()
  return performance.now() - startTime
}

type Row = readonly [title: string, sent: string, responses: number]

const idle: ReadonlyArray<Row> = [
  ['an idle connection after a response is closed at once', rawRequest('GET /alive'), 1],
  ['an unused connection is closed at once', '', 0],
  ['an idle connection after an error response is closed at once', rawRequest('GET /nothing'), 1],
]

const unfinished: ReadonlyArray<Row> = [
  ['an incomplete request head is cut after the timeout', 'GET /alive HT', 0],
  [
    'an incomplete request body is cut after the timeout',
    `${rawRequest('POST /text', 'Content-Length: 10')}abc`,
    0,
  ],
  [
    'an incomplete head after a response is cut after the timeout',
    `${rawRequest('GET /alive')}GET /al`,
    1,
  ],
  ['a handler that never ends is cut after the timeout', rawRequest('GET /stuck'), 0],
]

describe('Server.close', (test) => {
  table<Row>(test, idle, (_, sent, responses) =>
    withConnection(sent, responses, async (server, connection) => {
      assert.ok((await timeClose(server)) < maxDelay)
      await connection.closed()
    }),
  )

  table<Row>(test, unfinished, (_, sent, responses) =>
    withConnection(
      sent,
      responses,
      async (server) => {
        const duration = await timeClose(server)
        assert.ok(duration >= deadline - 10 && duration < longTimeout, `${duration} ms`)
      },
      deadline,
    ),
  )

  test('a request in flight is served and its connection closed', () =>
    withConnection(rawRequest('GET /slow'), 0, async (server, connection) => {
      const closing = timeClose(server)
      assertResponse(await connection.next(), [200, 'slow', { connection: 'close' }])
      await connection.closed()
      assert.ok((await closing) < maxDelay)
    }))

  test('a request body in flight is received completely', () =>
    withConnection(
      rawRequest('POST /text', 'Content-Length: 6') + 'abc',
      0,
      async (server, connection) => {
        const closing = timeClose(server)
        connection.write('def')
        assertResponse(await connection.next(), [200, 'abcdef', { connection: 'close' }])
        await connection.closed()
        assert.ok((await closing) < maxDelay)
      },
    ))

  test('requests pipelined after the request in flight are not served', () =>
    withConnection(
      rawRequest('GET /slow') + rawRequest('GET /alive'),
      0,
      async (server, connection) => {
        const closing = server.close()
        assertResponse(await connection.next(), [200, 'slow', { connection: 'close' }])
        await connection.closed()
        await closing
      },
    ))

  for (const request of [head('CONNECT a:1 HTTP/1.1', 'Host: a'), '\0\r\n\r\n'])
    test(`a connection that the client keeps open after ${JSON.stringify(request)} is cut`, async () => {
      const server = await startServer()
      const connection = await connectTo(server.url, { allowHalfOpen: true })
      connection.write(request)
      await connection.next()
      assert.ok((await timeClose(server)) < deadline + maxDelay)
      connection.destroy()
    })

  test('new connections fail with ECONNREFUSED after the shutdown', async () => {
    const server = await startServer()
    await server.close()
    const result = await connectTo(server.url).then(
      () => 'accepted',
      (error: NodeJS.ErrnoException) => error.code,
    )
    assert.is(result, 'ECONNREFUSED')
  })

  test('a second call returns the same promise', () =>
    withConnection(rawRequest('GET /slow'), 0, async (server) => {
      const first = server.close()
      assert.is(server.close(), first)
      await first
      assert.ok((await timeClose(server)) < maxDelay)
    }))

  test('a request on an unused connection is served after the grace period', () =>
    withConnection('', 0, async (server, connection) => {
      const closing = timeClose(server)
      await turns()
      connection.write(rawRequest('GET /alive'))
      assertResponse(await connection.next(), [200, 'alive', { connection: 'close' }])
      await connection.closed()
      assert.ok((await closing) < maxDelay)
    }))

  test('a request that starts during the grace period and ends later is served', async () => {
    const server = await startServer({
      'fw.shutdown.grace': 100,
      'fw.shutdown.timeout': longTimeout,
    })
    const connection = await connectTo(server.url)
    const closing = timeClose(server)
    connection.write('GET /al')
    await wait(200)
    connection.write(rawRequest('GET /alive').slice('GET /al'.length))
    assertResponse(await connection.next(), [200, 'alive', { connection: 'close' }])
    await closing
  })

  test('connections in the queue of the system are served', async () => {
    const server = await startServer({ 'fw.shutdown.grace': 0, 'fw.shutdown.timeout': longTimeout })
    const connecting = Array.from({ length: 100 }, async () => {
      const connection = await connectTo(server.url)
      connection.write(rawRequest('GET /alive'))
      return connection
    })
    // the system establishes all connections before the event loop accepts the first one
    const end = performance.now() + 100
    await new Promise(setImmediate)
    while (performance.now() < end);
    const closing = server.close()
    for (const connection of await Promise.all(connecting)) {
      assertResponse(await connection.next(), [200, 'alive'])
      await connection.closed()
    }
    await closing
  })

  test('requests on old and new connections are served during the grace period', async () => {
    const server = await startServer({ 'fw.shutdown.grace': longTimeout })
    const [old, late] = [await connectTo(server.url), await connectTo(server.url)]
    const closing = timeClose(server)
    for (const connection of [old, late, await connectTo(server.url)]) {
      connection.write(rawRequest('GET /alive'))
      assertResponse(await connection.next(), [200, 'alive', { connection: 'close' }])
      await connection.closed()
    }
    assert.ok((await closing) < maxDelay, 'the grace period ends early without connections')
  })

  test('requests of continuously sending clients are not lost', async () => {
    const server = await startServer({ 'fw.shutdown.grace': 5000 })
    const connections = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const connection = await connectTo(server.url)
        connection.write(rawRequest('GET /alive'))
        // a response on each connection ensures that the server has accepted it before the shutdown
        assertResponse(await connection.next(), [200, 'alive', { connection: 'keep-alive' }])
        return connection
      }),
    )
    const clients = connections.map(sendUntilClosed)
    await turns()
    await server.close()
    await Promise.all(clients)
  })
})

/** Sends requests until a response has `Connection: close`, and waits for the close. */
const sendUntilClosed = async (connection: RawConnection): Promise<void> => {
  for (;;) {
    connection.write(rawRequest('GET /alive'))
    const response = await connection.next()
    assertResponse(response, [200, 'alive'])
    if (headerOf(response, 'connection') === 'close') return connection.closed()
  }
}
