/** The messages of the channels `tracing:espalier.request:*`, on every kind of connection. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { RequestTrace } from '../../src/index.ts'
import {
  body,
  Conflict,
  fails,
  get,
  handle,
  int,
  json,
  path,
  post,
  optional,
  prefix,
  query,
  string,
  preMatching,
  produces,
  rewrite,
  routes,
  text,
  textStream,
  withFilter,
} from '../../src/index.ts'
import type { InMemoryCall } from '../../src/testing.ts'
import { inMemory } from '../../src/testing.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { send } from '../support/contract.ts'
import { describe, table } from '../support/describe.ts'
import { createGate, waitAtGate } from '../support/gate.ts'
import { serveLocally } from '../support/loopback.ts'
import { serveMounted } from '../support/mounted.ts'
import { throughFetch } from '../support/through-fetch.ts'
import { http2Caller, serveHttp2 } from '../support/through-http2.ts'
import { waitUntil } from '../support/wait-until.ts'

const store = new AsyncLocalStorage<string>()

const book = pipe(
  path('/{id}', { id: int }),
  get(),
  produces(text),
  fails(409),
  handle(async ({ path: { id } }) => {
    await Promise.resolve()
    if (id === 409) throw new Conflict('taken')
    if (id === 500) throw new RangeError('broken')
    return `book ${id} in ${store.getStore()}`
  }),
)

const add = pipe(
  path('/'),
  post(),
  body(json(t.type({ title: t.string }))),
  produces(text),
  handle((input) => input.body.title),
)

const pages = pipe(
  path('/{id}/pages', { id: int }),
  get(),
  query({ gate: optional(string) }),
  produces(textStream),
  handle(async function* ({ path: { id }, query: { gate } }) {
    yield 'one '
    if (gate !== undefined) await waitAtGate(gate)
    if (id === 500) throw new RangeError('torn')
    yield 'zwölf'
  }),
)

const api = pipe(
  routes({ books: pipe(routes({ book, add, pages }), prefix('/books')) }),
  withFilter(
    preMatching(({ request }) =>
      request.path === '/old' ? rewrite({ target: '/books/7' }) : undefined,
    ),
  ),
)

/** The messages of requests with the header `X-Test`, by channel. */
interface Recorded {
  readonly names: string[]
  readonly atStart: Partial<RequestTrace>
  readonly trace: RequestTrace
}

/** Calls `run` while the channels are observed. Resolves when the request has ended. */
const record = async (run: () => Promise<unknown>): Promise<Recorded> => {
  const channel = tracingChannel<string, object>('espalier.request')
  const names: string[] = []
  let trace: RequestTrace | undefined
  let atStart: Partial<RequestTrace> = {}
  const listener = (name: string) => (message: unknown) => {
    const published = message as RequestTrace
    if (published.header('x-test') !== 'yes') return
    names.push(name)
    if (name === 'start') {
      const { operation, route, status } = published
      atStart = { operation, route, status }
    }
    trace = published
  }
  const subscribers = {
    start: listener('start'),
    end: listener('end'),
    asyncStart: listener('asyncStart'),
    asyncEnd: listener('asyncEnd'),
    error: listener('error'),
  }
  channel.subscribe(subscribers)
  channel.start.bindStore(store, () => 'a context')
  try {
    await run()
    await waitUntil(() => names.includes('asyncEnd') && names.includes('end'))
  } finally {
    channel.unsubscribe(subscribers)
    channel.start.unbindStore(store)
  }
  assert.ok(trace !== undefined)
  return { names, atStart, trace }
}

interface Transport {
  readonly call: InMemoryCall
  readonly close: () => void | Promise<void>
}

const settings = { logger: silentLogger }

const transports: Readonly<Record<string, () => Promise<Transport>>> = {
  'in memory': async () => ({ call: inMemory(api, settings), close: () => undefined }),
  'through a fetch handler': async () => {
    const call = throughFetch(api, settings)
    assert.ok(call !== undefined)
    return { call, close: () => undefined }
  },
  'over node:http': async () => overSocket(await serveLocally(api, settings)),
  'over direct connections': async () =>
    overSocket(await serveLocally(api, { ...settings, 'fw.http.connection': 'direct' })),
  'through nodeListener': async () => overSocket(await serveMounted(api, settings)),
  'over HTTP/2': async () => {
    const server = await serveHttp2(api, settings)
    const client = http2Caller(server.url)
    return {
      call: client.call,
      close: () => {
        client.close()
        return server.close()
      },
    }
  },
}

const overSocket = (server: {
  readonly url: string
  readonly close: () => Promise<void>
}): Transport => ({
  call: (request) => send(server.url, request),
  close: () => server.close(),
})

const failingSubscriber = (): void => {
  throw new RangeError('in the subscriber')
}

const complete = ['start', 'end', 'asyncStart', 'asyncEnd']

