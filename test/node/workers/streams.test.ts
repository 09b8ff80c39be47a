/** Streams of blocking operations, produced by a worker while the main thread sends them. */
import * as assert from 'uvu/assert'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { accepted } from '../../support/accepted-connections.ts'
import { codings, decoded } from '../../support/decoding.ts'
import { describe } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { to } from '../../support/raw.ts'
import { api, streamingModule } from '../../support/streaming-api.ts'
import { listening } from '../../support/streams.ts'
import { ask, kept, options, until } from '../../support/workers.ts'

const starting = (settings: ServeOptions): Promise<Server> =>
  serve(api, { ...options, module: streamingModule, ...settings })

const serving = async <A>(
  settings: ServeOptions,
  use: (server: Server) => Promise<A>,
): Promise<A> => {
  const server = await starting(settings)
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

interface Seen {
  readonly asked: number
  readonly ended: number
  readonly aborted: number
}

/** There is one worker, which answers when it is free. */
const seenBy = async (server: Server): Promise<Seen> =>
  JSON.parse((await ask(server, '/seen'))[1]) as Seen

/** What it has seen since. */
const since = (earlier: Seen, { asked, ended, aborted }: Seen): Seen => ({
  asked: asked - earlier.asked,
  ended: ended - earlier.ended,
  aborted: aborted - earlier.aborted,
})

const broken = async ({ url }: Server, target: string): Promise<readonly [number, boolean]> => {
  const response = await fetch(`${url}${target}`)
  const error = await response.text().catch((reason: unknown) => reason)
  return [response.status, error instanceof Error]
}

describe('A stream of a blocking operation', (test, { before, after }) => {
  /** One worker that remembers what it has seen, for whatever needs no settings of its own. */
  let shared: Server
  before(async () => {
    shared = await starting({})
  })
  after(() => shared.close())
  test('is produced by a worker chunk by chunk', async () => {
    assert.equal(await ask(shared, '/where'), [200, 'worker €'])
    const response = await fetch(`${shared.url}/numbers/20000`)
    assert.equal([response.status, response.headers.get('foo')], [222, 'bar'])
    assert.equal(
      await response.json(),
      Array.from({ length: 20_000 }, (_, index) => index),
    )
    assert.equal(await ask(shared, '/numbers/0'), [222, '[]'])
    const octets = await (await fetch(`${shared.url}/octets`)).arrayBuffer()
    assert.equal(
      new Uint8Array(octets),
      Uint8Array.from({ length: 300_000 }, (_, index) => index % 251),
    )
  })
  test('is not produced for HEAD, and the worker is free again', async () => {
    const earlier = await seenBy(shared)
    const response = await fetch(`${shared.url}/endless/timer`, { method: 'HEAD' })
    assert.is(response.status, 200)
    assert.equal(await seenBy(shared), earlier)
  })
  test('that fails before its first byte results in an error response', async () => {
    assert.is((await ask(shared, '/refused'))[0], 409)
    assert.equal(await ask(shared, '/alive'), [200, 'alive'])
  })
  for (const how of ['throw', 'exit', 'loop'])
    test(`that fails is cut, and other requests are served: ${how}`, () =>
      serving({ 'fw.worker.timeout': 1000, logger: kept().logger }, async (server) => {
        assert.equal(await broken(server, `/dying/${how}`), [200, true])
        assert.equal(await ask(server, '/alive'), [200, 'alive'])
      }))
  test('that fails is logged once', async () => {
    const { lines, logger } = kept()
    await serving({ logger }, async (server) => {
      assert.equal(await broken(server, '/dying/throw'), [200, true])
      await until(() => lines.some((line) => line.startsWith('error')))
      assert.equal(
        lines
          .filter((line) => line.startsWith('error'))
          .map((line) => line.includes('was interrupted')),
        [true],
      )
    })
  })
  for (const target of ['/endless/async', '/events/async', '/lines/async'])
    test(`is not produced while the client does not read: ${target}`, async () => {
      const earlier = await seenBy(shared)
      const { sockets, stop } = accepted()
      const connection = await connectTo(shared.url)
      connection.socket.removeAllListeners('data').pause()
      connection.write(to(`GET ${target}`))
      // until nothing more leaves
      let quiet = 0
      let earlierOctets = 0
      await until(() => {
        const octets = sockets[0]?.bytesWritten ?? 0
        quiet = octets > 0 && octets === earlierOctets ? quiet + 1 : 0
        earlierOctets = octets
        return quiet === 12
      })
      stop()
      // the worker is busy with it, and free when the client has gone
      const later = seenBy(shared)
      connection.leave()
      const then = await later
      const { asked, ended, aborted } = since(earlier, then)
      assert.ok(asked > 0 && asked < 16 * 1024, `${asked} elements`)
      assert.equal([ended, aborted], [1, 1])
      assert.is((await seenBy(shared)).asked, then.asked)
    })
  for (const target of [
    ...['signal', 'timer', 'computing'].map((how) => `/endless/${how}`),
    '/events/signal',
    '/events/timer',
    '/lines/signal',
    '/lines/timer',
  ])
    test(`is closed when its client disconnects: ${target}`, async () => {
      const earlier = await seenBy(shared)
      for (let round = 1; round <= 3; round++) {
        const connection = await connectTo(shared.url)
        connection.write(to(`GET ${target}`))
        await connection.stirred()
        connection.leave()
        await until(async () => since(earlier, await seenBy(shared)).ended === round)
        assert.is(since(earlier, await seenBy(shared)).aborted, round)
      }
    })
  for (const [target, expected] of [
    ['/events/signal', `data: ${'x'.repeat(1000)}\n\n`],
    ['/lines/signal', `"${'x'.repeat(1000)}"\n`],
  ] as const)
    test(`can be read element by element: ${target}`, () =>
      serving({ 'fw.rest.sse.heartbeat': 0 }, async (server) => {
        const reader = (await fetch(`${server.url}${target}`)).body?.getReader()
        let text = ''
        while (text.length < expected.length)
          text += Buffer.from((await reader?.read())?.value ?? []).toString()
        assert.is(text, expected)
        await reader?.cancel()
        await until(async () => (await seenBy(server)).ended === 1)
      }))
  test('of events can be read event by event when it is compressed', () =>
    serving(
      {
        'fw.http.enable-compression': true,
        'fw.http.compress-media-types': 'text/event-stream, application/x-ndjson',
        'fw.rest.sse.heartbeat': 0,
      },
      async (server) => {
        for (const coding of codings) {
          const headers = { 'Accept-Encoding': coding }
          const asked = new Request(`http://a/events/signal`, { headers })
          const reading = decoded(await send(server.url, asked))
          await reading.until(`data: ${'x'.repeat(1000)}\n\n`)
          await reading.cancel()
        }
      },
    ))
  test('of events has heartbeats, and may be quiet for longer than fw.worker.timeout', () =>
    serving({ 'fw.worker.timeout': 700, 'fw.rest.sse.heartbeat': 100 }, async (server) => {
      const connection = await connectTo(server.url)
      const heard = listening(connection)
      connection.write(to('GET /events/signal'))
      await until(() => (heard.text.match(/^:$/gm)?.length ?? 0) > 12)
      assert.is(heard.isClosed, false)
      connection.leave()
      await until(async () => (await seenBy(server)).ended === 1)
    }))
  test('is closed when its client disconnects before the head', async () => {
    const earlier = await seenBy(shared)
    const first = await connectTo(shared.url)
    first.write(to('GET /endless/timer'))
    await first.stirred()
    const second = await connectTo(shared.url)
    second.write(to('GET /endless/timer'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    second.leave()
    first.leave()
    assert.equal(await ask(shared, '/alive'), [200, 'alive'])
    await until(async () => since(earlier, await seenBy(shared)).ended === 1)
  })
  test('may take longer than fw.worker.timeout if no chunk does', () =>
    serving({ 'fw.worker.timeout': 700 }, async (server) => {
      const connection = await connectTo(server.url)
      connection.socket.removeAllListeners('data')
      let isClosed = false
      connection.socket.on('close', () => (isClosed = true))
      connection.write(to('GET /endless/timer'))
      await new Promise((resolve) => setTimeout(resolve, 1500))
      assert.is(isClosed, false)
      connection.leave()
      await until(async () => (await seenBy(server)).ended === 1)
    }))
  test('is cut if a chunk times out, and its worker is replaced', async () => {
    const { lines, logger } = kept()
    await serving({ 'fw.worker.timeout': 700, logger }, async (server) => {
      assert.equal(await broken(server, '/endless/signal'), [200, true])
      assert.equal(await ask(server, '/alive'), [200, 'alive'])
      assert.ok(lines.some((line) => line.includes('replacing its worker')))
    })
  })
  test('is correct for each of many concurrent clients', () =>
    serving({ 'fw.worker.threads': 3, 'fw.worker.queue': 100 }, async (server) => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => ask(server, `/numbers/${index * 100}`)),
      )
      answers.forEach(([status, content], index) =>
        assert.equal(
          [status, content],
          [222, JSON.stringify(Array.from({ length: index * 100 }, (__, number) => number))],
        ),
      )
    }))
})
