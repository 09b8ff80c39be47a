/** Ready-made filters: `securityHeaders`, `requestId` and `timing`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  contentLocation,
  get,
  handle,
  html,
  ok,
  path,
  preMatching,
  produces,
  requestId,
  rewrite,
  routes,
  securityHeaders,
  timing,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { broken, hello } from './hello.ts'

const framed = pipe(
  path('/framed'),
  get(),
  produces(html),
  handle(() => pipe(ok('<p>'), withHeader('x-frame-options', 'SAMEORIGIN'), contentLocation('/'))),
)
const api = routes({ hello, broken, framed })

/** A request for each step that can produce a response. */
const requests: ReadonlyArray<[line: string, status: number]> = [
  ['GET /hello?n=1', 200],
  ['HEAD /hello?n=1', 200],
  ['OPTIONS /hello', 204],
  ['GET /hello?n=x', 400],
  ['GET /nothing', 404],
  ['PUT /hello', 405],
  ['GET /broken', 500],
]

contract('securityHeaders', pipe(api, withFilter(securityHeaders())), (test, call) => {
  table(test, requests, async (line, status) => {
    const { headers, status: received } = await sendRequest(call, line)
    assert.equal([received, headers.get('x-content-type-options')], [status, 'nosniff'])
    assert.is(headers.get('content-security-policy'), null)
    assert.is(headers.get('x-powered-by'), null)
    assert.is(headers.get('cache-control'), status >= 400 ? 'no-store' : null)
  })
})

const secured = pipe(
  api,
  withFilter(
    securityHeaders({
      strictTransportSecurity: true,
      contentSecurityPolicy: true,
      frameOptions: true,
      referrerPolicy: true,
      permissionsPolicy: 'camera=()',
      crossOriginResourcePolicy: 'same-site',
      crossOriginOpenerPolicy: true,
    }),
  ),
)

contract('securityHeaders with all options', secured, (test, call) => {
  const expected = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=()',
    'cross-origin-resource-policy': 'same-site',
    'cross-origin-opener-policy': 'same-origin',
  }
  for (const [line] of requests)
    test(line, async () => {
      const { headers } = await sendRequest(call, line)
      for (const [name, value] of Object.entries(expected)) assert.is(headers.get(name), value)
      // RFC 6797, 7.2: not sent without TLS.
      assert.is(headers.get('strict-transport-security'), null)
    })
  test('a header set by the handler is kept', async () => {
    const { headers } = await sendRequest(call, 'GET /framed')
    assert.is(headers.get('x-frame-options'), 'SAMEORIGIN')
    assert.is(headers.get('content-location'), '/')
    assert.is(headers.get('referrer-policy'), 'no-referrer')
  })
})

const withId = { headers: { 'X-Request-Id': 'job-17_a' } }
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

contract('requestId', pipe(api, withFilter(requestId())), (test, call) => {
  table(test, requests, async (line, status) => {
    const { headers, status: received } = await sendRequest(call, line, withId)
    assert.equal([received, headers.get('x-request-id')], [status, 'job-17_a'])
  })
  test('the id of the request is that of the context', async () =>
    assert.is(await (await sendRequest(call, 'GET /hello?n=1', withId)).text(), 'job-17_a'))
  test('the instance of a problem document is the id, as a valid URI', async () => {
    const { instance } = (await (await sendRequest(call, 'GET /nothing', withId)).json()) as {
      readonly instance: string
    }
    assert.is(instance, '#job-17_a')
    assert.is(new URL(instance, 'http://a.example/b').href, 'http://a.example/b#job-17_a')
  })
  table<readonly [id: string, isAccepted: boolean]>(
    test,
    [
      ['a', true],
      ['A-z_0', true],
      ['x'.repeat(64), true],
      ['x'.repeat(65), false],
      ['', false],
      ['a b', false],
      ['a.b', false],
      ['a"b', false],
      ['<b>', false],
      ['a%0Ab', false],
      ['é', false],
      ['a, b', false],
    ],
    async (id, isAccepted) => {
      const { headers } = await sendRequest(call, 'GET /hello?n=1', {
        headers: { 'X-Request-Id': id },
      })
      const sent = headers.get('x-request-id') ?? ''
      if (isAccepted) assert.is(sent, id)
      else assert.match(sent, uuid)
    },
  )
  test('a request without an id gets a generated UUID', async () => {
    const response = await sendRequest(call, 'GET /hello?n=1')
    assert.match(response.headers.get('x-request-id') ?? '', uuid)
    assert.is(await response.text(), response.headers.get('x-request-id'))
  })
})

contract(
  'requestId with accept: false',
  pipe(api, withFilter(requestId({ header: 'Trace', accept: false }))),
  (test, call) => {
    test('the id of the client is replaced by a generated UUID', async () => {
      const { headers } = await sendRequest(call, 'GET /hello?n=1', { headers: { Trace: 'a' } })
      assert.match(headers.get('trace') ?? '', uuid)
    })
  },
)

contract(
  'request ids with reserved characters',
  pipe(api, withFilter(preMatching(() => rewrite({ id: 'a"b/ü\ud800<' })))),
  (test, call) => {
    test('the instance of a problem document is escaped', async () => {
      const problem = (await (await sendRequest(call, 'GET /nothing')).json()) as object
      assert.is('instance' in problem && problem.instance, '#a%22b%2F%C3%BC%EF%BF%BD%3C')
    })
  },
)

contract('timing', pipe(api, withFilter(timing())), (test, call) => {
  table(test, requests, async (line, status) => {
    const { headers, status: received } = await sendRequest(call, line)
    assert.is(received, status)
    const serverTiming = headers.get('server-timing') ?? ''
    assert.match(serverTiming, /^total;dur=\d+\.\d\d$/)
    assert.ok(Number(serverTiming.replace('total;dur=', '')) < 10_000)
  })
})
