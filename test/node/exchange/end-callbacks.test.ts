/** Callbacks at the end of a request, over connections. */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
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
import { nodeRequest } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, to } from '../../support/raw.ts'

const ends: Array<readonly [target: string, status: number | undefined]> = []
const durations: number[] = []
const order: string[] = []
/** Listeners of a socket, each time that a request on it begins. */
const listeners: number[] = []
const defects: string[] = []

const eventually = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; !holds(); turn++) {
    assert.ok(turn < 400, 'still not so')
    await wait(5)
  }
}

const api = pipe(
  routes({
    quick: pipe(
      path('/quick'),
      get(),
      produces(text),
      handle((_, { request: { signal } }) => (signal.aborted ? 'gone' : 'quick')),
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
        await wait(5)
        onEnd((end) => order.push(`late ${String(end.status)}`))
        return 'nobody reads this'
      }),
    ),
  }),
  withFilter(
    preMatching((context) => {
      const { request, onEnd } = context
      const received = nodeRequest(context)
      assert.instance(received, IncomingMessage)
      const socket = received instanceof IncomingMessage ? received.socket : undefined
      const count = socket?.eventNames().map((name) => socket.listenerCount(name)) ?? []
      listeners.push(count.reduce((sum, one) => sum + one, 0))
      onEnd(({ status, duration }: End) => {
        ends.push([request.path, status])
        durations.push(duration)
      })
    }),
  ),
)

describe('The end of a request', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await onLoopback(api, {
      logger: { ...silentLogger, error: (_, message) => defects.push(message) },
    })
  })
  after(() => server?.close())
  const connect = async (): Promise<RawConnection> => {
    ends.length = 0
    durations.length = 0
    order.length = 0
    return connectTo(server?.url ?? '')
  }

  test('are called for each request of a keep-alive connection, with its status', async () => {
    const connection = await connect()
    for (const line of ['GET /quick', 'GET /nothing', 'DELETE /quick']) {
      connection.write(to(line))
      await connection.next()
    }
    await eventually(() => ends.length === 3)
    assert.equal(ends, [
      ['/quick', 200],
      ['/nothing', 404],
      ['/quick', 405],
    ])
    connection.leave()
  })
  test('are called for each pipelined request', async () => {
    const connection = await connect()
    connection.write(to('GET /slow') + to('GET /quick') + to('GET /slow'))
    for (const content of ['slow', 'quick', 'slow']) check(await connection.next(), [200, content])
    await eventually(() => ends.length === 3)
    assert.equal(ends.map(([target]) => target).toSorted(), ['/quick', '/slow', '/slow'])
    connection.leave()
  })
  test('receive the duration in milliseconds', async () => {
    const connection = await connect()
    connection.write(to('GET /slow'))
    await connection.next()
    await eventually(() => ends.length === 1)
    const [duration = 0] = durations
    assert.ok(duration >= 35 && duration < 5000, String(duration))
    connection.leave()
  })
  test('receive no status after a disconnect, and are called at once if registered later', async () => {
    const connection = await connect()
    connection.write(to('GET /waiting'))
    await wait(20)
    // a FIN alone may be a half-close, after which the response is sent
    connection.socket.resetAndDestroy()
    await eventually(() => order.length === 1)
    assert.equal(ends, [['/waiting', undefined]])
    assert.equal(order, ['late undefined'])
  })
  test('are called for all pipelined requests of a client that disconnects before the first response', async () => {
    const connection = await connect()
    connection.write(to('GET /waiting') + to('GET /quick') + to('GET /waiting'))
    await wait(20)
    connection.leave()
    await eventually(() => ends.length === 3)
    assert.equal(ends.map(([target]) => target).toSorted(), ['/quick', '/waiting', '/waiting'])
  })
  test('no listener remains on the connection', async () => {
    const connection = await connect()
    listeners.length = 0
    for (let turn = 0; turn < 50; turn++) {
      connection.write(to('GET /quick'))
      await connection.next()
    }
    assert.equal(new Set(listeners.slice(1)).size, 1, listeners.join())
    connection.leave()
  })
  test('no internal error is logged', () => assert.equal(defects, []))
})
