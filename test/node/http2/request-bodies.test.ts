/** Request bodies over HTTP/2: back-pressure, limits, cancellation and early responses. */
import { constants } from 'node:http2'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { api, state } from './bodies-api.ts'
import { closeCode, exchange, receive, withSession } from './client.ts'
import {
  connectFrames,
  errorCode,
  flag,
  frame,
  frameType,
  isReset,
  requestFrame,
  uint32,
} from './frames.ts'
import { stable, waitUntil } from '../../support/wait-until.ts'

const binary = { 'content-type': 'application/octet-stream' } as const
const dataFrame = (stream: number, size: number, flags = 0): Buffer =>
  frame(frameType.data, flags, stream, Buffer.alloc(size))

describe('HTTP/2 request bodies', (test) => {
  test('the client can send no more than the window while the body is not read', () =>
    withSession(api, async (session) => {
      Object.assign(state, { read: 0 })
      state.isReading = false
      const stream = session.request({ ':method': 'POST', ':path': '/slowly', ...binary })
      const size = 8 * 1024 * 1024
      stream.end(Buffer.alloc(size))
      await stable(() => stream.bufferSize)
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
      state.isReading = true
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
        state.isReading = true
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
        state.isReading = true
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

  test('an empty body may end in a frame of its own', () =>
    withSession(api, async (session) => {
      const stream = session.request({ ':method': 'POST', ':path': '/whole', ...binary })
      stream.end()
      assert.is((await receive(stream)).body, '0')
    }))

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
