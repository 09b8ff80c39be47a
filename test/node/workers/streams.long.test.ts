/** Tests of streams of blocking operations, which a worker produces while the main thread sends them. */
import * as assert from 'uvu/assert'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { recordConnections } from '../accepted-connections.ts'
import { contentCodings, decompress } from '../../support/decompress.ts'
import { describe } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { api, streamingModule } from '../../programs/streaming-api.ts'
import { collectBytes } from '../streams.ts'
import { fetchText, recordLog, options } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

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

interface Counters {
  readonly pulled: number
  readonly ended: number
  readonly aborted: number
}

/** Reads the counters of the only worker, as soon as it is free. */
const readCounters = async (server: Server): Promise<Counters> =>
  JSON.parse((await fetchText(server, '/counters'))[1]) as Counters

/** The difference of two readings. */
const since = (earlier: Counters, { pulled, ended, aborted }: Counters): Counters => ({
  pulled: pulled - earlier.pulled,
  ended: ended - earlier.ended,
  aborted: aborted - earlier.aborted,
})

const fetchInterrupted = async (
  { url }: Server,
  target: string,
): Promise<readonly [number, boolean]> => {
  const response = await fetch(`${url}${target}`)
  const error = await response.text().catch((reason: unknown) => reason)
  return [response.status, error instanceof Error]
}

