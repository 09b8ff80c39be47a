/** Tests that cancelled streams of a client leave no sockets, timers or listeners, and that large streams use little memory. */
import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyDecodedResponse, ClientError } from '../../../src/client.ts'
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
import type { Measurement } from '../../programs/large-client.ts'
import { withHttpServer } from '../../support/while-listening.ts'
import { waitUntil } from '../../support/wait-until.ts'

const MiB = 2 ** 20

const contract = routes({
  bytes: pipe(path('/bytes'), get(), produces(byteStream)),
  lines: pipe(path('/lines'), get(), produces(ndjson(t.number))),
  events: pipe(path('/events'), get(), produces(sse(int))),
  file: pipe(path('/file'), get(), produces(file)),
  parts: pipe(path('/parts'), get(), produces(multipartOutput)),
})

const responses: Readonly<Record<string, readonly [type: string, chunk: string]>> = {
  '/bytes': ['application/octet-stream', 'x'.repeat(10_000)],
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
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length

describe('cancelled streams', (test) => {
  test('leave no sockets, timers or listeners', async () => {
    const sockets = new Set<Socket>()
    // responses never end
    const endless: RequestListener = (request, response) => {
      // only sockets with a request count: `fetch` replaces closed sockets with unused ones
      const { socket } = request
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      const [type, chunk] = responses[request.url ?? ''] ?? ['', '']
      response.writeHead(200, { 'Content-Type': type })
      const writeMore = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', writeMore)
      writeMore()
    }
    const before = timers()
    await withHttpServer(endless, async ({ url }) => {
      const { signal } = new AbortController()
      const service = client(contract, {
        baseUrl: url,
        reconnect: { delay: 60_000 },
        // the platform releases its own listeners only on garbage collection
        fetch: (target, init) => fetch(target, { ...init, signal: null }),
      })
      const calls = Object.values(service)
      const cancelled = Array.from({ length: 100 }, async (_, index) => {
        const response = await right(
          (calls[index % calls.length] ?? service.bytes)({}, { signal }) as TaskEither<
            ClientError,
            AnyDecodedResponse
          >,
        )
        const values: AsyncIterator<unknown> = (response.body as AsyncIterable<unknown>)[
          Symbol.asyncIterator
        ]()
        // a quarter each: unread, between two values, during a pending read, and in a loop
        if (index % 4 === 0) return discard(response)
        await values.next()
        if (index % 4 === 1) return values.return?.()
        if (index % 4 === 2) {
          const waiting = values.next()
          await values.return?.()
          return waiting
        }
        for await (const value of response.body as AsyncIterable<unknown>) {
          assert.ok(value !== undefined)
          break
        }
      })
      await Promise.all(cancelled)
      await waitUntil(() => sockets.size === 0)
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
    const measurements = lines.map((line) => JSON.parse(line) as Measurement)
    assert.is(measurements.length, 5)
    for (const { operation, bytes, growth } of measurements) {
      assert.is(bytes, 128 * MiB, operation)
      assert.ok(growth < 96 * MiB, `${operation} grew by ${growth}`)
    }
  })
})
