/** Connections without traffic are closed within their limit; others stay open. */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { body, bytes, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { accepted } from '../../support/accepted-connections.ts'
import { describe, sideBySide } from '../../support/describe.ts'
import { hold } from '../../support/block-thread.ts'
import { onLoopback } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import type { Answer } from '../../support/raw.ts'
import { check, to } from '../../support/raw.ts'

/** More than a connection holds that nobody reads. */
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
    handle(({ body: content }) => String(content.length)),
  ),
})

const begin = (idle: number, keepAlive: number): Promise<Server> =>
  onLoopback(api, {
    'fw.http.header-timeout': 0,
    'fw.http.read-timeout': 0,
    'fw.http.idle-timeout': idle,
    'fw.http.keep-alive-timeout': keepAlive,
    'fw.shutdown.timeout': 0,
  })

/** Milliseconds; `fw.http.keep-alive-timeout` has a second on top, since clients may ask just before it ends. */
const [idle, keepAlive] = [500, 100]
const kept = keepAlive + 1000
/** Milliseconds that a machine with other things to do may be late. There is no other limit that would close a connection before. */
const late = 10_000

const answered = async (connection: RawConnection): Promise<void> => {
  connection.write(to('GET /alive'))
  check(await connection.next(), [200, 'alive'])
}

/** Sends, takes the answers, and throws unless the connection is closed so many milliseconds after it sent. */
const closesAfter = async (
  connection: RawConnection,
  least: number,
  octets: string,
  ...answers: ReadonlyArray<Answer>
): Promise<void> => {
  const begun = performance.now()
  connection.write(octets)
  for (const answer of answers) check(await connection.next(), answer)
  await connection.closed()
  const took = performance.now() - begun
  assert.ok(took >= least && took < least + late, `closed after ${took} ms`)
}

/** Writes, octet after octet, for longer than nothing may move. */
const drip = async (connection: RawConnection, octets: string): Promise<void> => {
  for (const octet of octets) {
    connection.write(octet)
    await wait(idle / 5)
  }
}

/** Goes on until so many octets have been taken in all, and then takes no more. */
const takeUpTo = async ({ socket }: RawConnection, octets: number): Promise<void> => {
  const signal = AbortSignal.timeout(20_000)
  socket.resume()
  while (socket.bytesRead < octets) await once(socket, 'data', { signal })
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
    'between requests, after the one limit',
    idle,
    keepAlive,
    (connection) => closesAfter(connection, kept, to('GET /alive'), 200),
  ],
  [
    'between requests, not before it, and counted anew',
    0,
    keepAlive,
    async (connection) => {
      await answered(connection)
      await wait(kept - 100)
      await closesAfter(connection, kept, to('GET /alive'), 200)
    },
  ],
  [
    'between requests, after the other limit when there is none',
    idle,
    0,
    (connection) => closesAfter(connection, idle, to('GET /alive'), 200),
  ],
  ['before anything was sent', idle, keepAlive, (connection) => closesAfter(connection, idle, '')],
  [
    'within a head',
    idle,
    keepAlive,
    (connection) => closesAfter(connection, idle, 'GET /alive HT'),
  ],
  [
    'within a content',
    idle,
    keepAlive,
    (connection) => closesAfter(connection, idle, `${to('POST /count', 'Content-Length: 10')}abc`),
  ],
  [
    'while the handler runs',
    idle,
    keepAlive,
    (connection) => closesAfter(connection, idle, to('GET /stuck')),
  ],
  [
    'while the handler runs, not after the limit between requests',
    0,
    keepAlive,
    async (connection) => {
      connection.write(to('GET /long'))
      check(await connection.next(), [200, 'long'])
    },
  ],
  [
    'behind a request that was answered, within the next',
    idle,
    keepAlive,
    (connection) => closesAfter(connection, idle, to('GET /alive') + to('GET /stuck'), 200),
  ],
  [
    'never, when there are no limits',
    0,
    0,
    async (connection) => {
      await answered(connection)
      await wait(2 * kept)
      await answered(connection)
    },
  ],
  [
    'not while a head comes',
    idle,
    keepAlive,
    async (connection) => {
      connection.write('GET /alive HTTP/1.1\r\n')
      await drip(connection, 'Host: a\r\n\r\n')
      check(await connection.next(), [200, 'alive'])
    },
  ],
  [
    'not while a content comes',
    idle,
    keepAlive,
    async (connection) => {
      connection.write(to('POST /count', 'Content-Length: 12'))
      await drip(connection, 'x'.repeat(12))
      check(await connection.next(), [200, '12'])
    },
  ],
  [
    'not while a client takes its time to read, and not soon after it',
    // client and server have one loop, so what holds it up is a pause of the client too
    800,
    60_000,
    async (connection) => {
      connection.write(to('GET /large'))
      for (let part = 1; part <= 16; part++) {
        await takeUpTo(connection, (part * large.length) / 16)
        await wait(100)
      }
      connection.socket.resume()
      assert.is((await connection.next()).content.length, large.length)
      await wait(1200)
      await answered(connection)
    },
  ],
  [
    'when a client reads no more',
    200,
    60_000,
    async (connection) => {
      connection.write(to('GET /large'))
      await takeUpTo(connection, large.length / 8)
      await wait(4 * 200)
      connection.socket.resume()
      await once(connection.socket, 'close')
      assert.ok(connection.socket.bytesRead < large.length)
    },
  ],
]

