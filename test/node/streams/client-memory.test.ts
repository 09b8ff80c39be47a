/** Streams of clients: cancelled ones hold no sockets, timers or listeners, and large ones little memory. */
import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyAnswer, ClientError } from '../../../src/client.ts'
import { client, discard } from '../../../src/client.ts'
import {
  byteStream,
  file,
  get,
  int,
  multipartOutput,
  ndjson,
  path,
  produces,
  routes,
  sse,
} from '../../../src/index.ts'
import { right } from '../../support/clients.ts'
import { program } from '../../support/bundled.ts'
import { describe } from '../../support/describe.ts'
import type { Figures } from '../../support/large-client.ts'
import { whileAnswering } from '../../support/while-listening.ts'

const MiB = 2 ** 20

const contract = routes({
  octets: pipe(path('/octets'), get(), produces(byteStream)),
  lines: pipe(path('/lines'), get(), produces(ndjson(t.number))),
  events: pipe(path('/events'), get(), produces(sse(int))),
  file: pipe(path('/file'), get(), produces(file)),
  parts: pipe(path('/parts'), get(), produces(multipartOutput)),
})

const contents: Readonly<Record<string, readonly [type: string, piece: string]>> = {
  '/octets': ['application/octet-stream', 'x'.repeat(10_000)],
  '/lines': ['application/x-ndjson', '1\n'.repeat(5000)],
  '/events': ['text/event-stream', 'data: 1\n\n'.repeat(1000)],
  '/file': ['text/plain', 'x'.repeat(10_000)],
  '/parts': [
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name=a\r\n\r\n${'x'.repeat(10_000)}\r\n`,
  ],
}

/** Timers that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

describe('cancelled streams', (test) => {
  test('hold neither sockets nor timers nor listeners', async () => {
    const sockets = new Set<Socket>()
    // it never ends, and goes on as soon as it can
    const endless: RequestListener = (request, response) => {
      // the one that carries it: of those that were closed, `fetch` makes others that nobody uses
      const { socket } = request
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      const [type, piece] = contents[request.url ?? ''] ?? ['', '']
      response.writeHead(200, { 'Content-Type': type })
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more)
      more()
    }
    const before = timers()
    await whileAnswering(endless, async ({ url }) => {
      const { signal } = new AbortController()
      const library = client(contract, {
        baseUrl: url,
        reconnect: { delay: 60_000 },
        // of its own listeners, the platform lets go when it collects garbage
        fetch: (target, init) => fetch(target, { ...init, signal: null }),
      })
      const calls = Object.values(library)
      const beginnings = Array.from({ length: 100 }, async (_, index) => {
        const answer = await right(
          (calls[index % calls.length] ?? library.octets)({}, { signal }) as TaskEither<
            ClientError,
            AnyAnswer
          >,
        )
        const values: AsyncIterator<unknown> = (answer.body as AsyncIterable<unknown>)[
          Symbol.asyncIterator
        ]()
        // a quarter each: unread, between two values, while one is awaited, and in a loop
        if (index % 4 === 0) return discard(answer)
        await values.next()
        if (index % 4 === 1) return values.return?.()
        if (index % 4 === 2) {
          const waiting = values.next()
          await values.return?.()
          return waiting
        }
        for await (const one of answer.body as AsyncIterable<unknown>) {
          assert.ok(one !== undefined)
          break
        }
      })
      await Promise.all(beginnings)
      for (let turn = 0; turn < 200 && sockets.size > 0; turn++) await wait(10)
      assert.is(sockets.size, 0)
      assert.is(getEventListeners(signal, 'abort').length, 0)
    })
    assert.ok(timers() <= before + 1, `${timers()} timers, ${before} before`)
  })
})

describe('large bodies', (test) => {
  test('are not buffered in memory', async () => {
    const child = spawn(process.execPath, [program('large-client.js'), '128'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = (await text(child.stdout)).trim().split('\n')
    const figures = lines.map((line) => JSON.parse(line) as Figures)
    assert.is(figures.length, 5)
    for (const { operation, octets, growth } of figures) {
      assert.is(octets, 128 * MiB, operation)
      assert.ok(growth < 96 * MiB, `${operation} grew by ${growth}`)
    }
  })
})
