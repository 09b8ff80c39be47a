/** The timeout for pauses in buffered response bodies. */
import { getEventListeners } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { Agent } from 'undici'
import type { ClientOptions, Fetch } from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import { fakeBody } from './fake-transport.ts'
import { errorIn, right } from '../support/clients.ts'
import { describe, describeConcurrently, table } from '../support/describe.ts'
import { readUntilFailure } from './read-stream.ts'
import type { RequestHandler, BufferedCall } from './plain-services.ts'
import { withHttpService, contract } from './plain-services.ts'
import { withHttpServer } from '../support/while-listening.ts'
import { waitUntil } from '../support/wait-until.ts'

const shortTimeout = { timeout: '250ms' } as const

/** Starts a response that never ends. */
const neverEnding =
  (type: string, content: string | Uint8Array, status = 200): RequestHandler =>
  (response) => {
    response.writeHead(status, { 'Content-Type': type }).flushHeaders()
    if (content.length > 0) response.write(content)
  }

/** Sends the second half of the body 200 ms after the first one. */
const pauseInBody: RequestHandler = (response) => {
  neverEnding('text/plain', 'a')(response, response.req)
  setTimeout(() => response.end('b'), 200)
}

/** Sends a chunk every 80 ms. */
const slowChunks =
  (type: string, ...chunks: ReadonlyArray<string>): RequestHandler =>
  async (response) => {
    response.writeHead(200, { 'Content-Type': type }).flushHeaders()
    for (const chunk of chunks) {
      await sleep(80)
      response.write(chunk)
    }
    response.end()
  }

/** Records the responses that are still open. */
const trackOpenResponses = (handler: RequestHandler) => {
  const open = new Set<ServerResponse>()
  return {
    open,
    handler: ((response, incoming) => {
      open.add(response)
      response.on('close', () => open.delete(response))
      handler(response, incoming)
    }) satisfies RequestHandler,
  }
}

const waitUntilEmpty = (set: { readonly size: number }): Promise<void> =>
  waitUntil(() => set.size === 0)

const json = 'application/json'
const form = 'multipart/form-data; boundary=x'

describeConcurrently('a body that stalls results in TimedOut', (test) => {
  table<readonly [name: string, handler: RequestHandler, call: BufferedCall]>(
    test,
    [
      ['a body that never starts', neverEnding(json, ''), 'json'],
      ['truncated JSON', neverEnding(json, '{"title":'), 'json'],
      ['truncated text', neverEnding('text/plain', 'half'), 'text'],
      ['truncated bytes', neverEnding('image/png', 'half'), 'bytes'],
      ['truncated XML', neverEnding('application/xml', '<Book>'), 'xml'],
      [
        'a truncated multipart record',
        neverEnding(form, '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nEm'),
        'record',
      ],
      ['a truncated declared failure', neverEnding(json, '{', 404), 'json'],
      [
        'a truncated response with an undeclared status',
        neverEnding('text/plain', 'oh', 500),
        'json',
      ],
      ['a truncated response with an undeclared media type', neverEnding('image/png', '…'), 'json'],
    ],
    async (_, handler, call) => {
      const { open, handler: tracked } = trackOpenResponses(handler)
      await withHttpService(
        tracked,
        async (library) => {
          const error = await errorIn(library[call]())
          assert.is(error._tag, 'TimedOut')
          // on a slow machine, the head may be late
          assert.match(
            error.message,
            RegExp(`^${call}: (?:no response within|response body idle for) 250ms$`),
          )
          assert.is(error.cause instanceof DOMException && error.cause.name, 'TimeoutError')
          await waitUntilEmpty(open)
        },
        shortTimeout,
      )
    },
  )
  test('a body with a wrong Content-Encoding fails', () =>
    withHttpService(
      (response) =>
        void response
          .writeHead(200, { 'Content-Type': json, 'Content-Encoding': 'gzip' })
          .end('{"title":"no gzip"}'),
      async (library) => {
        // fetch of Node.js 20 does not report the error, so that the body stalls
        const error = await errorIn(library.json())
        assert.ok(['TimedOut', 'NetworkError'].includes(error._tag), error.message)
      },
      shortTimeout,
    ))
  test('a compressed body that stalls times out and releases its connection', async () => {
    const half = gzipSync('{"title":"a"}'.padEnd(10_000, ' ')).subarray(0, 20)
    const { open, handler } = trackOpenResponses((response) => {
      response.writeHead(200, { 'Content-Type': json, 'Content-Encoding': 'gzip' }).write(half)
    })
    await withHttpService(
      handler,
      async (library) => {
        assert.is((await errorIn(library.json()))._tag, 'TimedOut')
        await waitUntilEmpty(open)
      },
      shortTimeout,
    )
  })
  test('a call overrides or disables the limit', async () => {
    await withHttpService(
      pauseInBody,
      async (library) => {
        assert.is((await errorIn(library.text()))._tag, 'TimedOut')
        for (const timeout of [false, '10s'] as const)
          assert.is((await right(library.text({}, { timeout }))).body, 'ab')
      },
      { timeout: '50ms' },
    )
    await withHttpService(pauseInBody, async (library) => {
      assert.match((await errorIn(library.text({}, { timeout: '50ms' }))).message, / 50ms$/)
      assert.is((await right(library.text())).body, 'ab')
    })
    await withHttpService(
      pauseInBody,
      async (library) => assert.is((await right(library.text())).body, 'ab'),
      { timeout: false },
    )
  })
})

