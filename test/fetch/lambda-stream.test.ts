/** Lambda functions with response streaming, in an emulation of the Node.js runtime of Lambda. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { LambdaEvent, LambdaInvocation } from '../../src/fetch.ts'
import { toLambdaStreamHandler } from '../../src/fetch.ts'
import {
  body,
  bytes,
  get,
  handle,
  json,
  needs,
  ndjson,
  ok,
  path,
  post,
  produces,
  responds,
  routes,
  slot,
  text,
  withCookie,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'
import { createGate, waitAtGate } from '../support/gate.ts'
import type { Invocation } from './lambda-runtime.ts'
import { inLambdaRuntime } from './lambda-runtime.ts'
import { stable, waitUntil } from '../support/wait-until.ts'

const Platform = slot<LambdaInvocation>()('invocation')
const events: string[] = []
const gate = createGate()

async function* lines(end: () => unknown) {
  try {
    yield 'a'
    await end()
    yield 'b'
  } finally {
    events.push('closed')
  }
}

const api = routes({
  text: pipe(
    path('/text'),
    get(),
    produces(text),
    handle(() => pipe(ok('é'), withCookie({ name: 'a', value: '1' }))),
  ),
  context: pipe(
    path('/context'),
    get(),
    needs({ invocation: Platform }),
    produces(json(t.unknown)),
    handle(({ needs: { invocation } }, { request }) => [invocation.context, request.clientAddress]),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(bytes),
    produces(bytes),
    handle((input) => input.body),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    responds(204),
    handle(() => {}),
  ),
  lines: pipe(
    path('/lines'),
    get(),
    produces(ndjson(t.string)),
    handle(() => lines(() => waitAtGate(gate.name))),
  ),
  fails: pipe(
    path('/fails'),
    get(),
    produces(ndjson(t.string)),
    handle(() =>
      lines(async () => {
        // later, so that the first chunk has been sent
        await wait(50)
        throw new Error('broken')
      }),
    ),
  ),
  endless: pipe(
    path('/endless'),
    get(),
    produces(ndjson(t.string)),
    handle(async function* () {
      try {
        for (;;) {
          await wait(1)
          events.push('produced')
          yield 'x'.repeat(100_000)
        }
      } finally {
        events.push('closed')
      }
    }),
  ),
})

const event = (method: string, rawPath: string, rest: Partial<LambdaEvent> = {}): LambdaEvent => ({
  version: '2.0',
  rawPath,
  rawQueryString: '',
  headers: { host: 'api.example.com' },
  requestContext: { http: { method, sourceIp: '203.0.113.9' } },
  ...rest,
})

/** Sends an event, and uses the invocation while the function runs. */
const invoke = <A>(
  received: LambdaEvent,
  use: (invocation: Invocation) => Promise<A>,
): Promise<A> =>
  inLambdaRuntime((invokeHandler) =>
    use(
      invokeHandler(toLambdaStreamHandler(api, { platform: Platform }), received, {
        awsRequestId: 'r1',
      }),
    ),
  )

describe('toLambdaStreamHandler', (test) => {
  test('sends the status, the headers and cookies before the body', () =>
    invoke(event('GET', '/text'), async (invocation) => {
      await invocation.ended
      const { contentType, prelude, body: sent } = invocation.response()
      assert.is(contentType, 'application/vnd.awslambda.http-integration-response')
      assert.equal(
        [prelude.statusCode, prelude.headers['content-type']],
        [200, 'text/plain;charset=UTF-8'],
      )
      assert.match(prelude.cookies[0] ?? '', /^a=1/)
      assert.not.ok('set-cookie' in prelude.headers)
      assert.is(sent.toString(), 'é')
    }))
  test('sends chunks when they are available', () =>
    invoke(event('GET', '/lines'), async (invocation) => {
      await waitUntil(() => invocation.response().body.toString() === '"a"\n')
      assert.is(invocation.response().prelude.statusCode, 200)
      gate.open()
      await invocation.ended
      assert.is(invocation.response().body.toString(), '"a"\n"b"\n')
    }))
  test('sends bytes unchanged', () => {
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256))
    const received = event('POST', '/echo', {
      headers: { host: 'a.test', 'content-type': 'application/octet-stream' },
      body: content.toString('base64'),
      isBase64Encoded: true,
    })
    return invoke(received, async (invocation) => {
      await invocation.ended
      assert.ok(invocation.response().body.equals(content))
    })
  })
  test('passes the event and the context to the slot', () =>
    invoke(event('GET', '/context'), async (invocation) => {
      await invocation.ended
      assert.equal(JSON.parse(invocation.response().body.toString()), [
        { awsRequestId: 'r1' },
        '203.0.113.9',
      ])
    }))
  table(
    test,
    [
      ['a response without a body', event('GET', '/nothing'), 204],
      ['a response to HEAD', event('HEAD', '/text'), 200],
      ['an invalid host', event('GET', '/text', { headers: { host: 'a b' } }), 400],
    ] as const,
    (_, received, status) =>
      invoke(received, async (invocation) => {
        await invocation.ended
        const { prelude, body: sent } = invocation.response()
        assert.equal([prelude.statusCode, sent.length], [status, 0])
      }),
  )
  test('a stream that fails rejects the invocation, and its source is closed', () =>
    invoke(event('GET', '/fails'), async (invocation) => {
      events.length = 0
      const failure = await invocation.ended.then(() => 'resolved', String)
      assert.not.equal(failure, 'resolved')
      assert.equal(events, ['closed'])
      assert.is(invocation.response().body.toString(), '"a"\n')
    }))
  test('a slow reader stops the source, and its disconnect closes the source', () =>
    invoke(event('GET', '/endless'), async (invocation) => {
      events.length = 0
      await waitUntil(() => invocation.response().body.length > 0)
      invocation.pause()
      // the buffers between the source and the reader are full when the source no longer produces elements
      await stable(() => events.length)
      invocation.disconnect()
      await invocation.ended
      await waitUntil(() => events.includes('closed'))
    }))
  test('rejects events of another version', () =>
    invoke(event('GET', '/', { version: '1.0' }), async (invocation) =>
      assert.match(
        await invocation.ended.then(() => 'resolved', String),
        /TypeError: unsupported event version "1.0"/,
      ),
    ))
  test('throws a TypeError outside of Lambda', () =>
    assert.throws(
      () => toLambdaStreamHandler(api, { platform: Platform }),
      /missing global object awslambda[^]*use toLambdaHandler/,
    ))
})