describe('a stream of a blocking operation', (test, { before, after }) => {
  /** A server with default settings. */
  let shared: Server
  before(async () => {
    shared = await starting({})
  })
  after(() => shared.close())
  test('is produced by a worker chunk by chunk', async () => {
    assert.equal(await fetchText(shared, '/where'), [200, 'worker €'])
    const response = await fetch(`${shared.url}/numbers/20000`)
    assert.equal([response.status, response.headers.get('foo')], [222, 'bar'])
    assert.equal(
      await response.json(),
      Array.from({ length: 20_000 }, (_, index) => index),
    )
    assert.equal(await fetchText(shared, '/numbers/0'), [222, '[]'])
    const body = await (await fetch(`${shared.url}/bytes`)).arrayBuffer()
    assert.equal(
      new Uint8Array(body),
      Uint8Array.from({ length: 300_000 }, (_, index) => index % 251),
    )
  })
  test('is not produced for HEAD, and the worker is free again', async () => {
    const earlier = await readCounters(shared)
    const response = await fetch(`${shared.url}/endless/timer`, { method: 'HEAD' })
    assert.is(response.status, 200)
    assert.equal(await readCounters(shared), earlier)
  })
  test('that fails before its first byte results in an error response', async () => {
    assert.is((await fetchText(shared, '/rejected'))[0], 409)
    assert.equal(await fetchText(shared, '/alive'), [200, 'alive'])
  })
  for (const how of ['throw', 'exit', 'loop'])
    test(`that fails is interrupted, and other requests are served: ${how}`, () =>
      serving({ 'fw.worker.timeout': 1000, logger: recordLog().logger }, async (server) => {
        assert.equal(await fetchInterrupted(server, `/dying/${how}`), [200, true])
        assert.equal(await fetchText(server, '/alive'), [200, 'alive'])
      }))
  test('that fails is logged once', async () => {
    const { lines, logger } = recordLog()
    await serving({ logger }, async (server) => {
      assert.equal(await fetchInterrupted(server, '/dying/throw'), [200, true])
      await waitUntil(() => lines.some((line) => line.startsWith('error')))
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
      const earlier = await readCounters(shared)
      const { sockets, stop } = recordConnections()
      const connection = await connectTo(shared.url)
      connection.socket.removeAllListeners('data').pause()
      connection.write(rawRequest(`GET ${target}`))
      // until the server sends no more
      let unchanged = 0
      let previousBytes = 0
      await waitUntil(() => {
        const bytes = sockets[0]?.bytesWritten ?? 0
        unchanged = bytes > 0 && bytes === previousBytes ? unchanged + 1 : 0
        previousBytes = bytes
        return unchanged === 12
      })
      stop()
      // the worker responds after the disconnect, which ends the stream
      const later = readCounters(shared)
      connection.destroy()
      const then = await later
      const { pulled, ended, aborted } = since(earlier, then)
      assert.ok(pulled > 0 && pulled < 16 * 1024, `${pulled} elements`)
      assert.equal([ended, aborted], [1, 1])
      assert.is((await readCounters(shared)).pulled, then.pulled)
    })
  for (const target of [
    ...['signal', 'timer', 'computing'].map((how) => `/endless/${how}`),
    '/events/signal',
    '/events/timer',
    '/lines/signal',
    '/lines/timer',
  ])
    test(`is closed when its client disconnects: ${target}`, async () => {
      const earlier = await readCounters(shared)
      for (let round = 1; round <= 3; round++) {
        const connection = await connectTo(shared.url)
        connection.write(rawRequest(`GET ${target}`))
        await connection.readable()
        connection.destroy()
        await waitUntil(async () => since(earlier, await readCounters(shared)).ended === round)
        assert.is(since(earlier, await readCounters(shared)).aborted, round)
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
        await waitUntil(async () => (await readCounters(server)).ended === 1)
      }))
  test('of events can be read event by event when it is compressed', () =>
    serving(
      {
        'fw.http.enable-compression': true,
        'fw.http.compress-media-types': 'text/event-stream, application/x-ndjson',
        'fw.rest.sse.heartbeat': 0,
      },
      async (server) => {
        for (const coding of contentCodings) {
          const headers = { 'Accept-Encoding': coding }
          const request = new Request(`http://a/events/signal`, { headers })
          const reading = decompress(await send(server.url, request))
          await reading.until(`data: ${'x'.repeat(1000)}\n\n`)
          await reading.cancel()
        }
      },
    ))
  test('of events has heartbeats, and may be idle for longer than fw.worker.timeout', () =>
    serving({ 'fw.worker.timeout': 700, 'fw.rest.sse.heartbeat': 100 }, async (server) => {
      const connection = await connectTo(server.url)
      const received = collectBytes(connection)
      connection.write(rawRequest('GET /events/signal'))
      await waitUntil(() => (received.text.match(/^:$/gm)?.length ?? 0) > 12)
      assert.is(received.isClosed, false)
      connection.destroy()
      await waitUntil(async () => (await readCounters(server)).ended === 1)
    }))
  test('is closed when its client disconnects before the head', async () => {
    const earlier = await readCounters(shared)
    const first = await connectTo(shared.url)
    first.write(rawRequest('GET /endless/timer'))
    await first.readable()
    const second = await connectTo(shared.url)
    second.write(rawRequest('GET /endless/timer'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    second.destroy()
    first.destroy()
    assert.equal(await fetchText(shared, '/alive'), [200, 'alive'])
    await waitUntil(async () => since(earlier, await readCounters(shared)).ended === 1)
  })
  test('may take longer than fw.worker.timeout if no chunk does', () =>
    serving({ 'fw.worker.timeout': 700 }, async (server) => {
      const connection = await connectTo(server.url)
      connection.socket.removeAllListeners('data')
      let isClosed = false
      connection.socket.on('close', () => (isClosed = true))
      connection.write(rawRequest('GET /endless/timer'))
      await new Promise((resolve) => setTimeout(resolve, 1500))
      assert.is(isClosed, false)
      connection.destroy()
      await waitUntil(async () => (await readCounters(server)).ended === 1)
    }))
  test('is interrupted if a chunk times out, and its worker is replaced', async () => {
    const { lines, logger } = recordLog()
    await serving({ 'fw.worker.timeout': 700, logger }, async (server) => {
      assert.equal(await fetchInterrupted(server, '/endless/signal'), [200, true])
      assert.equal(await fetchText(server, '/alive'), [200, 'alive'])
      assert.ok(lines.some((line) => line.includes('its worker will be replaced')))
    })
  })
  test('is correct for each of many concurrent clients', () =>
    serving({ 'fw.worker.threads': 3, 'fw.worker.queue': 100 }, async (server) => {
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) => fetchText(server, `/numbers/${index * 100}`)),
      )
      responses.forEach(([status, content], index) =>
        assert.equal(
          [status, content],
          [222, JSON.stringify(Array.from({ length: index * 100 }, (__, number) => number))],
        ),
      )
    }))
})
