/** Bodies over HTTP/2: back-pressure in both directions, cancellation, early responses and failures. */
import { once } from 'node:events'
import type { ClientHttp2Stream } from 'node:http2'
import { constants } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  get,
  handle,
  path,
  post,
  produces,
  routes,
  text,
  Unauthorized,
} from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'
import { waitUntil } from '../../support/workers.ts'
import { counters, resetCounters, startServer } from '../streams.ts'
import { closeCode, exchange, openSession, receive, withSession } from './client.ts'
import {
  connectFrames,
  errorCode,
  flag,
  frame,
  frameType,
  isReset,
  requestFrame,
  settingPayload,
  uint32,
} from './frames.ts'

const state = { read: 0, errors: new Array<unknown>(), handled: 0, aborted: 0 }
let isReading = false

const api = routes({
  slowly: pipe(
    path('/slowly'),
    post(),
    body(byteStream),
    produces(text),
    handle(async ({ body: chunks }) => {
      while (!isReading) await wait(5)
      try {
        for await (const chunk of chunks) state.read += chunk.length
      } catch (error) {
        state.errors.push(error)
      }
      return String(state.read)
    }),
  ),
  whole: pipe(
    path('/whole'),
    post(),
    body(bytes),
    produces(text),
    handle(({ body: { length } }) => {
      state.handled++
      return String(length)
    }),
  ),
  early: pipe(
    path('/early'),
    post(),
    body(byteStream),
    produces(text),
    handle(() => {
      throw new Unauthorized('Bearer', 'no credentials')
    }),
  ),
  partly: pipe(
    path('/partly'),
    post(),
    body(byteStream),
    produces(text),
    handle(async ({ body: chunks }) => {
      for await (const _ of chunks) break
      return 'enough'
    }),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle(({ body: chunks }) => chunks),
  ),
  waiting: pipe(
    path('/waiting'),
    get(),
    produces(text),
    handle(async (_, { request: { signal } }) => {
      state.handled++
      if (!signal.aborted) await once(signal, 'abort')
      state.aborted++
      return 'unread'
    }),
  ),
})

const binary = { 'content-type': 'application/octet-stream' } as const
const dataFrame = (stream: number, size: number, flags = 0): Buffer =>
  frame(frameType.data, flags, stream, Buffer.alloc(size))

