/** Tests that streams whose sources never wait share the event loop with other requests. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import {
  byteStream,
  compressed,
  get,
  handle,
  jsonStream,
  ndjson,
  path,
  produces,
  routes,
  sse,
  text,
  textStream,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'

const streams = 50

/** Uses the CPU for a number of microseconds. */
const burn = (microseconds: number): void => {
  const end = performance.now() + microseconds / 1000
  while (performance.now() < end);
}

/** A string that is slow to encode. A chunk of a stream contains hundreds of them. */
const Costly = new t.Type<string, string>('Costly', t.string.is, t.string.validate, (value) => {
  burn(30)
  return value
})

function* endless<A>(value: () => A): Generator<A> {
  for (;;) yield value()
}

async function* endlessAsync<A>(value: () => A): AsyncGenerator<A> {
  for (;;) yield value()
}

const element = (): string => 'x'.repeat(50)
const costlyElement = (): string => {
  burn(30)
  return element()
}
const chunk = (): Uint8Array => {
  burn(30)
  return new Uint8Array(50)
}
const slowElement = (): string => {
  burn(2000)
  return element()
}
const blank = (): string => {
  burn(10)
  return ''
}

type Source = () => Iterable<unknown> | AsyncIterable<unknown>

/** Creates an operation. The types of the representations are not checked. */
const at = (name: string, representation: AnyRepresentation, source: Source) =>
  pipe(path(`/${name}`), get(), produces(representation as never), handle(source as never))

const representations: ReadonlyArray<
  readonly [name: string, representation: AnyRepresentation, value: () => unknown]
> = [
  ['ndjson', ndjson(Costly), element],
  ['array', jsonStream(Costly), element],
  ['sse', sse(Costly), element],
  ['text', textStream, costlyElement],
  ['bytes', byteStream, chunk],
  ['slow', textStream, slowElement],
  ['blank', textStream, blank],
]

const names = [
  ...representations.flatMap(([name]) => [name, `${name}-later`]),
  'compressed',
  'compressed-later',
]

const api = routes({
  ...Object.fromEntries(
    representations.flatMap(([name, representation, value]) => [
      [name, at(name, representation, () => endless(value))],
      [`${name}-later`, at(`${name}-later`, representation, () => endlessAsync(value))],
    ]),
  ),
  compressed: compressed(at('compressed', ndjson(Costly), () => endless(element))),
  compressedLater: compressed(at('compressed-later', ndjson(Costly), () => endlessAsync(element))),
  plain: pipe(
    path('/plain'),
    get(),
    produces(text),
    handle(() => 'plain'),
  ),
})

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * The median CPU time of a call in milliseconds, which is its latency on an idle machine. Client and server share the event
 * loop, so a call takes several turns.
 */
const medianLatency = async (call: () => Promise<unknown>): Promise<number> => {
  const latencies: number[] = []
  for (let index = 0; index < 25; index++) {
    const before = process.cpuUsage()
    await call()
    const { user, system } = process.cpuUsage(before)
    latencies.push((user + system) / 1000)
    await wait(5)
  }
  return median(latencies)
}

describe('a GET while fifty streams never wait', (test) => {
  for (const name of names)
    test(`${name}: has a median below 20 ms over a socket, and each stream advances`, async () => {
      const server = await serveLocally(api, { 'fw.http.enable-compression': true })
      const { hostname, port } = new URL(server.url)
      const received = Array.from({ length: streams }, () => 0)
      const sockets = received.map((_, index) => {
        const socket = connect(Number(port), hostname)
        socket.on('data', ({ length }) => {
          received[index] = (received[index] ?? 0) + length
        })
        return socket
      })
      try {
        await Promise.all(sockets.map((socket) => once(socket, 'connect')))
        for (const socket of sockets)
          socket.write(`GET /${name} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`)
        await wait(300)
        const latency = await medianLatency(async () => {
          const response = await fetch(`${server.url}/plain`)
          assert.equal([response.status, await response.text()], [200, 'plain'])
        })
        assert.ok(latency < 20, `${latency} ms`)
        // a stream of empty elements sends only its head
        if (!name.startsWith('blank'))
          assert.is(received.filter((length) => length === 0).length, 0)
      } finally {
        for (const socket of sockets) socket.destroy()
        await server.close()
      }
    })
  for (const name of names.filter((candidate) => !candidate.startsWith('blank')))
    test(`${name}: has a median below 20 ms in memory`, async () => {
      const call = inMemory(api, { 'fw.http.enable-compression': true })
      const controller = new AbortController()
      const { signal } = controller
      const reading = Array.from({ length: streams }, async () => {
        const response = await call(
          new Request(`http://localhost/${name}`, {
            headers: { 'Accept-Encoding': 'gzip' },
            signal,
          }),
        )
        for await (const _ of response.body ?? []) if (signal.aborted) break
      })
      const latency = await medianLatency(async () => {
        await wait(0)
        await call(new Request('http://localhost/plain'))
      })
      controller.abort()
      await Promise.allSettled(reading)
      assert.ok(latency < 20, `${latency} ms`)
    })
})

describe('an element that is ready alone', (test) => {
  test('is sent at once next to fifty streams that never wait', async () => {
    const sent: number[] = []
    async function* ticking(): AsyncGenerator<string> {
      for (let index = 0; index < 20; index++) {
        await wait(20)
        sent.push(performance.now())
        yield `${index}\n`
      }
    }
    const server = await serveLocally(
      routes({ api, ticking: at('ticking', textStream, () => ticking()) }),
    )
    const { hostname, port } = new URL(server.url)
    const sockets = Array.from({ length: streams }, () => connect(Number(port), hostname))
    try {
      for (const socket of sockets)
        socket.on('data', () => undefined).write('GET /ndjson HTTP/1.1\r\nHost: a\r\n\r\n')
      const response = await fetch(`${server.url}/ticking`)
      const delays: number[] = []
      for await (const part of response.body ?? []) {
        const sentAt = sent[delays.length] ?? NaN
        for (const _ of new TextDecoder().decode(part).match(/\n/g) ?? [])
          delays.push(performance.now() - sentAt)
      }
      assert.is(delays.length, 20)
      assert.ok(median(delays) < 30, `${median(delays)} ms`)
    } finally {
      for (const socket of sockets) socket.destroy()
      await server.close()
    }
  })
})
