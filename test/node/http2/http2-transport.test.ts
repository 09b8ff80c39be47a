/** Long header sections, connection errors and rejected streams, with the frames that the server sends for them. */
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { withSession } from './client.ts'
import {
  errorCode,
  flag,
  frame,
  frameType,
  headerBlock,
  isGoaway,
  isReset,
  requestFrame,
  uint32,
} from './frames.ts'
import type { Fields } from './stream-errors.ts'
import {
  api,
  assertStreamError,
  connectAcknowledged,
  createGate,
  end,
  gates,
  isEnd,
  put1,
  section,
} from './stream-errors.ts'

/** A header section of stream 3 in as many frames as it requires. */
const longSection = (fields: Fields): ReadonlyArray<Buffer> => {
  const block = headerBlock(fields)
  const count = Math.ceil(block.length / 16_384)
  return Array.from({ length: count }, (_, index) =>
    frame(
      index === 0 ? frameType.headers : frameType.continuation,
      (index === 0 ? flag.endStream : 0) | (index === count - 1 ? flag.endHeaders : 0),
      3,
      block.subarray(index * 16_384, (index + 1) * 16_384),
    ),
  )
}

describe('long HTTP/2 header sections reset the stream', (test) => {
  table(
    test,
    [
      ['one value of 70 KB', [['x-a', 'a'.repeat(70_000)]]],
      ['one value of 130 KB', [['x-a', 'a'.repeat(130_000)]]],
      ['one name of 70 KB', [['a'.repeat(70_000), 'a']]],
      ['ten values of 10 KB', Array.from({ length: 10 }, (_, i) => [`x-${i}`, 'a'.repeat(10_000)])],
      ['1,000 headers', Array.from({ length: 1000 }, (_, i) => [`x-${i}`, 'a'])],
    ] satisfies ReadonlyArray<readonly [string, Fields]>,
    (_, added) => assertStreamError(longSection([...put1, ...added]), errorCode.enhanceYourCalm),
  )
})

describe('HTTP/2 connection errors close the connection', (test) => {
  const errors: Readonly<
    Record<string, readonly [code: number, ...frames: ReadonlyArray<Buffer>]>
  > = {
    'DATA behind END_STREAM': [5, frame(frameType.data, flag.endStream, 1, Buffer.from('a'))],
    'HEADERS behind END_STREAM': [5, requestFrame(1, '/gated')],
    'CONTINUATION without HEADERS': [1, frame(frameType.continuation, flag.endHeaders, 1)],
    'a stream of the server': [1, requestFrame(2, '/gated')],
    'DATA of an idle stream': [1, frame(frameType.data, 0, 9, Buffer.from('a'))],
    'RST_STREAM of an idle stream': [1, frame(frameType.rstStream, 0, 9, uint32(8))],
    PUSH_PROMISE: [1, frame(5, flag.endHeaders, 1, Buffer.alloc(8))],
    'SETTINGS of five bytes': [6, frame(frameType.settings, 0, 0, Buffer.alloc(5))],
    'SETTINGS with ACK and a payload': [6, frame(frameType.settings, flag.ack, 0, Buffer.alloc(6))],
    'PING of five bytes': [6, frame(frameType.ping, 0, 0, Buffer.alloc(5))],
    'WINDOW_UPDATE by zero': [1, frame(frameType.windowUpdate, 0, 0, uint32(0))],
    'a window that is too large': [3, frame(frameType.windowUpdate, 0, 0, uint32(2 ** 31 - 1))],
    'padding that is longer than its frame': [
      1,
      requestFrame(3, '/item', { method: 'PUT', hasBody: true }),
      frame(frameType.data, 8, 3, Buffer.from([9, 1, 1])),
    ],
    'invalid HPACK': [9, frame(frameType.headers, 5, 3, Buffer.alloc(6, 0xff))],
  }
  table(test, Object.entries(errors), (_, [code, ...frames]) =>
    withSession(api, async (__, { url }) => {
      gates.current = createGate()
      const connection = await connectAcknowledged(url)
      connection.write(requestFrame(1, '/gated'))
      const started = performance.now()
      connection.write(...frames)
      await connection.closed
      assert.ok(connection.frames.some(isGoaway(code)))
      assert.ok(performance.now() - started < 3000)
      gates.current.open()
    }),
  )
})

describe('an unsolicited PING with ACK', (test) => {
  test('is ignored', () =>
    withSession(api, async (_, { url }) => {
      const connection = await connectAcknowledged(url)
      connection.write(frame(frameType.ping, flag.ack, 0, Buffer.alloc(8)), section(put1), end)
      await connection.find(isEnd(3))
      connection.socket.destroy()
    }))
})

describe('HTTP/2 streams above the limit', (test) => {
  test('are rejected, and 127 requests in progress are completed', () =>
    withSession(
      api,
      async (_, { url }) => {
        gates.current = createGate()
        const connection = await connectAcknowledged(url)
        const ids = Array.from({ length: 1327 }, (__, index) => 2 * index + 1)
        const [first, others] = [ids.slice(0, 127), ids.slice(127)]
        connection.write(...first.map((id) => requestFrame(id, '/gated')))
        connection.write(...others.map((id) => requestFrame(id, '/gated')))
        await connection.find(isReset(ids.at(-1) ?? 0, errorCode.streamRejected))
        gates.current.open()
        for (const id of first) await connection.find(isEnd(id))
        const rejected = connection.frames.filter(({ type }) => type === frameType.rstStream)
        assert.is(rejected.length, 1199)
        connection.socket.destroy()
      },
      { 'fw.http.limits.max-concurrent-streams': 128 },
    ))

  test('close the connection if thousands arrive without an accepted one', () =>
    withSession(
      api,
      async (_, { url }) => {
        gates.current = createGate()
        const connection = await connectAcknowledged(url)
        for (let id = 1; id < 20_000 && !connection.isClosed(); id += 2)
          connection.write(requestFrame(id, '/gated'))
        await connection.find(isGoaway(errorCode.enhanceYourCalm))
        await connection.closed
        gates.current.open()
      },
      { 'fw.http.limits.max-concurrent-streams': 2 },
    ))
})
