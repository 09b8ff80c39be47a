/** The end of HTTP/2 connections: timeouts and the graceful shutdown. */
import { once } from 'node:events'
import { constants } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { body, bytes, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import { describe } from '../../support/describe.ts'
import { createGate, waitAtGate } from '../../support/gate.ts'
import { serveHttp2 } from '../../support/through-http2.ts'
import { exchange, openSession, receive, withSession } from './client.ts'
import {
  connectFrames,
  errorCode,
  flag,
  frame,
  frameType,
  headerBlock,
  isGoaway,
  isReset,
  pseudoHeaders,
  requestFrame,
} from './frames.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const gates = { current: createGate() }

const api = routes({
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'Hello'),
  ),
  gated: pipe(
    path('/gated'),
    get(),
    produces(text),
    handle(async () => {
      await waitAtGate(gates.current.name)
      return 'done'
    }),
  ),
  upload: pipe(
    path('/upload'),
    post(),
    body(bytes),
    produces(text),
    handle(({ body: { length } }) => String(length)),
  ),
})

const hello = { ':path': '/hello' }
const ping = frame(frameType.ping, 0, 0, Buffer.alloc(8))
const isGoawayOf =
  (lastStream: number) =>
  ({ type, payload }: { readonly type: number; readonly payload: Buffer }): boolean =>
    type === frameType.goaway && payload.readUInt32BE(0) === lastStream

describe('HTTP/2 timeouts', (test) => {
  test('a connection without a request is closed after the header timeout', () =>
    withSession(
      api,
      async (_, { url }) => {
        const connection = await connectFrames(url)
        await connection.find(isGoaway(errorCode.noError))
        await connection.closed
      },
      { 'fw.http.header-timeout': 100 },
    ))

  test('a header section without an end is closed after the header timeout', () =>
    withSession(
      api,
      async (_, { url }) => {
        const connection = await connectFrames(url)
        connection.write(
          frame(frameType.headers, 0, 1, headerBlock(pseudoHeaders('GET', '/hello'))),
        )
        await connection.find(isGoaway(errorCode.noError))
        await connection.closed
      },
      { 'fw.http.header-timeout': 100 },
    ))

  test('an idle connection is closed with GOAWAY after the keep-alive timeout, even with PING', () =>
    withSession(
      api,
      async (_, { url }) => {
        const connection = await connectFrames(url)
        connection.write(requestFrame(1, '/hello'))
        const timer = setInterval(() => connection.write(ping), 50)
        await connection.find(isGoaway(errorCode.noError))
        await connection.closed
        clearInterval(timer)
        assert.ok(connection.frames.some(({ type }) => type === frameType.headers))
      },
      { 'fw.http.keep-alive-timeout': 500 },
    ))

  test('a connection with a request in progress is not idle', () =>
    withSession(
      api,
      async (session) => {
        gates.current = createGate()
        const stream = session.request({ ':path': '/gated' })
        await wait(2500)
        gates.current.open()
        assert.is((await receive(stream)).body, 'done')
      },
      { 'fw.http.keep-alive-timeout': 500, 'fw.http.header-timeout': 500 },
    ))

  test('a request that is not complete within the read timeout receives 408', () =>
    withSession(
      api,
      async (session) => {
        const stream = session.request({ ':method': 'POST', ':path': '/upload' })
        stream.write('a')
        assert.is((await receive(stream)).status, 408)
        assert.is((await exchange(session, hello)).status, 200)
      },
      { 'fw.http.read-timeout': 500 },
    ))

  test('a body below the minimum rate receives 408, other requests are served', () =>
    withSession(
      api,
      async (session) => {
        const stream = session.request({ ':method': 'POST', ':path': '/upload' })
        const timer = setInterval(() => stream.write('a'), 100)
        stream.on('error', () => undefined)
        const [slow, fast] = await Promise.all([receive(stream), exchange(session, hello)])
        clearInterval(timer)
        assert.equal([slow.status, fast.status], [408, 200])
      },
      { 'fw.http.limits.min-body-rate': 1000, 'fw.http.read-timeout': 0 },
    ))
})

