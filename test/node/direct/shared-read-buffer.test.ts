/** Tests that connections which read into one buffer do not mix their bytes. */
import { createHash, randomBytes } from 'node:crypto'
import { Socket, connect, createServer } from 'node:net'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  handle,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { createSharedReadBuffer } from '../../../src/node/internals.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { withServer } from '../../support/while-listening.ts'
import { waitUntil } from '../../support/wait-until.ts'

const hashOf = (value: Uint8Array | string): string =>
  createHash('sha256').update(value).digest('hex')

const api = routes({
  whole: pipe(
    path('/whole'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => hashOf(input.body)),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      const hash = createHash('sha256')
      // all chunks are kept until the end of the body
      const chunks: Uint8Array[] = []
      for await (const chunk of input.body) chunks.push(chunk)
      for (const chunk of chunks) hash.update(chunk)
      return hash.digest('hex')
    }),
  ),
})

/** Writes text in parts of `size` characters, one in each turn of the event loop. */
const writeInParts = async (socket: Socket, message: string, size: number): Promise<void> => {
  for (let at = 0; at < message.length; at += size) {
    socket.write(message.slice(at, at + size), 'latin1')
    await turn()
  }
}

describe('direct connections that receive bodies at the same time', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serveLocally(api, { 'fw.http.connection': 'direct' })
  })
  after(() => server.close())

  table<readonly [title: string, target: string, size: number, part: number, isChunked: boolean]>(
    test,
    [
      ['small bodies', '/whole', 200, 30, false],
      ['large bodies', '/whole', 300_000, 20_000, false],
      ['small chunks', '/whole', 5000, 700, true],
      ['streams of small bodies', '/stream', 200, 30, false],
      ['streams of large bodies', '/stream', 300_000, 20_000, false],
      ['streams of small chunks', '/stream', 50_000, 7000, true],
    ],
    async (_, target, size, part, isChunked) => {
      const send = async (): Promise<void> => {
        const content = randomBytes(size).toString('latin1')
        const parts = isChunked ? (content.match(/[^]{1,100}/g) ?? []) : []
        const chunks = parts.map((data) => `${data.length.toString(16)}\r\n${data}\r\n`)
        const message = isChunked
          ? `${rawRequest(`POST ${target}`, 'Transfer-Encoding: chunked')}${chunks.join('')}0\r\n\r\n`
          : rawRequest(`POST ${target}`, `Content-Length: ${size}`) + content
        const connection = await connectTo(server.url)
        await writeInParts(connection.socket, message, part)
        assertResponse(await connection.next(), [200, hashOf(Buffer.from(content, 'latin1'))])
        connection.destroy()
      }
      await Promise.all(Array.from({ length: 8 }, send))
    },
  )
})

describe('createSharedReadBuffer', (test) => {
  test('accepted sockets read into one buffer, and can be paused', async () => {
    const readShared = createSharedReadBuffer()
    const accepted: Socket[] = []
    const received: string[] = []
    const buffers = new Set<ArrayBufferLike>()
    const listener = createServer((socket) => {
      accepted.push(socket)
      const isSupported = readShared(socket, (chunk) => {
        buffers.add(chunk.buffer)
        received.push(chunk.toString('latin1'))
      })
      assert.ok(isSupported)
    })
    await withServer(listener, async ({ port }) => {
      const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
      for (const [index, client] of clients.entries()) client.write(`from ${index}`)
      await waitUntil(() => received.length === 2)
      assert.equal(received.toSorted(), ['from 0', 'from 1'])
      assert.is(buffers.size, 1)
      for (const socket of accepted) socket.pause()
      for (const client of clients) client.write('later')
      for (let count = 0; count < 20; count++) await turn()
      assert.is(received.length, 2)
      for (const socket of accepted) socket.resume()
      await waitUntil(() => received.length === 4)
      const ends = accepted.map((socket) => once(socket, 'end'))
      for (const client of clients) client.end()
      await Promise.all(ends)
    })
  })

  test('a socket without a handle is not changed', () => {
    const socket = new Socket()
    assert.not.ok(createSharedReadBuffer()(socket, () => undefined))
    socket.destroy()
  })
})
