/** Servers that start and stop repeatedly in one process release all resources. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { get, handle, health, path, produces, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { ListenError, serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, to } from '../../support/raw.ts'

const api = routes({
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'hello'),
  ),
  health: health(),
})

const begin = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.shutdown.timeout': 200,
    ...options,
  })

/** What keeps this process running, once that is gone which was just closed. */
const resources = async (): Promise<ReadonlyArray<string>> => {
  await wait(20)
  return process.getActiveResourcesInfo().toSorted()
}

describe('a server', (test) => {
  test('starts and stops twenty times on one port, and is ready each time', async () => {
    const first = await begin()
    const port = Number(new URL(first.url).port)
    await first.close()
    const before = await resources()
    const listeners = process.listenerCount('SIGTERM')
    for (let round = 0; round < 20; round++) {
      const server = await begin({ 'fw.http.port': port })
      const connection = await connectTo(server.url)
      connection.write(to('GET /hello') + to('GET /health/ready'))
      check(await connection.next(), [200, 'hello'])
      check(await connection.next(), 200)
      await server.close()
      await connection.closed()
    }
    assert.equal(await resources(), before)
    assert.is(process.listenerCount('SIGTERM'), listeners)
  })

  test('that could not listen releases all resources', async () => {
    const server = await begin()
    const [before, listeners] = [await resources(), process.listenerCount('SIGTERM')]
    for (let round = 0; round < 5; round++) {
      const error = await begin({ 'fw.http.port': Number(new URL(server.url).port) }).then(
        () => undefined,
        (refused: unknown) => refused,
      )
      assert.instance(error, ListenError)
    }
    assert.equal(await resources(), before)
    assert.is(process.listenerCount('SIGTERM'), listeners)
    await server.close()
  })
})

/** Milliseconds of a stop with one connection, in which the clock jumps so far; the connection asks late in the grace, or not. */
const stopWith = async (jump: number, asks: boolean): Promise<number> => {
  const server = await begin({ 'fw.shutdown.grace': 300 })
  const connection = await connectTo(server.url)
  const { now } = Date
  const begun = performance.now()
  try {
    const closing = server.close()
    Date.now = () => now() + jump
    await wait(150)
    if (asks) {
      connection.write(to('GET /hello'))
      check(await connection.next(), [200, 'hello', { connection: 'close' }])
    }
    await closing
    return performance.now() - begun
  } finally {
    Date.now = now
    connection.leave()
  }
}

describe('Server.close: the time of day does not matter', (test) => {
  const hour = 3_600_000
  test('a clock set forward does not shorten the grace period', async () =>
    assert.ok((await stopWith(hour, true)) >= 150))
  test('a clock set back does not lengthen the grace period', async () => {
    const took = await stopWith(-hour, false)
    assert.ok(took >= 300 && took < 30_000, `${took} ms`)
  })
})

/** A server of which `onClose` does this, and what its `close` came to, twice. */
const closed = async (onClose: () => unknown): Promise<readonly [unknown, unknown]> => {
  const server = await begin({ onClose })
  const ended = () =>
    server.close().then(
      () => 'closed',
      (error: unknown) => String(error),
    )
  return [await ended(), await ended()]
}

describe('Server.close: onClose', (test) => {
  test('is called once', async () => {
    let times = 0
    assert.equal(await closed(() => times++), ['closed', 'closed'])
    assert.is(times, 1)
  })

  table(
    test,
    [
      [
        'at once',
        () => {
          throw new Error('not closed')
        },
        'Error: not closed',
      ],
      ['later', () => Promise.reject(new Error('not closed')), 'Error: not closed'],
      [
        'never',
        () => new Promise(() => undefined),
        'Error: onClose did not finish within 200 ms (fw.shutdown.timeout)',
      ],
    ] as const,
    async (_, onClose, error) => {
      const listeners = process.listenerCount('SIGTERM')
      assert.equal(await closed(onClose), [error, error])
      assert.is(process.listenerCount('SIGTERM'), listeners)
    },
  )

  test('is not called before the last response', async () => {
    const order: string[] = []
    const slow = pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(async () => {
        await wait(100)
        order.push('answered')
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
    connection.write(to('GET /slow'))
    await wait(20)
    await server.close()
    check(await connection.next(), [200, 'slow'])
    assert.equal(order, ['answered', 'closed'])
  })
})
