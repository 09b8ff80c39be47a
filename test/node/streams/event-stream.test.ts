/** Tests of event streams over a connection: bytes, timing, and cleanup after disconnects and shutdown. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import type { Broadcaster } from '../../../src/index.ts'
import {
  broadcaster,
  event,
  get,
  handle,
  path,
  produces,
  routes,
  sse,
  string,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server, ServeOptions } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { EventSource } from '../../support/event-source.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** Emits `continue` to the handlers that wait for it. */
const handlers = new EventEmitter()

const withFeed = async (
  feed: Broadcaster<string>,
  use: (server: Server) => Promise<void>,
  options: ServeOptions = {},
): Promise<void> => {
  const api = routes({
    feed: pipe(
      path('/feed'),
      get(),
      produces(sse(string)),
      handle((_, context) => feed.subscribe(context)),
    ),
    two: pipe(
      path('/two'),
      get(),
      produces(sse(string)),
      handle(async function* () {
        yield 'first'
        await once(handlers, 'continue')
        yield event('n', 'sec\nond', { id: '2' })
      }),
    ),
    silence: pipe(
      path('/silence'),
      get(),
      produces(sse(string)),
      handle(async function* () {
        await once(handlers, 'continue')
        yield 'late'
      }),
    ),
    broken: pipe(
      path('/broken'),
      get(),
      produces(sse(string)),
      handle(async function* () {
        yield 'first'
        await turns()
        throw new Error('secret')
      }),
    ),
  })
  const server = await serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    // on a loaded machine, connections would be rejected
    'fw.http.overload.enabled': false,
    ...options,
  })
  try {
    await use(server)
  } finally {
    feed.close()
    await server.close()
  }
}

interface Arrival {
  readonly text: string
  /** Milliseconds since the request was sent. */
  readonly at: number
}

interface Client {
  readonly socket: Socket
  readonly arrivals: ReadonlyArray<Arrival>
  readonly received: () => string
  readonly closed: Promise<unknown>
}

const open = async ({ url }: Server, target: string): Promise<Client> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const start = performance.now()
  const arrivals: Arrival[] = []
  socket.on('data', (chunk) =>
    arrivals.push({ text: chunk.toString('latin1'), at: performance.now() - start }),
  )
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
  return { socket, arrivals, received: () => arrivals.map(({ text }) => text).join(''), closed }
}

const headOf = (received: string): string => received.slice(0, received.indexOf('\r\n\r\n'))
const bodyOf = (received: string): string => received.slice(headOf(received).length + 4)

/** Decodes the chunks of a body. Returns them, and whether the last chunk was received. */
const chunksOf = (body: string): readonly [chunks: ReadonlyArray<string>, ended: boolean] => {
  const chunks: string[] = []
  for (let rest = body; rest !== '';) {
    const [, digits = ''] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? []
    const from = digits.length + 2
    const length = parseInt(digits, 16)
    if (length === 0) return [chunks, rest === '0\r\n\r\n']
    assert.is(rest.slice(from + length, from + length + 2), '\r\n')
    chunks.push(rest.slice(from, from + length))
    rest = rest.slice(from + length + 2)
  }
  return [chunks, false]
}

describe('an event stream on a connection', (test) => {
  test('has the expected bytes', () =>
    withFeed(broadcaster(string), async (server) => {
      const { socket, received } = await open(server, '/two')
      // an element is sent without waiting for the next
      await waitUntil(() => received().includes('first'))
      handlers.emit('continue')
      await waitUntil(() => received().endsWith('0\r\n\r\n'))
      const head = headOf(received())
      assert.match(
        head,
        /^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n/,
      )
      assert.match(head, /\r\nTransfer-Encoding: chunked/)
      assert.not(/content-length/i.test(head))
      assert.equal(chunksOf(bodyOf(received())), [
        ['data: first\n\n', 'id: 2\nevent: n\ndata: sec\ndata: ond\n\n'],
        true,
      ])
      socket.destroy()
    }))
  test('sends its head before its first element', () =>
    withFeed(broadcaster(string), async (server) => {
      const { socket, arrivals, received } = await open(server, '/silence')
      await waitUntil(() => arrivals.length > 0)
      assert.is(bodyOf(received()), '')
      handlers.emit('continue')
      await waitUntil(() => received().includes('late'))
      socket.destroy()
    }))
  test('sends a comment in every interval, and never within a message', () =>
    withFeed(
      broadcaster(string),
      async (server) => {
        const { socket, arrivals, received } = await open(server, '/silence')
        await waitUntil(() => received().split(':\n\n').length > 3)
        handlers.emit('continue')
        await waitUntil(() => received().endsWith('0\r\n\r\n'))
        const [chunks, ended] = chunksOf(bodyOf(received()))
        assert.ok(ended)
        assert.is(chunks.at(-1), 'data: late\n\n')
        const comments = chunks.slice(0, -1)
        assert.ok(comments.every((chunk) => chunk === ':\n\n'))
        const maximum = (arrivals.at(-1)?.at ?? 0) / 50
        assert.ok(comments.length >= 3 && comments.length <= maximum, `${comments.length} comments`)
        assert.equal(new EventSource().take(chunks.join('')).events.length, 1)
        socket.destroy()
      },
      { 'fw.rest.sse.heartbeat': 50 },
    ))
  test('sends no last chunk if it fails', () =>
    withFeed(broadcaster(string), async (server) => {
      const { closed, received } = await open(server, '/broken')
      await closed
      assert.equal(chunksOf(bodyOf(received())), [['data: first\n\n'], false])
      assert.not(received().includes('secret'))
    }))
})

