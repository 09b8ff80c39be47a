/** Spans of requests, with the SDK of OpenTelemetry, on every kind of connection. */
import type { Context } from '@opentelemetry/api'
import { SpanKind, SpanStatusCode, context, createContextKey, trace } from '@opentelemetry/api'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  int,
  method,
  path,
  produces,
  routes,
  ServiceUnavailable,
  text,
  textStream,
} from '../../src/index.ts'
import type { InMemoryCall } from '../../src/testing.ts'
import { inMemory } from '../../src/testing.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { send } from '../support/contract.ts'
import { provider, traced, withSdk } from './spans.ts'
import { describe, table } from '../support/describe.ts'
import { serveLocally } from '../support/loopback.ts'
import { http2Caller, serveHttp2 } from '../support/through-http2.ts'

const book = pipe(
  path('/books/{id}', { id: int }),
  get(),
  produces(text),
  handle(async ({ path: { id } }) => {
    await Promise.resolve()
    if (id === 500) throw new RangeError('broken')
    if (id === 503) throw new ServiceUnavailable('later')
    return trace.getActiveSpan()?.spanContext().spanId ?? 'no active span'
  }),
)
const pages = pipe(
  path('/books/{id}/pages', { id: int }),
  get(),
  produces(textStream),
  handle(async function* () {
    yield 'one'
    await Promise.resolve()
    yield trace.getActiveSpan()?.spanContext().spanId ?? 'no active span'
  }),
)
const purge = pipe(
  path('/books'),
  method('PURGE')(),
  produces(text),
  handle(() => 'purged'),
)
const api = routes({ book, pages, purge })
const settings = { logger: silentLogger }

const transports: Readonly<
  Record<
    string,
    () => Promise<{ readonly call: InMemoryCall; readonly close: () => void | Promise<void> }>
  >
> = {
  'in memory': async () => ({ call: inMemory(api, settings), close: () => undefined }),
  'over node:http': async () => {
    const server = await serveLocally(api, settings)
    return { call: (request) => send(server.url, request), close: () => server.close() }
  },
  'over direct connections': async () => {
    const server = await serveLocally(api, { ...settings, 'fw.http.connection': 'direct' })
    return { call: (request) => send(server.url, request), close: () => server.close() }
  },
  'over HTTP/2': async () => {
    const server = await serveHttp2(api, settings)
    const client = http2Caller(server.url)
    const close = (): Promise<void> => {
      client.close()
      return server.close()
    }
    return { call: client.call, close }
  },
}

const { UNSET, ERROR } = SpanStatusCode

const rows: ReadonlyArray<
  [
    title: string,
    target: string,
    init: RequestInit,
    name: string,
    status: SpanStatusCode,
    attributes: Readonly<Record<string, unknown>>,
  ]
> = [
  [
    'success',
    '/books/7?sig=abc&a=b',
    { headers: { 'User-Agent': 'a test' } },
    'GET /books/{id}',
    UNSET,
    {
      'http.request.method': 'GET',
      'http.route': '/books/{id}',
      'http.response.status_code': 200,
      'url.path': '/books/7',
      'url.query': 'sig=REDACTED&a=b',
      'url.scheme': 'http',
      'user_agent.original': 'a test',
      'error.type': undefined,
    },
  ],
  ['no query', '/books/7', {}, 'GET /books/{id}', UNSET, { 'url.query': undefined }],
  [
    'HEAD',
    '/books/7',
    { method: 'HEAD' },
    'HEAD /books/{id}',
    UNSET,
    { 'http.request.method': 'HEAD' },
  ],
  [
    'a client error',
    '/books/x',
    {},
    'GET /books/{id}',
    UNSET,
    { 'http.response.status_code': 404, 'error.type': undefined },
  ],
  ['no route', '/other/7', {}, 'GET', UNSET, { 'http.route': undefined, 'url.path': '/other/7' }],
  [
    'an undeclared method',
    '/books/7',
    { method: 'DELETE' },
    'DELETE /books/{id}',
    UNSET,
    { 'http.response.status_code': 405 },
  ],
  [
    'an unavailable service',
    '/books/503',
    {},
    'GET /books/{id}',
    ERROR,
    { 'http.response.status_code': 503, 'error.type': '503' },
  ],
  [
    'an internal error',
    '/books/500',
    {},
    'GET /books/{id}',
    ERROR,
    { 'http.response.status_code': 500, 'error.type': 'RangeError' },
  ],
  [
    'a stream',
    '/books/7/pages',
    {},
    'GET /books/{id}/pages',
    UNSET,
    { 'http.response.status_code': 200 },
  ],
]