const rows: ReadonlyArray<[request: string, init: RequestInit, expected: Partial<RequestTrace>]> = [
  [
    '/books/7?a=b',
    {},
    {
      method: 'GET',
      path: '/books/7',
      query: 'a=b',
      route: '/books/{id}',
      operation: 'books.book',
      status: 200,
      responseSize: 'book 7 in a context'.length,
    },
  ],
  ['/books/7', { method: 'HEAD' }, { method: 'HEAD', status: 200, responseSize: 0 }],
  ['/books/x', {}, { route: '/books/{id}', operation: 'books.book', status: 404 }],
  ['/books/409', {}, { status: 409, error: undefined }],
  ['/missing', {}, { route: undefined, operation: undefined, status: 404 }],
  ['/old', {}, { path: '/old', route: '/books/{id}', operation: 'books.book', status: 200 }],
  ['/books/7', { method: 'DELETE' }, { route: '/books/{id}', operation: undefined, status: 405 }],
  [
    '/books',
    { method: 'POST', body: '{"title":"é"}', headers: { 'Content-Type': 'application/json' } },
    { route: '/books', status: 200, requestSize: 14, responseSize: 2 },
  ],
  [
    '/books',
    { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } },
    { status: 400 },
  ],
  [
    '/books',
    { method: 'POST', body: 'a', headers: { 'Content-Type': 'text/plain' } },
    { route: '/books', status: 415 },
  ],
  ['/books/7/pages', {}, { route: '/books/{id}/pages', status: 200, responseSize: 10 }],
]

for (const [name, start] of Object.entries(transports))
  describe(`requests on diagnostics channels, ${name}`, (test, { before, after }) => {
    let transport: Transport | undefined
    before(async () => {
      transport = await start()
    })
    after(() => transport?.close())
    const open = async (target: string, init: RequestInit = {}): Promise<Response> => {
      assert.ok(transport !== undefined)
      const headers = new Headers(init.headers)
      headers.set('X-Test', 'yes')
      return transport.call(new Request(`http://service.test${target}`, { ...init, headers }))
    }
    const call = async (target: string, init?: RequestInit): Promise<string> =>
      (await open(target, init)).text()
    table(
      test,
      rows.map(([target, init, expected]): [string, string, RequestInit, Partial<RequestTrace>] => [
        `${init.method ?? 'GET'} ${target} ${expected.status}`,
        target,
        init,
        expected,
      ]),
      async (_, target, init, expected) => {
        const { names, trace } = await record(() => call(target, init))
        const { isDisconnected, error, steps } = trace
        assert.equal(
          names.filter((channel) => channel !== 'error'),
          complete,
        )
        for (const [member, value] of Object.entries(expected))
          assert.equal(Reflect.get(trace, member), value, member)
        assert.is(isDisconnected, false)
        assert.is(error, undefined)
        assert.ok(trace.duration >= (steps.encoded ?? Number.NaN))
      },
    )
    test('the route is known at the start', async () => {
      const { atStart } = await record(() => call('/books/7'))
      assert.equal(atStart, { operation: 'books.book', route: '/books/{id}', status: undefined })
    })
    test('the times of the steps do not decrease', async () => {
      const { trace } = await record(() => call('/books/7'))
      const { matched, filtered, decoded, handled, encoded } = trace.steps
      const times = [0, matched, filtered, decoded, handled, encoded, trace.duration]
      assert.equal(
        times,
        times.toSorted((a = 0, b = 0) => a - b),
      )
    })
    test('an internal error is published', async () => {
      const { names, trace } = await record(() => call('/books/500'))
      assert.is(trace.status, 500)
      assert.instance(trace.error, RangeError)
      assert.ok(names.includes('error'))
    })
    test('an error that interrupts a response is published', async () => {
      const gate = createGate()
      const { trace } = await record(async () => {
        const response = await open(`/books/500/pages?gate=${encodeURIComponent(gate.name)}`)
        gate.open()
        await response.text().catch(() => undefined)
      })
      assert.is(trace.status, 200)
      assert.instance(trace.error, RangeError)
    })
    test('a disconnect during a stream ends the request, and is not an error', async () => {
      const gate = createGate()
      const { names, trace } = await record(async () => {
        const response = await open(`/books/7/pages?gate=${encodeURIComponent(gate.name)}`)
        const reader = response.body?.getReader()
        await reader?.read()
        await reader?.cancel()
      })
      gate.open()
      assert.equal(names, complete)
      assert.is(trace.status, 200)
      assert.is(trace.isDisconnected, true)
      assert.is(trace.error, undefined)
    })
  })

describe('requests on diagnostics channels', (test) => {
  test('a subscriber that throws does not affect the response', async () => {
    // the error of a subscriber is thrown later, as an uncaught exception
    const errors: unknown[] = []
    const onError = (error: unknown): void => void errors.push(error)
    const listeners = process.rawListeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', onError)
    const { asyncEnd } = tracingChannel<string, object>('espalier.request')
    asyncEnd.subscribe(failingSubscriber)
    try {
      const response = await inMemory(api, settings)(new Request('http://service.test/books/7'))
      assert.is(response.status, 200)
      await waitUntil(() => errors.length > 0)
    } finally {
      asyncEnd.unsubscribe(failingSubscriber)
      process.removeListener('uncaughtException', onError)
      for (const listener of listeners)
        process.on('uncaughtException', listener as NodeJS.UncaughtExceptionListener)
    }
  })
})