/** Creates a codec that counts calls of `encode`. */
const counting = () => {
  let written = 0
  const codec = new t.Type<string>('counted', t.string.is, t.string.validate, (value) => {
    written++
    return value
  })
  return { codec, written: () => written }
}

describe('a broadcaster of a server', (test) => {
  const clientCount = 1000
  const concurrency = 250
  test(`no subscriber remains of ${clientCount} disconnected clients`, () => {
    const feed = broadcaster(string, { replay: 10 })
    return withFeed(feed, async (server) => {
      for (let sent = 0; sent < clientCount; sent += concurrency) {
        const clients = await Promise.all(
          Array.from({ length: concurrency }, () => open(server, '/feed')),
        )
        await waitUntil(() => feed.subscribers === concurrency)
        await feed.publish('all')
        await waitUntil(() => clients.every(({ received }) => received().includes('data: all\n\n')))
        for (const { socket } of clients) socket.destroy()
        await waitUntil(() => feed.subscribers === 0)
      }
      await feed.publish('no subscriber')
    })
  })
  test('serializes an element once for all subscribers', () => {
    const [counted, other] = [counting(), counting()]
    const feed = broadcaster(counted.codec)
    const listen = (where: string, { codec }: ReturnType<typeof counting>) =>
      pipe(
        path(where),
        get(),
        produces(sse(codec)),
        handle((_, context) => feed.subscribe(context)),
      )
    // each codec encodes an element once for all of its subscribers
    const api = routes({ feed: listen('/feed', counted), other: listen('/other', other) })
    return (async () => {
      const server = await serve(api, {
        logger: silentLogger,
        'fw.http.port': 0,
        'fw.shutdown.grace': 0,
        'fw.http.overload.enabled': false,
      })
      try {
        const clients = await Promise.all(
          Array.from({ length: concurrency }, (_, index) =>
            open(server, index < 5 ? '/other' : '/feed'),
          ),
        )
        await waitUntil(() => feed.subscribers === concurrency)
        // opaque codecs are also called when the tree is compiled
        const [countedBefore, otherBefore] = [counted.written(), other.written()]
        await feed.publish('a')
        await feed.publish(event('n', 'b'))
        await waitUntil(() => clients.every(({ received }) => received().includes('data: b\n\n')))
        assert.equal([counted.written() - countedBefore, other.written() - otherBefore], [2, 2])
        for (const { socket } of clients) socket.destroy()
      } finally {
        await server.close()
      }
    })()
  })
  test('ends when the server shuts down', () => {
    const feed = broadcaster(string)
    return withFeed(
      feed,
      async (server) => {
        const clients = await Promise.all(Array.from({ length: 20 }, () => open(server, '/feed')))
        await waitUntil(() => feed.subscribers === 20)
        await feed.publish('a')
        const start = performance.now()
        await server.close()
        assert.ok(performance.now() - start < 8000)
        await Promise.all(clients.map(({ closed }) => closed))
        for (const { received } of clients)
          assert.equal(chunksOf(bodyOf(received())), [['data: a\n\n'], true])
        // the broadcaster stays usable, because it belongs to the program
        await feed.publish('b')
      },
      { 'fw.shutdown.timeout': 10_000 },
    )
  })
  test('does not wait for a client that does not read', () => {
    // the queue holds all events of a round, so that the reading client never overflows it
    const feed = broadcaster(string, { queue: 50 })
    return withFeed(feed, async (server) => {
      const slow = await open(server, '/feed')
      slow.socket.pause()
      const quick = await open(server, '/feed')
      await waitUntil(() => feed.subscribers === 2)
      const large = 'x'.repeat(64 * 1024)
      const receivedLength = (): number =>
        quick.arrivals.reduce((sum, { text }) => sum + text.length, 0)
      for (let published = 0; feed.subscribers === 2;) {
        assert.ok(published < 10_000, 'the slow client is still subscribed')
        for (const end = published + 20; published < end; published++) await feed.publish(large)
        const expected = published * large.length
        await waitUntil(() => receivedLength() > expected)
      }
      assert.is(feed.subscribers, 1)
      slow.socket.destroy()
      quick.socket.destroy()
    })
  })
})
