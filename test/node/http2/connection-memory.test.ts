/** The memory of unsent responses: its share for each connection, and clients that read nothing. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { body, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import { BodyMemory } from '../../../src/interpreter/memory-reservation.ts'
import { ConnectionMemory } from '../../../src/node/http2/connection-limits.ts'
import { describe, table } from '../../support/describe.ts'
import { exchange, withSession } from './client.ts'
import type { FrameConnection } from './frames.ts'
import {
  connectFrames,
  errorCode,
  flag,
  frame,
  frameType,
  isGoaway,
  isReset,
  requestFrame,
  settingPayload,
  uint32,
} from './frames.ts'

const size = 64 * 1024

const api = routes({
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'a'.repeat(size)),
  ),
  later: pipe(
    path('/later'),
    get(),
    produces(text),
    handle(async () => {
      await new Promise(setImmediate)
      return 'a'.repeat(size)
    }),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(text),
    produces(text),
    handle(({ body: sent }) => sent),
  ),
})

/** SETTINGS with an initial window of 0 bytes. */
const noWindow = settingPayload(4, 0)

const hasResponse =
  (id: number) =>
  ({ type, stream }: { readonly type: number; readonly stream: number }): boolean =>
    type === frameType.headers && stream === id

describe('memory of a connection', (test) => {
  test('is counted in the memory of the server', () => {
    const server = new BodyMemory(1000)
    const memory = new ConnectionMemory(server)
    memory.add(10)
    assert.is(memory.reserve(20, 1), 20)
    assert.equal([server.used, memory.used], [30, 30])
    memory.release(30)
    assert.equal([server.used, memory.used], [0, 0])
  })

  table(
    test,
    [
      ['up to half of the memory is in use', 256, 256, 512],
      ['more is in use, but little by the connection', 3, 512, 509],
      ['more is in use, and its share is exhausted', 4, 512, 0],
      ['more is in use by itself', 600, 0, 0],
    ] as const,
    (_, own, others, free) => {
      const server = new BodyMemory(1024)
      const memory = new ConnectionMemory(server)
      memory.add(own)
      server.add(others)
      assert.is(memory.free, free)
    },
  )

  test('has no limit if the memory of the server has none', () => {
    const memory = new ConnectionMemory(new BodyMemory(Infinity))
    memory.add(1e12)
    assert.is(memory.free, Infinity)
  })
})

describe('HTTP/2 clients that read nothing', (test) => {
  table(test, [['/large'], ['/later']] as const, (target) =>
    withSession(
      api,
      async (session, server) => {
        const connections = new Array<FrameConnection>()
        // together, the responses are 12 times as large as the memory
        for (let i = 0; i < 40; i++) {
          const connection = await connectFrames(server.url, noWindow)
          connections.push(connection)
          for (let id = 1; id < 64; id += 2) connection.write(requestFrame(id, target))
        }
        for (const connection of connections) await connection.find(hasResponse(63))
        const headers = { ':method': 'POST', ':path': '/echo' }
        const { status } = await exchange(session, headers, 'b'.repeat(10_000))
        assert.is(status, 200)
        for (const { socket } of connections) socket.destroy()
      },
      { 'fw.http.limits.max-buffered-size': 7_000_000 },
    ),
  )

  test('are cut after the write timeout, although they open the window by single bytes', () =>
    withSession(
      api,
      async (_, { url, bufferedBytes }) => {
        const connection = await connectFrames(url, noWindow)
        connection.write(requestFrame(1, '/large'))
        const timer = setInterval(
          () => connection.write(frame(frameType.windowUpdate, 0, 1, uint32(1))),
          100,
        )
        await connection.find(isReset(1, errorCode.cancel))
        clearInterval(timer)
        connection.write(frame(frameType.ping, 0, 0, Buffer.alloc(8)))
        await connection.find(({ type, flags }) => type === frameType.ping && flags === flag.ack)
        assert.is(bufferedBytes, 0)
        connection.socket.destroy()
      },
      { 'fw.http.write-timeout': 500 },
    ))

  test('are disconnected if many of their streams are cut', () =>
    withSession(
      api,
      async (_, { url }) => {
        const connection = await connectFrames(url, noWindow)
        for (let id = 1; id < 64; id += 2) connection.write(requestFrame(id, '/large'))
        await connection.find(isGoaway(errorCode.enhanceYourCalm))
        await connection.closed
      },
      {
        'fw.http.write-timeout': 500,
        'fw.http.limits.rst-flood-max-rst-frame-per-window': 20,
      },
    ))
})