describe('HTTP/2 request bodies', (test) => {
  test('the client can send no more than the window while the body is not read', () =>
    withSession(api, async (session) => {
      Object.assign(state, { read: 0 })
      isReading = false
      const stream = session.request({ ':method': 'POST', ':path': '/slowly', ...binary })
      const size = 8 * 1024 * 1024
      stream.end(Buffer.alloc(size))
      await wait(300)
      const windowSize = 256 * 1024
      const { remoteWindowSize = 0 } = session.state
      assert.is(state.read, 0)
      // the window of the connection is larger
      assert.ok(remoteWindowSize > 0, String(remoteWindowSize))
      assert.ok(stream.bufferSize >= size - windowSize, String(stream.bufferSize))
      // other streams are not affected
      const other = await exchange(
        session,
        { ':method': 'POST', ':path': '/whole', ...binary },
        'x'.repeat(500_000),
      )
      assert.is(other.body, '500000')
      isReading = true
      assert.is((await receive(stream)).body, String(size))
    }))

  test('a body without Content-Length above the limit receives 413', () =>
    withSession(
      api,
      async (session) => {
        const stream = session.request({ ':method': 'POST', ':path': '/whole', ...binary })
        stream.on('error', () => undefined)
        stream.write(Buffer.alloc(600_000))
        const { status } = await receive(stream)
        assert.is(status, 413)
        assert.is((await exchange(session, { ':path': '/missing' })).status, 404)
      },
      { 'fw.http.limits.max-parsed-body-size': 1000 },
    ))

  test('a large upload arrives completely', () =>
    withSession(
      api,
      async (session) => {
        isReading = true
        Object.assign(state, { read: 0 })
        const size = 40_000_000
        const stream = session.request({ ':method': 'POST', ':path': '/slowly', ...binary })
        stream.end(Buffer.alloc(size))
        assert.is((await receive(stream)).body, String(size))
      },
      { 'fw.http.limits.max-body-size': '100M' },
    ))

  table(
    test,
    [
      ['before the body is read', '/early', 401],
      ['after part of the body', '/partly', 200],
    ] as const,
    (_, target, status) =>
      withSession(api, async (session) => {
        const stream = session.request({ ':method': 'POST', ':path': target, ...binary })
        stream.write(Buffer.alloc(1000))
        const received = await receive(stream)
        assert.is(received.status, status)
        // the rest of the body is not requested (RFC 9113, 8.1)
        assert.is(await closeCode(stream), constants.NGHTTP2_NO_ERROR)
        assert.is((await exchange(session, { ':path': '/missing' })).status, 404)
      }),
  )

  table(
    test,
    [
      ['NO_ERROR', 0],
      ['CANCEL', 8],
    ] as const,
    (_, code) =>
      withSession(api, async (__, { url }) => {
        Object.assign(state, { read: 0, handled: 0, errors: [] })
        isReading = true
        const connection = await connectFrames(url)
        const upload = {
          method: 'POST',
          headers: [['content-type', 'application/octet-stream']],
          hasBody: true,
        } as const
        connection.write(requestFrame(1, '/whole', upload), dataFrame(1, 1000))
        connection.write(requestFrame(3, '/slowly', upload), dataFrame(3, 1000))
        await waitUntil(() => state.read === 1000)
        connection.write(frame(frameType.rstStream, 0, 1, uint32(code)))
        connection.write(frame(frameType.rstStream, 0, 3, uint32(code)))
        await waitUntil(() => state.errors.length === 1)
        const [error] = state.errors
        assert.is(
          error instanceof Error && 'code' in error && error.code,
          'ERR_STREAM_PREMATURE_CLOSE',
        )
        // a truncated body is not passed to the handler
        assert.is(state.handled, 0)
        connection.socket.destroy()
      }),
  )

  test('trailers are ignored', () =>
    withSession(api, async (session) => {
      const stream = session.request(
        { ':method': 'POST', ':path': '/whole', ...binary },
        { waitForTrailers: true },
      )
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-trailer': 'a' }))
      stream.end('sent')
      const received = await receive(stream)
      assert.equal([received.status, received.body], [200, '4'])
    }))

  test('Content-Length that differs from the body resets the stream', () =>
    withSession(api, async (_, { url }) => {
      Object.assign(state, { handled: 0 })
      const connection = await connectFrames(url)
      connection.write(
        requestFrame(1, '/whole', {
          method: 'POST',
          headers: [
            ['content-type', 'application/octet-stream'],
            ['content-length', '10'],
          ],
          hasBody: true,
        }),
        dataFrame(1, 5, flag.endStream),
      )
      await connection.find(isReset(1, errorCode.protocolError))
      assert.is(state.handled, 0)
      connection.socket.destroy()
    }))

  test('an echo is streamed in both directions', () =>
    withSession(api, async (session) => {
      const stream = session.request({ ':method': 'POST', ':path': '/echo', ...binary })
      let received = 0
      stream.on('data', (chunk: Buffer) => (received += chunk.length))
      for (let sent = 1000; sent <= 10_000; sent += 1000) {
        stream.write(Buffer.alloc(1000))
        await waitUntil(() => received === sent)
      }
      stream.end()
      assert.is(await closeCode(stream), constants.NGHTTP2_NO_ERROR)
    }))
})

const withStreams = async (
  check: (open: (target: string) => ClientHttp2Stream, url: string) => Promise<unknown>,
): Promise<void> => {
  resetCounters()
  const server = await startServer({ 'fw.http.http2-clear-text': true })
  const session = await openSession(server.url)
  try {
    await check((target) => session.request({ ':path': target }), server.url)
  } finally {
    session.destroy()
    await server.close()
  }
}

