/** Response bodies over HTTP/2: back-pressure, cancellation, failures and disconnects. */
import { once } from 'node:events'
import type { ClientHttp2Stream } from 'node:http2'
import { constants } from 'node:http2'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { counters, resetCounters, startServer } from '../streams.ts'
import { api, state } from './bodies-api.ts'
import { closeCode, openSession, receive, withSession } from './client.ts'
import { connectFrames, errorCode, isReset, requestFrame, settingPayload } from './frames.ts'
import { stable, turns, waitUntil } from '../../support/wait-until.ts'

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
      const requested = await stable(() => counters.requested)
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
        if (target.startsWith('/silent')) await turns()
        else await once(stream, 'response')
        stream.resume()
        await turns()
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
