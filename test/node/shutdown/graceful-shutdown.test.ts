/** Graceful shutdown: connections that are served, closed at once, or destroyed at the end. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { body, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { accepted } from '../../support/accepted-connections.ts'
import { describe, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, head, to } from '../../support/raw.ts'
import { until } from '../../support/workers.ts'

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
    handle(({ body: content }) => content),
  ),
})

/** Milliseconds until everything is cut, where that is waited for, and where nobody should. */
const deadline = 300
const never = 30_000
/** Milliseconds that something may take that happens at once: on a machine with other things to do, that is long. */
const atOnce = 10_000

const begin = (options: ServeOptions = {}): Promise<Server> =>
  onLoopback(api, {
    'fw.shutdown.timeout': deadline,
    ...options,
  })

/** A server, and a connection to it on which these octets were sent and, for each request that is whole, answered. */
const withConnection = async (
  octets: string,
  answers: number,
  use: (server: Server, connection: RawConnection) => Promise<void>,
  timeout = never,
): Promise<void> => {
  const server = await begin({ 'fw.shutdown.timeout': timeout })
  const { sockets, octets: arrived, stop } = accepted()
  const connection = await connectTo(server.url)
  try {
    connection.write(octets)
    for (let answer = 0; answer < answers; answer++) await connection.next()
    await until(() => sockets.length === 1 && arrived() === octets.length)
    stop()
    await use(server, connection)
  } finally {
    connection.leave()
    await server.close()
  }
}

const timed = async (server: Server): Promise<number> => {
  const begun = performance.now()
  await server.close()
  return performance.now() - begun
}

type Row = readonly [title: string, octets: string, answers: number]

const idle: ReadonlyArray<Row> = [
  ['a connection that was used', to('GET /alive'), 1],
  ['a connection that was never used', '', 0],
  ['a connection that was used for an error', to('GET /nothing'), 1],
]

const unfinished: ReadonlyArray<Row> = [
  ['half a head', 'GET /alive HT', 0],
  ['half a content', `${to('POST /text', 'Content-Length: 10')}abc`, 0],
  ['half a second head', `${to('GET /alive')}GET /al`, 1],
  ['a handler that never ends', to('GET /stuck'), 0],
]

describe('Server.close', (test) => {
  table<Row>(test, idle, (_, octets, answers) =>
    withConnection(octets, answers, async (server, connection) => {
      assert.ok((await timed(server)) < atOnce)
      await connection.closed()
    }),
  )

  table<Row>(test, unfinished, (_, octets, answers) =>
    withConnection(
      octets,
      answers,
      async (server) => {
        const took = await timed(server)
        assert.ok(took >= deadline - 10 && took < never, `${took} ms`)
      },
      deadline,
    ),
  )

  test('a request in flight is served, and its connection closed', () =>
    withConnection(to('GET /slow'), 0, async (server, connection) => {
      const closing = timed(server)
      check(await connection.next(), [200, 'slow', { connection: 'close' }])
      await connection.closed()
      assert.ok((await closing) < atOnce)
    }))

  test('a request body in flight is received completely', () =>
    withConnection(to('POST /text', 'Content-Length: 6') + 'abc', 0, async (server, connection) => {
      const closing = timed(server)
      connection.write('def')
      check(await connection.next(), [200, 'abcdef', { connection: 'close' }])
      await connection.closed()
      assert.ok((await closing) < atOnce)
    }))

  test('requests pipelined after the request in flight are not served', () =>
    withConnection(to('GET /slow') + to('GET /alive'), 0, async (server, connection) => {
      const closing = server.close()
      check(await connection.next(), [200, 'slow', { connection: 'close' }])
      await connection.closed()
      await closing
    }))

  for (const octets of [head('CONNECT a:1 HTTP/1.1', 'Host: a'), '\0\r\n\r\n'])
    test(`a client that keeps its connection open after ${JSON.stringify(octets)}`, async () => {
      const server = await begin()
      const connection = await connectTo(server.url, { allowHalfOpen: true })
      connection.write(octets)
      await connection.next()
      assert.ok((await timed(server)) < deadline + atOnce)
      connection.leave()
    })

  test('no connection is accepted', async () => {
    const server = await begin()
    await server.close()
    const refused = await connectTo(server.url).then(
      () => 'accepted',
      (error: NodeJS.ErrnoException) => error.code,
    )
    assert.is(refused, 'ECONNREFUSED')
  })

  test('a second call returns the same promise', () =>
    withConnection(to('GET /slow'), 0, async (server) => {
      const first = server.close()
      assert.is(server.close(), first)
      await first
      assert.ok((await timed(server)) < atOnce)
    }))

  test('a request on an unused connection is served after the grace period', () =>
    withConnection('', 0, async (server, connection) => {
      const closing = timed(server)
      await wait(100)
      connection.write(to('GET /alive'))
      check(await connection.next(), [200, 'alive', { connection: 'close' }])
      await connection.closed()
      assert.ok((await closing) < atOnce)
    }))

  test('a request on an idle connection that was used during the grace period is served', async () => {
    const server = await begin({ 'fw.shutdown.grace': 100, 'fw.shutdown.timeout': never })
    const connection = await connectTo(server.url)
    const closing = timed(server)
    connection.write('GET /al')
    await wait(200)
    connection.write(to('GET /alive').slice('GET /al'.length))
    check(await connection.next(), [200, 'alive', { connection: 'close' }])
    await closing
  })

  test('connections that wait to be accepted are served', async () => {
    const server = await begin({ 'fw.shutdown.grace': 0, 'fw.shutdown.timeout': never })
    const connecting = Array.from({ length: 100 }, async () => {
      const connection = await connectTo(server.url)
      connection.write(to('GET /alive'))
      return connection
    })
    // all are complete for the system before the event loop accepts the first
    const until100 = performance.now() + 100
    await new Promise(setImmediate)
    while (performance.now() < until100);
    const closing = server.close()
    for (const connection of await Promise.all(connecting)) {
      check(await connection.next(), [200, 'alive'])
      await connection.closed()
    }
    await closing
  })

  test('during the grace period, requests on old and new connections are served', async () => {
    const server = await begin({ 'fw.shutdown.grace': never })
    const [old, late] = [await connectTo(server.url), await connectTo(server.url)]
    const closing = timed(server)
    for (const connection of [old, late, await connectTo(server.url)]) {
      connection.write(to('GET /alive'))
      check(await connection.next(), [200, 'alive', { connection: 'close' }])
      await connection.closed()
    }
    assert.ok((await closing) < atOnce, 'the grace ends when nobody is left')
  })

  test('clients that continue to send requests lose none', async () => {
    const server = await begin({ 'fw.shutdown.grace': 5000 })
    const connections = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const connection = await connectTo(server.url)
        connection.write(to('GET /alive'))
        // a stop tells nobody who was not there: all of them are at it before it begins
        check(await connection.next(), [200, 'alive', { connection: 'keep-alive' }])
        return connection
      }),
    )
    const clients = connections.map(askUntilClosed)
    await wait(50)
    await server.close()
    await Promise.all(clients)
  })
})

/** Asks again and again until an answer says that it is the last, and is. */
const askUntilClosed = async (connection: RawConnection): Promise<void> => {
  for (;;) {
    connection.write(to('GET /alive'))
    const response = await connection.next()
    check(response, [200, 'alive'])
    if (fieldOf(response, 'connection') === 'close') return connection.closed()
  }
}