describe('HTTP/2 response bodies', (test) => {
  test('a source is not read while the windows of the client are exhausted', () =>
    withStreams(async (open) => {
      const stream = open('/web')
      await once(stream, 'response')
      await wait(200)
      const { requested } = counters
      await wait(200)
      assert.is(counters.requested, requested)
      // 65,535 bytes of window and a few chunks of 1000 bytes
      assert.ok(requested > 10 && requested < 150, String(requested))
      stream.resume()
      await waitUntil(() => counters.requested > 3 * requested)
      stream.close(constants.NGHTTP2_CANCEL)
      await waitUntil(() => counters.ended === 1)
    }))

  table(
    test,
    [
      ['/endless/sync'],
      ['/endless/async'],
      ['/endless/many'],
      ['/silent/readable'],
      ['/silent/web'],
      ['/waiting/signal'],
      ['/waiting/cut'],
      ['/events'],
    ] as const,
    (target) =>
      withStreams(async (open) => {
        const stream = open(target)
        // the head of a response waits for the first element
        if (target.startsWith('/silent')) await wait(50)
        else await once(stream, 'response')
        stream.resume()
        await wait(20)
        assert.is(counters.ended, 0)
        stream.close(constants.NGHTTP2_CANCEL)
        await waitUntil(() => counters.ended === 1)
      }),
  )

  test('a response of 32 MB is sent completely', () =>
    withStreams(async (open) => {
      const { headers, body: received } = await receive(open('/large'))
      assert.is(headers['content-length'], String(32 * 1024 * 1024))
      assert.is(received.length, 32 * 1024 * 1024)
    }))

  test('a source that fails after the first element resets the stream', () =>
    withStreams(async (open) => {
      const stream = open('/broken/3')
      await once(stream, 'response')
      stream.resume()
      assert.is(await closeCode(stream), constants.NGHTTP2_INTERNAL_ERROR)
    }))

  test('a source that fails before the first element receives 500', () =>
    withStreams(async (open) => {
      assert.is((await receive(open('/broken/0'))).status, 500)
    }))

  test('HEAD closes the source and sends no body', () =>
    withStreams(async (_, url) => {
      const session = await openSession(url)
      const stream = session.request({ ':method': 'HEAD', ':path': '/numbers' })
      const received = await receive(stream)
      assert.equal([received.status, received.body], [200, ''])
      session.destroy()
    }))

  test('RST_STREAM aborts the signal of the handler', () =>
    withSession(api, async (session) => {
      Object.assign(state, { handled: 0, aborted: 0 })
      const stream = session.request({ ':path': '/waiting' })
      await waitUntil(() => state.handled === 1)
      stream.close(constants.NGHTTP2_CANCEL)
      await waitUntil(() => state.aborted === 1)
    }))

  test('closing the connection aborts the signals of all handlers', () =>
    withSession(api, async (_, { url }) => {
      Object.assign(state, { handled: 0, aborted: 0 })
      const connection = await connectFrames(url)
      for (let id = 1; id < 20; id += 2) connection.write(requestFrame(id, '/waiting'))
      await waitUntil(() => state.handled === 10)
      connection.socket.destroy()
      await waitUntil(() => state.aborted === 10)
    }))

  test('a half-closed connection is closed', () =>
    withSession(api, async (_, { url }) => {
      Object.assign(state, { handled: 0, aborted: 0 })
      const connection = await connectFrames(url)
      connection.write(requestFrame(1, '/waiting'))
      await waitUntil(() => state.handled === 1)
      connection.socket.end()
      await connection.closed
      await waitUntil(() => state.aborted === 1)
    }))

  test('a stream without window updates is reset after the write timeout', async () => {
    resetCounters()
    const server = await startServer({
      'fw.http.http2-clear-text': true,
      'fw.http.write-timeout': 1000,
    })
    // SETTINGS_INITIAL_WINDOW_SIZE
    const connection = await connectFrames(server.url, settingPayload(4, 1000))
    connection.write(requestFrame(1, '/web'), requestFrame(3, '/large'))
    await connection.find(isReset(1, errorCode.cancel))
    await connection.find(isReset(3, errorCode.cancel))
    assert.is(counters.ended, 1)
    connection.socket.destroy()
    await server.close()
  })
})