describe('HTTP/2 concurrency', (test) => {
  test('streams above the limit are rejected', () =>
    withSession(
      api,
      async (_, { url }) => {
        gates.current = createGate()
        const connection = await connectFrames(url)
        for (const id of [1, 3, 5]) connection.write(requestFrame(id, '/gated'))
        await connection.find(isReset(5, errorCode.streamRejected))
        gates.current.open()
        for (const id of [1, 3])
          await connection.find(
            ({ type, stream, flags }) =>
              type === frameType.data && stream === id && (flags & flag.endStream) !== 0,
          )
        connection.socket.destroy()
      },
      { 'fw.http.limits.max-concurrent-streams': 2 },
    ))

  test('a client can always have as many requests in progress as the limit', () =>
    withSession(
      api,
      async (session) => {
        let failed = 0
        const loop = async (): Promise<void> => {
          for (let i = 0; i < 200; i++)
            await exchange(session, hello).then(
              ({ status }) => (failed += Number(status !== 200)),
              () => failed++,
            )
        }
        await Promise.all(Array.from({ length: 16 }, loop))
        assert.is(failed, 0)
      },
      { 'fw.http.limits.max-concurrent-streams': 16 },
    ))
})

describe('HTTP/2 shutdown', (test) => {
  test('GOAWAY names the last request, requests in progress are completed', async () => {
    gates.current = createGate()
    const server = await serveHttp2(api, { 'fw.shutdown.grace': 5000 })
    const connection = await connectFrames(server.url)
    connection.write(requestFrame(1, '/hello'), requestFrame(3, '/gated'))
    await waitUntil(gates.current.isReached)
    const closing = server.close()
    await connection.find(isGoawayOf(3))
    connection.write(requestFrame(5, '/hello'))
    gates.current.open()
    await connection.find(({ type, stream }) => type === frameType.data && stream === 3)
    await connection.closed
    assert.not(connection.frames.some(({ stream }) => stream === 5))
    await closing
  })

  test('a connection that is opened during the grace period receives GOAWAY with its response', async () => {
    gates.current = createGate()
    const server = await serveHttp2(api, { 'fw.shutdown.grace': 5000 })
    const first = await openSession(server.url)
    const gated = first.request({ ':path': '/gated' })
    await waitUntil(gates.current.isReached)
    const closing = server.close()
    const connection = await connectFrames(server.url)
    connection.write(requestFrame(1, '/hello'))
    await connection.find(isGoawayOf(1))
    await connection.find(({ type, stream }) => type === frameType.data && stream === 1)
    await connection.closed
    gates.current.open()
    assert.is((await receive(gated)).body, 'done')
    await closing
  })

  test('an idle connection is closed immediately', async () => {
    const server = await serveHttp2(api, { 'fw.shutdown.grace': 20_000 })
    const session = await openSession(server.url)
    await exchange(session, hello)
    const started = performance.now()
    await Promise.all([server.close(), once(session, 'close')])
    assert.ok(performance.now() - started < 10_000)
  })

  test('without a grace period, requests in progress are completed', async () => {
    gates.current = createGate()
    const server = await serveHttp2(api, { 'fw.shutdown.grace': 0 })
    const session = await openSession(server.url)
    const stream = session.request({ ':path': '/gated' })
    await waitUntil(gates.current.isReached)
    const closing = server.close()
    await turns()
    gates.current.open()
    assert.is((await receive(stream)).body, 'done')
    await closing
  })

  test('streams are reset after the shutdown timeout', async () => {
    gates.current = createGate()
    const server = await serveHttp2(api, { 'fw.shutdown.grace': 0, 'fw.shutdown.timeout': 300 })
    const session = await openSession(server.url)
    const stream = session.request({ ':path': '/gated' })
    stream.on('error', () => undefined)
    await waitUntil(gates.current.isReached)
    await Promise.all([server.close(), once(stream, 'close')])
    gates.current.open()
    assert.ok(session.destroyed)
    assert.is.not(stream.rstCode, constants.NGHTTP2_NO_ERROR)
  })

  test('no request of a busy client is lost', async () => {
    const server = await serveHttp2(api, { 'fw.shutdown.grace': 2000 })
    const session = await openSession(server.url)
    const lost = new Array<string>()
    let answered = 0
    const loop = async (): Promise<void> => {
      // a client stops sending requests on the connection after GOAWAY
      while (!session.closed && !session.destroyed) {
        const stream = session.request(hello)
        await receive(stream).then(
          () => answered++,
          // the client can send a rejected request again (RFC 9113, 8.7)
          ({ message }: Error) => {
            if (stream.rstCode !== errorCode.streamRejected) lost.push(message)
          },
        )
      }
    }
    const loops = Array.from({ length: 20 }, loop)
    await waitUntil(() => answered > 200)
    await Promise.all([server.close(), ...loops])
    assert.equal(lost, [])
  })
})
