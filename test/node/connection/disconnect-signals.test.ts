/** Clients that disconnect before the response: the signal aborts, and no error is logged. */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
import { body, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, sending, to } from '../../support/raw.ts'

/** The signals of the requests so far, and what went wrong. */
const signals: AbortSignal[] = []
const defects: unknown[] = []

/** Waits until the client has gone. */
const untilGone = async ({ request: { signal } }: Context): Promise<string> => {
  signals.push(signal)
  await once(signal, 'abort')
  return 'nobody reads this'
}

const error = (members: object): void => {
  defects.push(members)
}

/** What was told at `debug`. */
const told: string[] = []
const debug = (_: object, message: string): void => {
  told.push(message)
}

/** Resolves once it holds, and is not patient. */
const eventually = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; !holds(); turn++) {
    assert.ok(turn < 4000, 'still not so')
    await wait(5)
  }
}

const api = routes({
  waiting: pipe(
    path('/waiting'),
    get(),
    produces(text),
    handle((_, context) => untilGone(context)),
  ),
  reading: pipe(
    path('/reading'),
    post(),
    body(text),
    produces(text),
    handle((_, context) => untilGone(context)),
  ),
  cut: pipe(
    path('/cut'),
    get(),
    produces(text),
    handle(async (_, { request: { signal } }) => {
      signals.push(signal)
      await wait(60_000, undefined, { signal })
      return 'nobody reads this'
    }),
  ),
  answered: pipe(
    path('/answered'),
    get(),
    produces(text),
    handle((_, { request: { signal } }) => {
      signals.push(signal)
      return 'answered'
    }),
  ),
})

describe('A client that leaves', (test, { before, after }) => {
  let server: Server | undefined
  const connect = () => connectTo(server?.url ?? '')
  before(async () => {
    server = await onLoopback(api, {
      logger: { ...silentLogger, debug, error },
      'fw.log.category.request.level': 'debug',
    })
  })
  after(() => server?.close())

  for (const [title, octets] of [
    ['while the handler runs', to('GET /waiting')],
    ['while the handler runs on its content', sending('POST /reading', 'abc')],
    ['with a second request behind the first', to('GET /waiting') + to('GET /answered')],
  ] as const)
    for (const [way, leave] of [
      ['closing', 'destroy'],
      ['resetting', 'resetAndDestroy'],
      ['hanging up', 'end'],
    ] as const)
      test(`${title}, by ${way}`, async () => {
        signals.length = 0
        const connection = await connect()
        connection.write(octets)
        await eventually(() => signals.length > 0)
        const [signal] = signals
        assert.is(signal?.aborted, false)
        connection.socket[leave]()
        await eventually(() => signal?.aborted === true)
        connection.leave()
      })

  test('a stream that is cut by a disconnect is logged at debug level only', async () => {
    signals.length = 0
    told.length = 0
    const connection = await connect()
    connection.write(to('GET /cut'))
    await eventually(() => signals.length > 0)
    connection.leave()
    await eventually(() => told.length > 0)
    assert.match(told.join('\n'), /^client of \/cut disconnected, error id: [\da-f-]{36}$/)
  })

  test('fifty clients at the same time', async () => {
    signals.length = 0
    const connections = await Promise.all(Array.from({ length: 50 }, connect))
    for (const connection of connections) connection.write(to('GET /waiting'))
    await eventually(() => signals.length === 50)
    assert.ok(signals.every((one) => !one.aborted))
    for (const connection of connections) connection.leave()
    await eventually(() => signals.every((one) => one.aborted))
  })

  test('a disconnect after the response aborts no signal', async () => {
    signals.length = 0
    const connection = await connect()
    connection.write(to('GET /answered'))
    check(await connection.next(), [200, 'answered'])
    connection.leave()
    await wait(20)
    assert.equal(
      signals.map((one) => one.aborted),
      [false],
    )
  })

  test('a disconnect before the end of the body does not call the handler', async () => {
    signals.length = 0
    const connection = await connect()
    connection.write(to('POST /reading', 'Content-Length: 10') + 'abc')
    await wait(10)
    connection.leave()
    await wait(20)
    assert.is(signals.length, 0)
  })

  test('thirty clients that reset a CONNECT connection', async () => {
    for (let time = 0; time < 30; time++) {
      const connection = await connect()
      connection.write(to('CONNECT b.example:80'))
      if (time % 2 === 0) await wait(1)
      connection.socket.resetAndDestroy()
    }
    const connection = await connect()
    connection.write(to('GET /answered'))
    check(await connection.next(), [200, 'answered'])
    connection.leave()
  })

  test('no internal error is logged', () => assert.equal(defects, []))
})
