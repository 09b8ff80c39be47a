/** Helpers for tests that send invalid frames on a stream while another request of the connection is in progress. */
import { EventEmitter, once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { body, get, handle, path, produces, put, routes, text } from '../../../src/index.ts'
import { withSession } from './client.ts'
import type { Frame, FrameConnection } from './frames.ts'
import {
  connectFrames,
  flag,
  frame,
  frameType,
  headerBlock,
  isReset,
  pseudoHeaders,
  requestFrame,
} from './frames.ts'

/** A promise that handlers await, and a function that resolves it. */
export const createGate = () => {
  const events = new EventEmitter()
  return { opened: once(events, 'open'), open: () => events.emit('open') }
}

export const gates = { current: createGate() }
export const written = new Array<string>()

export const api = routes({
  item: pipe(
    path('/item'),
    put(),
    body(text),
    produces(text),
    handle(({ body: sent }) => {
      written.push(sent)
      return sent
    }),
  ),
  gated: pipe(
    path('/gated'),
    get(),
    produces(text),
    handle(async () => {
      await gates.current.opened
      return 'done'
    }),
  ),
})

export type Fields = ReadonlyArray<readonly [name: string, value: string]>

export const put1 = pseudoHeaders('PUT', '/item')
export const end = frame(frameType.data, flag.endStream, 3, Buffer.from('a'))
export const isEnd =
  (id: number) =>
  ({ type, stream, flags }: Frame): boolean =>
    type === frameType.data && stream === id && (flags & flag.endStream) !== 0

/** A request of stream 3 with a complete header section. Its body follows. */
export const section = (fields: Fields): Buffer =>
  frame(frameType.headers, flag.endHeaders, 3, headerBlock(fields))

/** Sends frames while a request is in progress, runs a check, and asserts that the connection and the request are unaffected. */
export const assertStreamError = (frames: ReadonlyArray<Buffer>, code: number): Promise<void> =>
  withSession(api, async (_, { url }) => {
    gates.current = createGate()
    written.length = 0
    const connection = await connectAcknowledged(url)
    connection.write(requestFrame(1, '/gated'))
    connection.write(...frames)
    await connection.find(isReset(3, code))
    connection.write(
      section(put1).fill(5, 8, 9),
      frame(frameType.data, flag.endStream, 5, Buffer.from('b')),
    )
    await connection.find(isEnd(5))
    gates.current.open()
    await connection.find(isEnd(1))
    assert.equal(written, ['b'])
    connection.socket.destroy()
  })

/** Connects and acknowledges all SETTINGS frames of the server, like any client. */
export const connectAcknowledged = async (url: string): Promise<FrameConnection> => {
  const connection = await connectFrames(url)
  await connection.find(({ type, payload }) => type === frameType.settings && payload[1] === 3)
  connection.write(...Array.from({ length: 2 }, () => frame(frameType.settings, flag.ack)))
  return connection
}
