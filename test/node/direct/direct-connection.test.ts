/** Tests of `fw.http.connection=direct`: split messages, pipelining, and what `node:http` does not support. */
import { EventEmitter, once } from 'node:events'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  get,
  handle,
  int,
  jsonStream,
  method,
  path,
  post,
  produces,
  query,
  routes,
  text,
  withDefault,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { ConfigurationError, nodeRequest, nodeResponse } from '../../../src/node.ts'
import { recordConnections } from '../accepted-connections.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import {
  assertResponse,
  chunkedRequest,
  head,
  rawRequest,
  requestWithBody,
} from '../../support/raw.ts'
import { countWrites, observeWrites } from '../socket-writes.ts'
import { stable, turns, waitUntil } from '../../support/wait-until.ts'

/** The numbers of handlers that have started and ended. */
const counters = { started: 0, ended: 0 }
const reset = (): void => {
  counters.started = counters.ended = 0
}
/** Emits `release` to end the handlers that wait for it. */
const handlers = new EventEmitter().setMaxListeners(0)

const large = 'x'.repeat(1_000_000)

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
    query({ ms: withDefault(int, 30) }),
    produces(text),
    handle((input) => wait(input.query.ms, 'slow')),
  ),
  held: pipe(
    path('/held'),
    get(),
    produces(text),
    handle(async () => {
      counters.started++
      await once(handlers, 'release')
      counters.ended++
      return 'held'
    }),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => {
      counters.started++
      return large
    }),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(bytes),
    produces(byteStream),
    handle(async function* (input) {
      yield input.body
    }),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  binary: pipe(
    path('/binary'),
    get(),
    produces(bytes),
    handle(() => new Uint8Array([0, 0xff, 0x0d, 0x0a])),
  ),
  count: pipe(
    path('/count'),
    get(),
    produces(jsonStream(int)),
    handle(function* () {
      for (let n = 0; n < 3; n++) yield n
    }),
  ),
  cheese: pipe(
    path('/cheese'),
    method('CHEESE')(),
    produces(text),
    handle((_, context) =>
      String([nodeRequest(context), nodeResponse(context)].every((one) => one === undefined)),
    ),
  ),
})

const start = (options = {}): Promise<Server> =>
  serveLocally(api, { 'fw.http.connection': 'direct', ...options })

describe('direct connections', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await start()
  })
  after(() => server.close())

  table<readonly [title: string, message: string, ...bodies: ReadonlyArray<string>]>(
    test,
    [
      ['a request', rawRequest('GET /alive', 'X: a b', 'Y:'), 'alive'],
      ['a request after empty lines', `\r\n\r\n${rawRequest('GET /alive')}`, 'alive'],
      ['a body', requestWithBody('POST /text', 'abc\r\ndef'), 'abc\r\ndef'],
      [
        'chunks',
        chunkedRequest('POST /text', ['abc', '\r\n', '0123456789abcdef!']),
        'abc\r\n0123456789abcdef!',
      ],
      [
        'an extension and a trailer',
        `${rawRequest('POST /text', 'Transfer-Encoding: chunked')}1;a="b;\\"c"\r\nx\r\n0\r\nA: b\r\n\r\n`,
        'x',
      ],
      [
        'pipelined requests',
        rawRequest('GET /alive') + requestWithBody('POST /text', 'a') + rawRequest('GET /alive'),
        'alive',
        'a',
        'alive',
      ],
    ],
    async (_, message, ...expected) => {
      const connection = await connectTo(server.url)
      for (let at = 1; at < message.length; at++) {
        connection.write(message.slice(0, at))
        await turn()
        connection.write(message.slice(at))
        for (const content of expected) assertResponse(await connection.next(), [200, content])
      }
      for (const byte of message) {
        connection.write(byte)
        await turn()
      }
      for (const content of expected) assertResponse(await connection.next(), [200, content])
      connection.destroy()
    },
  )

  test('a method that node:http does not support is served, without node:http objects', async () => {
    const connection = await connectTo(server.url)
    connection.write(rawRequest('CHEESE /cheese'))
    assertResponse(await connection.next(), [200, 'true'])
    connection.write(rawRequest('GET /cheese'))
    assertResponse(await connection.next(), 405)
    connection.destroy()
  })

  test('a method that node:http does not support is a configuration error with node:http', async () => {
    try {
      await serveLocally(api, { 'fw.http.connection': 'node' })
    } catch (error) {
      assert.instance(error, ConfigurationError)
      assert.match(String(error), /FW-ROUTE-006/)
      return
    }
    throw new Error('the server has started')
  })

  test('bytes and chunks are framed correctly', async () => {
    const { socket, write } = await connectTo(server.url)
    let received = ''
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    write(
      rawRequest('GET /binary') +
        rawRequest('GET /count') +
        rawRequest('GET /alive', 'Connection: close'),
    )
    await once(socket, 'end')
    assert.match(received, /Content-Length: 4\r\n\r\n\0\xff\r\nHTTP\/1\.1 200 OK\r\n/)
    assert.match(
      received,
      /Transfer-Encoding: chunked\r\n\r\n[^]*\r\n0\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    )
    assert.match(received, /Connection: close\r\nContent-Length: 5\r\n\r\nalive$/)
  })

  test('a stream in HTTP/1.0 ends with the connection', async () => {
    const { socket, write } = await connectTo(server.url)
    let received = ''
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    write(head('GET /count HTTP/1.0', 'Connection: keep-alive'))
    await once(socket, 'end')
    assert.match(received, /Connection: close\r\n\r\n\[0,1,2\]$/)
    assert.not.match(received, /Transfer-Encoding/)
  })
})

