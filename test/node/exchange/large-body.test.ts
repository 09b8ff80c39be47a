/** Tests of large JSON bodies, which are decoded in several turns of the event loop. */
import { EventEmitter, once } from 'node:events'
import { encode } from 'cborg'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  get,
  handle,
  int,
  json,
  list,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import { cbor } from '../../../src/cbor.ts'
import { hal } from '../../../src/hal.ts'
import { lossless } from '../../../src/json.ts'
import { inMemory } from '../../../src/testing.ts'
import type { ServeOptions } from '../../../src/node.ts'
import { blockThread } from '../../support/cpu-time.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'

/** Number of elements in a large body. */
const size = 20_000

/** An operation whose body takes at least 6 ms in each of about 80 steps, and an operation that responds at once. */
const slowApi = () => {
  const seen = { calls: 0, atPing: 0, handled: 0 }
  const starting = new EventEmitter()
  const started = once(starting, 'start')
  const slow: t.Type<number> = new t.Type(
    'slow',
    t.number.is,
    (value, context) => {
      if (seen.calls === 0) starting.emit('start')
      // the cost of one step is that of 256 elements
      if (seen.calls++ % 256 === 0) blockThread(6)
      return typeof value === 'number' ? t.success(value) : t.failure(value, context)
    },
    t.identity,
  )
  const api = routes({
    slow: pipe(
      path('/slow'),
      post(),
      body(json(list(slow))),
      produces(text),
      handle((input) => {
        seen.handled++
        return `${input.body.length}`
      }),
    ),
    ping: pipe(
      path('/ping'),
      get(),
      produces(text),
      handle(() => {
        seen.atPing = seen.calls
        return 'pong'
      }),
    ),
  })
  return { api, seen, started }
}

const large = (last = '0'): string => `[${'0,'.repeat(size - 1)}${last}]`.padEnd(2 * size + 70_000)

const request = (content: string): string =>
  `POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${content.length}\r\n\r\n${content}`

/** Serves a slow API, sends a large body to it, and calls `use` when the server has started to decode the body. */
const whileDecoding = async (
  use: (
    context: ReturnType<typeof slowApi> & {
      readonly url: string
      readonly client: Awaited<ReturnType<typeof connectTo>>
    },
  ) => Promise<void>,
  options: ServeOptions = {},
  content = large(),
): Promise<void> => {
  const context = slowApi()
  const server = await serveLocally(context.api, { 'fw.shutdown.timeout': 0, ...options })
  try {
    const client = await connectTo(server.url, { allowHalfOpen: true })
    client.write(request(content))
    await context.started
    await use({ ...context, url: server.url, client })
    client.destroy()
  } finally {
    await server.close()
  }
}

/** Waits for more turns of the event loop than decoding a large body takes. */
const manyTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('decoding a large body', (test) => {
  test('other requests are answered in the meantime', () =>
    whileDecoding(async ({ url, client, seen }) => {
      assert.is(await (await fetch(`${url}/ping`)).text(), 'pong')
      assert.ok(seen.atPing > 0 && seen.atPing < size, String(seen.atPing))
      const { status, body: content } = await client.next()
      assert.equal([status, content, seen.calls], [200, String(size), size])
    }))
  test('an invalid last element: 400 with its position, after other requests have been answered', () =>
    whileDecoding(
      async ({ url, client, seen }) => {
        await fetch(`${url}/ping`)
        assert.ok(seen.atPing < size, String(seen.atPing))
        const { status, body: content } = await client.next()
        assert.is(status, 400)
        assert.match(content, `"pointer":"#/${size - 1}"`)
        assert.is(seen.handled, 0)
      },
      {},
      large('null'),
    ))
  test('stops if the client resets the connection', () =>
    whileDecoding(async ({ client, seen }) => {
      client.socket.resetAndDestroy()
      await manyTurns()
      assert.ok(seen.calls < size, String(seen.calls))
      assert.is(seen.handled, 0)
    }))
  test('continues if the client half-closes the connection', () =>
    whileDecoding(async ({ client }) => {
      client.socket.end()
      assert.is((await client.next()).status, 200)
    }))
  test('stops after the handler timeout: 503', () =>
    whileDecoding(
      async ({ client, seen }) => {
        assert.is((await client.next()).status, 503)
        await manyTurns()
        assert.ok(seen.calls < size, String(seen.calls))
        assert.is(seen.handled, 0)
      },
      { 'fw.http.handler-timeout': 100 },
    ))
  test('the body counts against fw.http.limits.max-buffered-size until the response', () =>
    whileDecoding(
      async ({ url, client, seen }) => {
        const send = async () =>
          (
            await fetch(`${url}/slow`, {
              method: 'POST',
              body: large(),
              headers: { 'Content-Type': 'application/json' },
            })
          ).status
        assert.is(await send(), 503)
        assert.ok(seen.calls < size, String(seen.calls))
        assert.is((await client.next()).status, 200)
        assert.is(await send(), 200)
      },
      { 'fw.http.limits.max-buffered-size': 200_000 },
    ))
})

const Numbers = t.type({ items: list(int) })

const to = pipe(path('/numbers'), post())
/** The length and the end of a body as JSON text. */
const summary = (value: unknown): string => {
  const written = JSON.stringify(value)
  return `${written.length} ${written.slice(-4)}`
}

const numbers = (last: unknown) => ({
  items: Array.from({ length: 40_000 }, (_, index) => (index === 39_999 ? last : index)),
})

const textOf = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(value))

describe('large bodies in each format', (test) =>
  table(
    test,
    [
      [
        'application/json',
        pipe(
          to,
          body(json(Numbers)),
          produces(text),
          handle((input) => summary(input.body)),
        ),
        textOf,
      ],
      [
        'application/json',
        lossless(
          pipe(
            to,
            body(json(Numbers)),
            produces(text),
            handle((input) => summary(input.body)),
          ),
        ),
        textOf,
      ],
      [
        'application/hal+json',
        pipe(
          to,
          body(hal(Numbers)),
          produces(text),
          handle((input) => summary(input.body)),
        ),
        (value: object) => textOf({ ...value, _links: {} }),
      ],
      [
        'application/cbor',
        pipe(
          to,
          body(cbor(Numbers)),
          produces(text),
          handle((input) => summary(input.body)),
        ),
        (value: object) => new Uint8Array(encode(value)),
      ],
    ] as const,
    async (type, operation, write) => {
      const send = async (last: unknown) => {
        const response = await inMemory(routes({ operation }))('http://localhost/numbers', {
          method: 'POST',
          body: write(numbers(last)),
          headers: { 'Content-Type': type },
        })
        return [response.status, await response.text()] as const
      }
      assert.equal(await send(7), [200, `${JSON.stringify(numbers(7)).length} ,7]}`])
      const [status, problem] = await send('x')
      assert.is(status, 400)
      assert.match(problem, '"pointer":"#/items/39999"')
    },
  ))
