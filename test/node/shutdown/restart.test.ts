/** Servers that start and stop in one process: released resources, the clock during a shutdown, and `onClose`. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { get, handle, health, path, produces, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { ListenError, serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { stable, turns, waitUntil } from '../../support/wait-until.ts'

const api = routes({
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'hello'),
  ),
  health: health(),
})

const startServer = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.shutdown.timeout': 200,
    ...options,
  })

/** Returns the active resources of this process. */
const resources = (): ReadonlyArray<string> => process.getActiveResourcesInfo().toSorted()

/** Resolves to the active resources after closed ones have been released. */
const settledResources = async (): Promise<ReadonlyArray<string>> => {
  await stable(() => resources().length)
  return resources()
}

/** Waits until only these resources are active, since closed ones are released later. */
const released = (before: ReadonlyArray<string>): Promise<void> =>
  waitUntil(() => resources().join() === before.join())

describe('resources of a server', (test) => {
  test('are released each time a server starts and stops on the same port', async () => {
    const first = await startServer()
    const port = Number(new URL(first.url).port)
    await first.close()
    const before = await settledResources()
    const listeners = process.listenerCount('SIGTERM')
    for (let round = 0; round < 20; round++) {
      const server = await startServer({ 'fw.http.port': port })
      const connection = await connectTo(server.url)
      connection.write(rawRequest('GET /hello') + rawRequest('GET /health/ready'))
      assertResponse(await connection.next(), [200, 'hello'])
      assertResponse(await connection.next(), 200)
      await server.close()
      await connection.closed()
    }
    await released(before)
    assert.is(process.listenerCount('SIGTERM'), listeners)
  })

  test('are released if the server cannot listen', async () => {
    const server = await startServer()
    const [before, listeners] = [await settledResources(), process.listenerCount('SIGTERM')]
    for (let round = 0; round < 5; round++) {
      const error = await startServer({ 'fw.http.port': Number(new URL(server.url).port) }).then(
        () => undefined,
        (cause: unknown) => cause,
      )
      assert.instance(error, ListenError)
    }
    await released(before)
    assert.is(process.listenerCount('SIGTERM'), listeners)
    await server.close()
  })
})

/**
 * Resolves to the milliseconds of a shutdown with one connection, during which the system time changes by `jump` milliseconds. The
 * connection optionally sends a request late in the grace period.
 */
const timeCloseWithClockJump = async (jump: number, sendsRequest: boolean): Promise<number> => {
  const server = await startServer({ 'fw.shutdown.grace': 300 })
  const connection = await connectTo(server.url)
  const { now } = Date
  const startTime = performance.now()
  try {
    const closing = server.close()
    Date.now = () => now() + jump
    await wait(150)
    if (sendsRequest) {
      connection.write(rawRequest('GET /hello'))
      assertResponse(await connection.next(), [200, 'hello', { connection: 'close' }])
    }
    await closing
    return performance.now() - startTime
  } finally {
    Date.now = now
    connection.destroy()
  }
}

describe('Server.close when the system time changes', (test) => {
  const hour = 3_600_000
  test('a clock set forward does not shorten the grace period', async () =>
    assert.ok((await timeCloseWithClockJump(hour, true)) >= 150))
  test('a clock set back does not lengthen the grace period', async () => {
    const duration = await timeCloseWithClockJump(-hour, false)
    assert.ok(duration >= 300 && duration < 30_000, `${duration} ms`)
  })
})

/** Closes a server with the option `onClose` twice. Resolves to the result of each call. */
const closeTwice = async (onClose: () => unknown): Promise<readonly [unknown, unknown]> => {
  const server = await startServer({ onClose })
  const closeOnce = () =>
    server.close().then(
      () => 'closed',
      (error: unknown) => String(error),
    )
  return [await closeOnce(), await closeOnce()]
}

describe('onClose of Server.close', (test) => {
  test('is called once', async () => {
    let times = 0
    assert.equal(await closeTwice(() => times++), ['closed', 'closed'])
    assert.is(times, 1)
  })

  table(
    test,
    [
      [
        'a thrown error rejects close',
        () => {
          throw new Error('not closed')
        },
        'Error: not closed',
      ],
      [
        'a rejection rejects close',
        () => Promise.reject(new Error('not closed')),
        'Error: not closed',
      ],
      [
        'a timeout rejects close',
        () => new Promise(() => undefined),
        'Error: onClose did not finish within 200 ms (fw.shutdown.timeout)',
      ],
    ] as const,
    async (_, onClose, error) => {
      const listeners = process.listenerCount('SIGTERM')
      assert.equal(await closeTwice(onClose), [error, error])
      assert.is(process.listenerCount('SIGTERM'), listeners)
    },
  )

  test('is not called before the last response', async () => {
    const order: string[] = []
    let isClosing = false
    const slow = pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(async () => {
        order.push('started')
        await waitUntil(() => isClosing)
        await turns()
        order.push('responded')
        return 'slow'
      }),
    )
    const server = await serve(routes({ slow }), {
      logger: silentLogger,
      'fw.http.host': '127.0.0.1',
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
      onClose: () => order.push('closed'),
    })
    const connection = await connectTo(server.url)
    connection.write(rawRequest('GET /slow'))
    await waitUntil(() => order.length === 1)
    isClosing = true
    await server.close()
    assertResponse(await connection.next(), [200, 'slow'])
    assert.equal(order, ['started', 'responded', 'closed'])
  })
})
