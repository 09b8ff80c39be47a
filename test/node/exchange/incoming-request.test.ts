/** The end of the request stream of `node:http`, which applications can observe. */
import { pipe } from 'fp-ts/lib/function.js'
import { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import {
  body,
  get,
  handle,
  path,
  post,
  produces,
  requestFilter,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { nodeRequest } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'

const received: IncomingMessage[] = []
const events: string[] = []
/** The events that the latest observed request still has to emit. Since Node.js 24.12, a request without a body has none. */
let expected: ReadonlyArray<string> = []

const record = requestFilter((context) => {
  const request = nodeRequest(context)
  if (!(request instanceof IncomingMessage)) return
  received.push(request)
  if (!context.request.path.startsWith('/observed')) return
  expected = request.closed ? [] : ['end', 'close']
  for (const event of ['end', 'close']) request.on(event, () => events.push(event))
})

const tree = (prefix: string) => ({
  empty: pipe(
    path(`/${prefix}/empty`),
    get(),
    produces(text),
    handle(() => 'answered'),
  ),
  read: pipe(
    path(`/${prefix}/read`),
    post(),
    body(text),
    produces(text),
    handle(() => 'answered'),
  ),
  unread: pipe(
    path(`/${prefix}/unread`),
    post(),
    produces(text),
    handle(() => 'answered'),
  ),
})
const api = pipe(
  routes({ plain: routes(tree('plain')), observed: routes(tree('observed')) }),
  withFilter(record),
)

const headers = ['Content-Type: text/plain', 'Content-Length: 5']
const requestFor = (prefix: string, name: string): string =>
  name === 'empty'
    ? rawRequest(`GET /${prefix}/${name}`)
    : `${rawRequest(`POST /${prefix}/${name}`, ...headers)}pears`

/** Sends a request, and returns the request that the server received. */
const respond = async (connection: RawConnection, request: string): Promise<IncomingMessage> => {
  connection.write(request)
  assertResponse(await connection.next(), [200, 'answered'])
  const latest = received.at(-1)
  if (latest === undefined) throw new Error('no request received')
  return latest
}

describe('the request stream after the response', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serveLocally(api)
  })
  after(() => server?.close())

  table(
    test,
    [
      ['a request without a body is closed without events', 'empty'],
      ['a request with a body is closed without events', 'read'],
      ['a request whose body is not read is closed', 'unread'],
    ],
    async (_, name) => {
      const connection = await connectTo(server?.url ?? '')
      for (let n = 0; n < 3; n++) {
        const request = await respond(connection, requestFor('plain', name))
        while (!request.closed) await turn()
        // to end a stream, Node.js adds a listener
        if (name !== 'unread') assert.is(request.listenerCount('end'), 0)
        assert.ok(request.readableEnded && request.destroyed)
        await finished(request)
      }
      connection.destroy()
    },
  )

  for (const name of ['empty', 'read', 'unread'])
    test(`listeners of a request are called: ${name}`, async () => {
      const connection = await connectTo(server?.url ?? '')
      events.length = 0
      await finished(await respond(connection, requestFor('observed', name)))
      await respond(connection, requestFor('plain', 'empty'))
      assert.equal(events, expected)
      if (name !== 'empty') assert.is(expected.length, 2)
      connection.destroy()
    })
})
