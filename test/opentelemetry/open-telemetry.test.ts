/** Spans of requests and client calls, with the SDK of OpenTelemetry, on every kind of connection. */
import type { Attributes, Context } from '@opentelemetry/api'
import {
  SpanKind,
  SpanStatusCode,
  context,
  createContextKey,
  propagation,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { promiseClient, retry } from '../../src/client.ts'
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
import type { OpenTelemetryOptions } from '../../src/opentelemetry.ts'
import { openTelemetry } from '../../src/opentelemetry.ts'
import type { InMemoryCall } from '../../src/testing.ts'
import { inMemory } from '../../src/testing.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { send } from '../support/contract.ts'
import { describe, table } from '../support/describe.ts'
import { serveLocally } from '../support/loopback.ts'
import { http2Caller, serveHttp2 } from '../support/through-http2.ts'
import { waitUntil } from '../support/wait-until.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

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

/** Calls `run` while spans are created. Returns its result and the spans, in the order in which they ended. */
const traced = async <A>(
  run: () => Promise<A>,
  options: OpenTelemetryOptions = {},
): Promise<{ readonly result: A; readonly spans: ReadonlyArray<ReadableSpan> }> => {
  const instrumentation = openTelemetry(options)
  instrumentation.setTracerProvider(provider)
  exporter.reset()
  instrumentation.enable()
  try {
    const result = await run()
    await waitUntil(() => exporter.getFinishedSpans().length > 0 || options.ignore !== undefined)
    return { result, spans: exporter.getFinishedSpans() }
  } finally {
    instrumentation.disable()
  }
}

/** Registers the context manager and the propagator of the SDK while a suite runs. */
const withSdk = ({ before, after }: Parameters<Parameters<typeof describe>[1]>[1]): void => {
  before(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  })
  after(() => {
    context.disable()
    propagation.disable()
  })
}

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
      const path = target.replace(/\?.*/, '')
      assert.not.ok(path.startsWith('/books/7') && span?.name.includes('7'))
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

describe('spans of client calls', (test, hooks) => {
  withSdk(hooks)
  /** Returns a client whose server fails as often as `failures` says. */
  const service = (failures = 0) => {
    let calls = 0
    const hello = pipe(
      path('/hello/{id}', { id: int }),
      get(),
      produces(text),
      handle((_, { request }) => {
        if (++calls <= failures) throw new ServiceUnavailable('later')
        return request.header('traceparent') ?? 'no context'
      }),
    )
    const tree = routes({ hello })
    return promiseClient(tree, {
      baseUrl: 'http://ann:secret@service.test:8080',
      fetch: inMemory(tree, settings),
      policies: [retry({ times: 2, backoff: { first: '1ms' } })],
    })
  }
  const clientSpans = (spans: ReadonlyArray<ReadableSpan>): ReadonlyArray<ReadableSpan> =>
    spans.filter(({ kind }) => kind === SpanKind.CLIENT)

  test('an attempt has a span, whose context is sent', async () => {
    const { result, spans } = await traced(() => service().hello({ path: { id: 7 } }))
    const [span, ...others] = clientSpans(spans)
    assert.is(others.length, 0)
    assert.is(span?.name, 'GET /hello/{id}')
    assert.is(span?.status.code, UNSET)
    const attributes: Attributes = span?.attributes ?? {}
    assert.is(attributes['url.full'], 'http://service.test:8080/hello/7')
    assert.is(attributes['server.address'], 'service.test')
    assert.is(attributes['server.port'], 8080)
    assert.is(attributes['http.response.status_code'], 200)
    assert.is(attributes['http.request.resend_count'], undefined)
    const { traceId, spanId } = span?.spanContext() ?? { traceId: '', spanId: '' }
    assert.is(result.body, `00-${traceId}-${spanId}-01`)
  })
  test('each retry has a span', async () => {
    const { spans } = await traced(() => service(2).hello({ path: { id: 7 } }))
    assert.equal(
      clientSpans(spans).map(({ attributes, status }) => [
        attributes['http.request.resend_count'],
        attributes['http.response.status_code'],
        attributes['error.type'],
        status.code,
      ]),
      [
        [undefined, 503, '503', ERROR],
        [1, 503, '503', ERROR],
        [2, 200, undefined, UNSET],
      ],
    )
  })
  test('an aborted call is no error', async () => {
    const { spans } = await traced(async () => {
      const controller = new AbortController()
      const tree = routes({ book })
      const { book: call } = promiseClient(tree, {
        baseUrl: 'http://service.test',
        fetch: () => new Promise(() => undefined),
      })
      const pending = call({ path: { id: 7 } }, { signal: controller.signal })
      controller.abort()
      await pending.catch(() => undefined)
    })
    assert.equal(
      spans.map(({ status, attributes }) => [status.code, attributes['error.type']]),
      [[UNSET, undefined]],
    )
  })
  test('calls have no span if they are disabled', async () => {
    const { result } = await traced(() => service().hello({ path: { id: 7 } }), { client: false })
    assert.is(result.body, 'no context')
  })
})
