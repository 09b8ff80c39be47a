/** Tests of `accessLog` over a socket: client addresses and disconnects. */
import { pipe } from 'fp-ts/lib/function.js'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import {
  accessLog,
  get,
  handle,
  path,
  produces,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Log, Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const lines: Array<Parameters<Log>> = []
const waiting: AbortSignal[] = []

const api = pipe(
  routes({
    hello: pipe(
      path('/hello'),
      get(),
      produces(text),
      handle(() => 'Hello'),
    ),
    waiting: pipe(
      path('/waiting'),
      get(),
      produces(text),
      handle(async (_, { request: { signal } }) => {
        waiting.push(signal)
        await once(signal, 'abort')
        return 'unread'
      }),
    ),
  }),
  withFilter(accessLog()),
)

/** Waits for the next log line. */
const nextLine = async (): Promise<Parameters<Log>> => {
  await waitUntil(() => lines.length > 0)
  return lines.shift() ?? [{}, '']
}

describe('accessLog over a socket', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serveLocally(api, {
      logger: { ...silentLogger, info: (...line) => lines.push(line) },
    })
  })
  after(() => server?.close())

  test('logs the client address', async () => {
    const connection = await connectTo(server?.url ?? '')
    connection.write(rawRequest('GET /hello'))
    const [members] = await nextLine()
    assert.equal([members['address'], members['status']], ['127.0.0.1', 200])
    connection.destroy()
  })
  test('logs a client that disconnects before the response without a status', async () => {
    const connection = await connectTo(server?.url ?? '')
    connection.write(rawRequest('GET /waiting'))
    await waitUntil(() => waiting.length > 0)
    // a FIN alone could be a half-close, which does not abort the request
    connection.socket.resetAndDestroy()
    const [members, message] = await nextLine()
    const { address, status, endpoint } = members
    assert.equal([address, status, endpoint], ['127.0.0.1', undefined, 'waiting'])
    assert.match(message, /^GET \/waiting - \d+\.\d ms$/)
    await turns()
    assert.is(lines.length, 0)
  })
})
