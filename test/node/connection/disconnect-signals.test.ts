/** Tests that a disconnect before the response aborts `request.signal` and logs no error. */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
import { body, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, requestWithBody, rawRequest } from '../../support/raw.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** The signals of the requests. */
const signals: AbortSignal[] = []
/** Logged errors. */
const errors: unknown[] = []

/** Waits until the client has disconnected. */
const untilDisconnect = async ({ request: { signal } }: Context): Promise<string> => {
  signals.push(signal)
  await once(signal, 'abort')
  return 'unread'
}

const error = (members: object): void => {
  errors.push(members)
}

/** Messages logged at debug level. */
const debugMessages: string[] = []
const debug = (_: object, message: string): void => {
  debugMessages.push(message)
}

const api = routes({
  waiting: pipe(
    path('/waiting'),
    get(),
    produces(text),
    handle((_, context) => untilDisconnect(context)),
  ),
  reading: pipe(
    path('/reading'),
    post(),
    body(text),
    produces(text),
    handle((_, context) => untilDisconnect(context)),
  ),
  cut: pipe(
    path('/cut'),
    get(),
    produces(text),
    handle(async (_, { request: { signal } }) => {
      signals.push(signal)
      await wait(60_000, undefined, { signal })
      return 'unread'
    }),
  ),
  immediate: pipe(
    path('/immediate'),
    get(),
    produces(text),
    handle((_, { request: { signal } }) => {
      signals.push(signal)
      return 'done'
    }),
  ),
})

describe('a client that disconnects', (test, { before, after }) => {
  let server: Server | undefined
  const connect = () => connectTo(server?.url ?? '')
  before(async () => {
    server = await serveLocally(api, {
      logger: { ...silentLogger, debug, error },
      'fw.log.category.request.level': 'debug',
    })
  })
  after(() => server?.close())

  for (const [title, message] of [
    ['while the handler runs', rawRequest('GET /waiting')],
    ['while the handler runs after the body', requestWithBody('POST /reading', 'abc')],
    ['with a second pipelined request', rawRequest('GET /waiting') + rawRequest('GET /immediate')],
  ] as const)
    for (const [way, method] of [
      ['closing', 'destroy'],
      ['resetting', 'resetAndDestroy'],
      ['half-closing', 'end'],
    ] as const)
      test(`${title} by ${way} aborts the signal`, async () => {
        signals.length = 0
        const connection = await connect()
        connection.write(message)
        await waitUntil(() => signals.length > 0)
        const [signal] = signals
        assert.is(signal?.aborted, false)
        connection.socket[method]()
        await waitUntil(() => signal?.aborted === true)
        connection.destroy()
      })

  test('a handler that fails because of a disconnect is logged at debug level only', async () => {
    signals.length = 0
    debugMessages.length = 0
    const connection = await connect()
    connection.write(rawRequest('GET /cut'))
    await waitUntil(() => signals.length > 0)
    connection.destroy()
    await waitUntil(() => debugMessages.length > 0)
    assert.match(
      debugMessages.join('\n'),
      /^Client disconnected during request to \/cut, error ID: [\da-f-]{36}$/,
    )
  })

  test('fifty disconnects at the same time abort fifty signals', async () => {
    signals.length = 0
    const connections = await Promise.all(Array.from({ length: 50 }, connect))
    for (const connection of connections) connection.write(rawRequest('GET /waiting'))
    await waitUntil(() => signals.length === 50)
    assert.ok(signals.every((signal) => !signal.aborted))
    for (const connection of connections) connection.destroy()
    await waitUntil(() => signals.every((signal) => signal.aborted))
  })

  test('a disconnect after the response aborts no signal', async () => {
    signals.length = 0
    const connection = await connect()
    connection.write(rawRequest('GET /immediate'))
    assertResponse(await connection.next(), [200, 'done'])
    connection.destroy()
    await turns()
    assert.equal(
      signals.map((signal) => signal.aborted),
      [false],
    )
  })

  test('a disconnect before the end of the body does not call the handler', async () => {
    signals.length = 0
    const connection = await connect()
    connection.write(rawRequest('POST /reading', 'Content-Length: 10') + 'abc')
    await turns()
    connection.destroy()
    await turns()
    assert.is(signals.length, 0)
  })

  test('the server survives thirty reset CONNECT requests', async () => {
    for (let time = 0; time < 30; time++) {
      const connection = await connect()
      connection.write(rawRequest('CONNECT b.example:80'))
      if (time % 2 === 0) await turns()
      connection.socket.resetAndDestroy()
    }
    const connection = await connect()
    connection.write(rawRequest('GET /immediate'))
    assertResponse(await connection.next(), [200, 'done'])
    connection.destroy()
  })

  test('no internal error is logged', () => assert.equal(errors, []))
})