describe('idle connections are closed', (test, hooks) =>
  sideBySide<Row>(test, hooks, rows, (...row) => runOn(row)))

const runOn = async ([, idleLimit, keepAliveLimit, run]: Row): Promise<void> => {
  const server = await begin(idleLimit, keepAliveLimit)
  const connection = await connectTo(server.url)
  try {
    await run(connection)
  } finally {
    connection.leave()
    await server.close()
  }
}

const withServer = async (
  idleLimit: number,
  keepAliveLimit: number,
  use: (url: string) => Promise<void>,
): Promise<void> => {
  const server = await begin(idleLimit, keepAliveLimit)
  try {
    await use(server.url)
  } finally {
    await server.close()
  }
}

describe('Idle connections of a busy server', (test) => {
  test('a request that arrives while the loop is busy beyond the timeout is served', () =>
    withServer(0, 1, async (url) => {
      const connection = await connectTo(url)
      await answered(connection)
      await wait(700)
      connection.write(to('GET /alive'))
      hold(400)
      check(await connection.next(), [200, 'alive'])
      connection.leave()
    }))

  test('many connections are closed over several turns, while others are served', () =>
    withServer(0, 500, async (url) => {
      const { sockets, stop } = accepted()
      const connections = await Promise.all(Array.from({ length: 1200 }, () => connectTo(url)))
      await Promise.all(connections.map(answered))
      stop()
      const isClosed = new Set<Socket>()
      /** Those that the server has closed since this was last asked. */
      const closed = (): number => {
        const before = isClosed.size
        for (const socket of sockets) if (socket.destroyed) isClosed.add(socket)
        return isClosed.size - before
      }
      // on a machine with other things to do, some were over their limit before the last was answered
      closed()
      // and be it that they are looked at now: all of them are when the loop goes on
      await wait(200)
      hold(500 + 1000 + 200)
      const other = await connectTo(url)
      const ask = async (): Promise<void> => {
        while (isClosed.size < connections.length) await answered(other)
      }
      // the server has the same loop, and its turns can be counted: when a client hears of it is another matter
      let most = 0
      const count = async (): Promise<void> => {
        const end = performance.now() + 40_000
        while (isClosed.size < connections.length) {
          await turn()
          most = Math.max(most, closed())
          assert.ok(performance.now() < end, `${isClosed.size} are closed`)
        }
      }
      await Promise.all([ask(), count()])
      other.leave()
      assert.ok(most <= connections.length / 2, `${most} in one turn`)
    }))
})