for (const [transport, open] of Object.entries(transports))
  describe(`spans of requests, ${transport}`, (test, hooks) => {
    let opened: Awaited<ReturnType<typeof open>> | undefined
    withSdk(hooks)
    hooks.before(async () => {
      opened = await open()
    })
    hooks.after(() => opened?.close())
    const call = async (target: string, init: RequestInit = {}): Promise<string> => {
      assert.ok(opened !== undefined)
      const response = await opened.call(new Request(`http://service.test${target}`, init))
      return response.text()
    }
    table(test, [...rows], async (_, target, init, name, status, attributes) => {
      const { spans } = await traced(() => call(target, init))
      assert.is(spans.length, 1)
      const [span] = spans
      assert.is(span?.name, name)
      assert.is(span?.kind, SpanKind.SERVER)
      assert.is(span?.status.code, status)
      for (const [key, value] of Object.entries(attributes))
        assert.is(span?.attributes[key], value, key)
      const received = target.replace(/\?.*/, '')
      assert.not.ok(received.startsWith('/books/7') && span?.name.includes('7'))
    })
    test('the span is active in the handler', async () => {
      const { result, spans } = await traced(() => call('/books/7'))
      assert.is(result, spans[0]?.spanContext().spanId)
    })
    test('the span is active in a stream', async () => {
      const { result, spans } = await traced(() => call('/books/7/pages'))
      assert.is(result, `one${spans[0]?.spanContext().spanId}`)
    })
    test('the context of the client is the parent', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const { spans } = await traced(() => call('/books/7', { headers: { traceparent } }))
      const [span] = spans
      assert.is(span?.spanContext().traceId, '0af7651916cd43dd8448eb211c80319c')
      assert.is(span?.parentSpanContext?.spanId, 'b7ad6b7169203331')
    })
    test('an unknown method is not in the name', async () => {
      const { spans } = await traced(() => call('/books', { method: 'PURGE' }))
      const [span] = spans
      assert.is(span?.name, 'HTTP /books')
      assert.is(span?.attributes['http.request.method'], '_OTHER')
      assert.is(span?.attributes['http.request.method_original'], 'PURGE')
    })
    test('ignored requests have no span', async () => {
      const { spans } = await traced(() => call('/books/7'), {
        ignore: ({ route }) => route === '/books/{id}',
      })
      assert.equal(spans, [])
    })
  })

describe('spans of requests that another instrumentation has created', (test, hooks) => {
  withSdk(hooks)
  test('they receive the route, and there is no second span', async () => {
    const metadata: { type: string; span: unknown; route?: string } = {
      type: 'http',
      span: undefined,
    }
    const key = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')
    const { spans } = await traced(async () => {
      const span = provider.getTracer('http').startSpan('GET', { kind: SpanKind.SERVER })
      metadata.span = span
      const active: Context = trace.setSpan(context.active(), span).setValue(key, metadata)
      await context.with(active, async () =>
        (await inMemory(api, settings)('http://service.test/books/7')).text(),
      )
      span.end()
    })
    assert.equal(
      spans.map(({ name, attributes }) => [name, attributes['http.route']]),
      [['GET', '/books/{id}']],
    )
    assert.is(metadata.route, '/books/{id}')
  })
})
