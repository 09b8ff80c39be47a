/** Tests of end callbacks over connections. */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { End } from '../../../src/index.ts'
import {
  get,
  handle,
  path,
  preMatching,
  produces,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { recordConnections } from '../accepted-connections.ts'
import { describe } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const ends: Array<readonly [target: string, status: number | undefined]> = []
const durations: number[] = []
const order: string[] = []
/** The connections of the server. */
const connections = recordConnections()
/** The number of listeners on the socket at the start of each request. */
const listeners: number[] = []
/** Logged errors. */
const errors: string[] = []

const api = pipe(
  routes({
    quick: pipe(
      path('/quick'),
      get(),
      produces(text),
      handle((_, { request: { signal } }) => (signal.aborted ? 'aborted' : 'quick')),
    ),
    slow: pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(() => wait(40, 'slow')),
    ),
    waiting: pipe(
      path('/waiting'),
      get(),
      produces(text),
      handle(async (_, { request: { signal }, onEnd }) => {
        await once(signal, 'abort')
        await turns()
        onEnd((end) => order.push(`late ${String(end.status)}`))
        return 'unread'
      }),
    ),
  }),
  withFilter(
    preMatching((context) => {
      const { request, onEnd } = context
      const socket = connections.sockets.at(-1)
      const count = socket?.eventNames().map((name) => socket.listenerCount(name)) ?? []
      listeners.push(count.reduce((sum, number) => sum + number, 0))
      onEnd(({ status, duration }: End) => {
        ends.push([request.path, status])
        durations.push(duration)
      })
    }),
  ),
)

describe('end callbacks', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serveLocally(api, {
      logger: { ...silentLogger, error: (_, message) => errors.push(message) },
    })
  })
  after(async () => {
    connections.stop()
    await server?.close()
  })
  const connect = async (): Promise<RawConnection> => {
    ends.length = 0
    durations.length = 0
    order.length = 0
    return connectTo(server?.url ?? '')
  }

  test('are called for each request of a keep-alive connection, with its status', async () => {
    const connection = await connect()
    for (const line of ['GET /quick', 'GET /nothing', 'DELETE /quick']) {
      connection.write(rawRequest(line))
      await connection.next()
    }
    await waitUntil(() => ends.length === 3)
    assert.equal(ends, [
      ['/quick', 200],
      ['/nothing', 404],
      ['/quick', 405],
    ])
    connection.destroy()
  })
  test('are called for each pipelined request', async () => {
    const connection = await connect()
    connection.write(rawRequest('GET /slow') + rawRequest('GET /quick') + rawRequest('GET /slow'))
    for (const body of ['slow', 'quick', 'slow'])
      assertResponse(await connection.next(), [200, body])
    await waitUntil(() => ends.length === 3)
    assert.equal(ends.map(([target]) => target).toSorted(), ['/quick', '/slow', '/slow'])
    connection.destroy()
  })
  test('receive the duration in milliseconds', async () => {
    const connection = await connect()
    connection.write(rawRequest('GET /slow'))
    await connection.next()
    await waitUntil(() => ends.length === 1)
    const [duration = 0] = durations
    assert.ok(duration >= 35 && duration < 5000, String(duration))
    connection.destroy()
  })
  test('receive no status after a disconnect, and are called at once if registered later', async () => {
    const connection = await connect()
    const started = listeners.length
    connection.write(rawRequest('GET /waiting'))
    await waitUntil(() => listeners.length === started + 1)
    await turns()
    // a FIN alone could be a half-close, which does not abort the request
    connection.socket.resetAndDestroy()
    await waitUntil(() => order.length === 1)
    assert.equal(ends, [['/waiting', undefined]])
    assert.equal(order, ['late undefined'])
  })
  test('are called for all pipelined requests of a client that disconnects before the first response', async () => {
    const connection = await connect()
    const started = listeners.length
    connection.write(
      rawRequest('GET /waiting') + rawRequest('GET /quick') + rawRequest('GET /waiting'),
    )
    await waitUntil(() => listeners.length === started + 3)
    await turns()
    connection.destroy()
    await waitUntil(() => ends.length === 3)
    assert.equal(ends.map(([target]) => target).toSorted(), ['/quick', '/waiting', '/waiting'])
  })
  test('leave no listener on the connection', async () => {
    const connection = await connect()
    listeners.length = 0
    for (let turn = 0; turn < 50; turn++) {
      connection.write(rawRequest('GET /quick'))
      await connection.next()
    }
    assert.ok((listeners[0] ?? 0) > 0, 'no listeners counted')
    assert.equal(new Set(listeners.slice(1)).size, 1, listeners.join())
    connection.destroy()
  })
  test('log no internal error', () => assert.equal(errors, []))
})