describeConcurrently('a body that takes longer than the limit', (test) => {
  test('is decoded if chunks keep arriving', () =>
    withHttpService(
      slowChunks('text/plain', ...Array.from('abcdefghijklmnop')),
      async (library) => assert.is((await right(library.text())).body, 'abcdefghijklmnop'),
      { timeout: '1s' },
    ))
  test('is decoded if it is a multipart record whose chunks keep arriving', () =>
    withHttpService(
      slowChunks(
        form,
        '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n',
        ...Array.from('abcdefghijklmn'),
        '\r\n--x--\r\n',
      ),
      async (library) =>
        assert.equal((await right(library.record())).body, { title: 'abcdefghijklmn' }),
      { timeout: '1s' },
    ))
  test('times out if it stalls after the last chunk', async () => {
    let last = 0
    await withHttpService(
      async (response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain' }).flushHeaders()
        for (let time = 0; time < 4; time++) {
          await sleep(60)
          response.write('a')
          last = performance.now()
        }
      },
      async (library) => {
        assert.is((await errorIn(library.text()))._tag, 'TimedOut')
        const silent = performance.now() - last
        assert.ok(silent > 290 && silent < 3000, String(silent))
      },
      { timeout: '300ms' },
    )
  })
  test('does not time out if it is a stream', () =>
    withHttpService(
      async (response) => {
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
        response.write('{"title":"a"}\n')
        await sleep(1500)
        response.end('{"title":"b"}\n')
      },
      async (library) => {
        const { body } = await right(library.lines())
        const titles: string[] = []
        for await (const { title } of body) titles.push(title)
        assert.equal(titles, ['a', 'b'])
      },
      { timeout: '1s' },
    ))
  test('does not time out if it is a stream of parts', () =>
    withHttpService(
      async (response) => {
        response.writeHead(200, { 'Content-Type': form })
        response.write('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1')
        await sleep(1500)
        response.end()
      },
      async (library) => {
        const { body } = await right(library.parts())
        const [, failure] = await readUntilFailure(body)
        assert.is('_tag' in failure && failure._tag, 'DecodeError')
      },
      { timeout: '1s' },
    ))
})

describe('a body that stalls, in memory', (test) => {
  test('is cancelled', async () => {
    const content = fakeBody('{"title"', '…')
    const fetch: Fetch = async () =>
      new Response(content.body, { headers: { 'Content-Type': json } })
    const library = client(contract, { baseUrl: 'http://localhost', fetch, ...shortTimeout })
    assert.is((await errorIn(library.json()))._tag, 'TimedOut')
    assert.ok(content.isCancelled())
  })
})

/** Returns the number of timers that keep the process running. */
const activeTimerCount = (): number =>
  process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length

describe('fifty bodies that stall', (test) => {
  const dispatcher = new Agent()
  const transports: ReadonlyArray<readonly [name: string, options: Partial<ClientOptions>]> = [
    ['fetch', {}],
    ['undici', { transport: undiciTransport(dispatcher) }],
  ]
  for (const [name, options] of transports)
    test(`release their resources: ${name}`, async () => {
      const { open, handler } = trackOpenResponses(neverEnding(json, '{"title":'))
      const listener: RequestListener = (request, response) => handler(response, request)
      await withHttpServer(listener, async ({ url }) => {
        const library = client(contract, { baseUrl: url, timeout: '100ms', ...options })
        const { signal } = new AbortController()
        const before = activeTimerCount()
        for (let round = 0; round < 2; round++) {
          const errors = await Promise.all(
            Array.from({ length: 25 }, () => errorIn(library.json({}, { signal }))),
          )
          assert.equal(new Set(errors.map(({ _tag }) => _tag)), new Set(['TimedOut']))
        }
        await waitUntilEmpty(open)
        assert.is(getEventListeners(signal, 'abort').length, 0)
        assert.ok(
          activeTimerCount() <= before,
          `${activeTimerCount()} timers, expected at most ${before}`,
        )
      })
    })
})