describe('pipelined requests on direct connections', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await start()
  })
  after(() => server.close())

  test('responses to requests that arrive together leave in one write', async () => {
    const counts: number[] = []
    // on a loaded machine, the requests can take longer than the turn budget, and are then processed in several turns
    while (!counts.includes(1) && counts.length < 20)
      counts.push(
        await countWrites(async (sockets) => {
          const connection = await connectTo(server.url)
          await waitUntil(() => sockets.length > 0)
          for (const socket of sockets) observeWrites(socket)
          connection.write(rawRequest('GET /alive').repeat(16))
          for (let n = 0; n < 16; n++) assertResponse(await connection.next(), [200, 'alive'])
          connection.destroy()
        }),
      )
    assert.ok(counts.includes(1), String(counts))
  })

  test('a response is written with its head, also as bytes and in chunks', async () => {
    for (const target of ['/alive', '/slow?ms=1', '/binary', '/count']) {
      const count = await countWrites(async (sockets) => {
        const { readable, write, destroy } = await connectTo(server.url)
        await waitUntil(() => sockets.length > 0)
        for (const accepted of sockets) observeWrites(accepted)
        write(rawRequest(`GET ${target}`))
        await readable()
        await turns()
        destroy()
      })
      assert.is(count, 1, target)
    }
  })

  test('at most 32 requests are processed at the same time, and all responses are in order', async () => {
    reset()
    const connection = await connectTo(server.url)
    connection.write(rawRequest('GET /held').repeat(100))
    for (const started of [32, 64, 96, 100]) {
      await waitUntil(() => counters.started >= started)
      await turns()
      assert.is(counters.started, started)
      handlers.emit('release')
    }
    for (let n = 0; n < 100; n++) assert.is((await connection.next()).status, 200)
    connection.destroy()
  })

  test('no further requests are processed while the client does not read', async () => {
    reset()
    const connection = await connectTo(server.url)
    const { socket } = connection
    socket.pause()
    connection.write(rawRequest('GET /large').repeat(80))
    await waitUntil(() => counters.started > 2)
    const started = await stable(() => counters.started)
    // Linux buffers up to 36 MB
    assert.ok(started < 50, String(started))
    socket.resume()
    for (let n = 0; n < 80; n++) assert.is((await connection.next()).body.length, large.length)
    assert.is(counters.started, 80)
    connection.destroy()
  })

  test('a disconnect ends all waiting requests', async () => {
    reset()
    const { sockets, stop } = recordConnections()
    const connection = await connectTo(server.url)
    connection.write(rawRequest('GET /held').repeat(40))
    await waitUntil(() => counters.started === 32)
    connection.socket.resetAndDestroy()
    await waitUntil(() => sockets.every(({ destroyed }) => destroyed))
    stop()
    handlers.emit('release')
    await waitUntil(() => counters.ended === 32)
    await turns()
    assert.is(counters.started, 32)
  })
})
