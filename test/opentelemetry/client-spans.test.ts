/** Spans of client calls, with the SDK of OpenTelemetry. */
import type { Attributes } from '@opentelemetry/api'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { promiseClient, retry } from '../../src/client.ts'
import {
  get,
  handle,
  int,
  path,
  produces,
  routes,
  ServiceUnavailable,
  text,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { traced, withSdk } from './spans.ts'
import { describe } from '../support/describe.ts'

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
const settings = { logger: silentLogger }

const { UNSET, ERROR } = SpanStatusCode

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

describe('spans of client calls', (test, hooks) => {
  withSdk(hooks)
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
