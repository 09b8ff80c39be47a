/** Floods of frames: each kind closes its own connection, and no other. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { body, del, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { ServeOptions } from '../../../src/node.ts'
import { FloodCounter } from '../../../src/node/http2/connection-limits.ts'
import { describe, table } from '../../support/describe.ts'
import { recordConnections } from '../accepted-connections.ts'
import { createRecorder } from '../../support/recorder.ts'
import { exchange, withSession } from './client.ts'
import {
  connectFrames,
  errorCode,
  flag,
  frame,
  frameType,
  headerBlock,
  isGoaway,
  pseudoHeaders,
  requestFrame,
  uint32,
} from './frames.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const signals = new Array<AbortSignal>()

const api = routes({
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'Hello'),
  ),
  hellos: pipe(
    path('/hello'),
    post(),
    body(text),
    produces(text),
    handle(({ body: sent }) => sent),
  ),
  deleted: pipe(
    path('/hello'),
    del(),
    produces(text),
    handle(() => 'deleted'),
  ),
  waiting: pipe(
    path('/waiting'),
    get(),
    produces(text),
    handle((_, { request: { signal } }) => {
      signals.push(signal)
      return new Promise<string>(() => undefined)
    }),
  ),
})

const resetStream = (stream: number): Buffer =>
  frame(frameType.rstStream, 0, stream, uint32(errorCode.cancel))

const ping = frame(frameType.ping, 0, 0, Buffer.alloc(8))
const settings = frame(frameType.settings)

/** Returns the frames of one attack. `index` starts at 0. */
const attacks: Readonly<Record<string, (index: number) => Buffer>> = {
  'a request and its reset': (index) =>
    Buffer.concat([requestFrame(2 * index + 1, '/waiting'), resetStream(2 * index + 1)]),
  // the server resets the stream (CVE-2025-8671)
  'a body that differs from Content-Length': (index) =>
    Buffer.concat([
      requestFrame(2 * index + 1, '/waiting', {
        headers: [['content-length', '1']],
        hasBody: true,
      }),
      frame(frameType.data, flag.endStream, 2 * index + 1),
    ]),
  SETTINGS: () => settings,
  PING: () => ping,
}

const kinds = Object.keys(attacks).map((kind): [kind: string] => [kind])

const limits: ServeOptions = {
  'fw.http.limits.rst-flood-max-rst-frame-per-window': 20,
  'fw.http.limits.settings-flood-max-frame-per-window': 20,
  'fw.http.limits.ping-flood-max-frame-per-window': 20,
}

/** SETTINGS has been sent once, at the beginning of the connection. */
const allowed = (kind: string): number => (kind === 'SETTINGS' ? 19 : 20)

describe('HTTP/2 floods', (test) => {
  table(test, kinds, async (kind) => {
    const attack = attacks[kind] ?? (() => ping)
    const recorder = createRecorder()
    await withSession(
      api,
      async (session, { url }) => {
        signals.length = 0
        const connection = await connectFrames(url)
        for (let i = 0; i < allowed(kind); i++) {
          connection.write(attack(i))
          await turns(2)
        }
        connection.write(frame(frameType.ping, 0, 0, Buffer.from('answered')))
        if (kind !== 'PING')
          await connection.find(
            ({ type, flags, payload }) =>
              type === frameType.ping && flags === flag.ack && String(payload) === 'answered',
          )
        connection.write(attack(allowed(kind)))
        // Node.js does not send GOAWAY after a stream error of its own
        if (!kind.startsWith('a body')) await connection.find(isGoaway(errorCode.enhanceYourCalm))
        await connection.closed
        assert.ok(signals.every(({ aborted }) => aborted))
        assert.is((await exchange(session, { ':path': '/hello' })).body, 'Hello')
      },
      { ...limits, 'fw.log.level': 'debug', logger: recorder.logger },
    )
    const lines = recorder.lines.filter(({ message }) => message.includes('too many'))
    assert.is(lines.length, 1)
  })

  test('requests that are reset in the packet in which they arrive are counted', () =>
    withSession(
      api,
      async (_, { url }) => {
        const connection = await connectFrames(url)
        connection.write(
          ...Array.from(
            { length: 100 },
            (__, i) => attacks['a request and its reset']?.(i) ?? ping,
          ),
        )
        await connection.find(isGoaway(errorCode.enhanceYourCalm))
        await connection.closed
      },
      limits,
    ))

  test('a client that does not read is disconnected as well', () =>
    withSession(
      api,
      async (_, { url }) => {
        const { sockets, stop } = recordConnections()
        const connection = await connectFrames(url)
        connection.socket.pause()
        connection.write(...Array.from({ length: 30 }, () => ping))
        await waitUntil(() => sockets.length === 1 && sockets[0]?.destroyed === true)
        stop()
        connection.socket.resume()
        await connection.closed
      },
      limits,
    ))

  test('complete responses are not counted, with or without a request body', () =>
    withSession(
      api,
      async (session) => {
        for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
          for (const target of ['/hello', '/missing'])
            for (let i = 0; i < 20; i++) {
              const headers = { ':method': method, ':path': target }
              const content = method === 'GET' || method === 'HEAD' ? undefined : 'sent'
              const { status } = await exchange(session, headers, content)
              assert.is(status, target === '/missing' ? 404 : 200)
            }
        assert.not(session.closed)
      },
      limits,
    ))

  test('CONTINUATION frames are limited by Node.js', () =>
    withSession(api, async (session, { url }) => {
      const connection = await connectFrames(url)
      connection.write(
        frame(frameType.headers, flag.endStream, 1, headerBlock(pseudoHeaders('GET', '/hello'))),
      )
      for (let i = 0; i < 100 && !connection.isClosed(); i++) {
        connection.write(frame(frameType.continuation, 0, 1, headerBlock([[`x-${i}`, 'a']])))
        await turns(2)
      }
      await connection.closed
      // nghttp2 ends the connection after a few frames, far fewer than the limits of a header section allow
      assert.not(
        connection.frames.some(({ type, stream }) => type === frameType.headers && stream === 1),
      )
      assert.is((await exchange(session, { ':path': '/hello' })).body, 'Hello')
    }))
})

describe('flood counter', (test) => {
  const floodLimits = { maximum: { RST_STREAM: 2, SETTINGS: 1, PING: 3 }, period: 1000 }

  test('counts each kind of frame within a period', () => {
    const counter = new FloodCounter(floodLimits)
    assert.equal(
      [10, 20, 1009].map((now) => counter.add('RST_STREAM', now)),
      [true, true, false],
    )
    assert.ok(counter.add('PING', 1009))
    assert.ok(counter.add('RST_STREAM', 1010))
  })

  test('does not limit frames without a period', () => {
    const counter = new FloodCounter({ ...floodLimits, period: 0 })
    for (let now = 0; now < 100; now++) assert.ok(counter.add('SETTINGS', 5))
  })
})
