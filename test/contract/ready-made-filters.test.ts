/** Ready-made filters: security headers (J7), ids of requests (J6), times. */
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { broken, hello } from '../support/hello.ts'

const framed = pipe(
  path('/framed'),
  get(),
  produces(html),
  handle(() => pipe(ok('<p>'), withHeader('x-frame-options', 'SAMEORIGIN'), contentLocation('/'))),
)
const api = routes({ hello, broken, framed })

/** What is answered by each step of the way. */
const everywhere: ReadonlyArray<[line: string, status: number]> = [
  ['GET /hello?n=1', 200],
  ['HEAD /hello?n=1', 200],
  ['OPTIONS /hello', 204],
  ['GET /hello?n=x', 400],
  ['GET /nothing', 404],
  ['PUT /hello', 405],
  ['GET /broken', 500],
]

contract('security headers', pipe(api, withFilter(securityHeaders())), (test, call) => {
  table(test, everywhere, async (line, status) => {
    const { headers, status: sent } = await ask(call, line)
    assert.equal([sent, headers.get('x-content-type-options')], [status, 'nosniff'])
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

contract('security headers that are asked for', secured, (test, call) => {
  const fields = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=()',
    'cross-origin-resource-policy': 'same-site',
    'cross-origin-opener-policy': 'same-origin',
  }
  for (const [line] of everywhere)
    test(line, async () => {
      const { headers } = await ask(call, line)
      for (const [name, value] of Object.entries(fields)) assert.is(headers.get(name), value)
      // RFC 6797, 7.2: not without TLS
      assert.is(headers.get('strict-transport-security'), null)
    })
  test('what a reply says itself stays', async () => {
    const { headers } = await ask(call, 'GET /framed')
    assert.is(headers.get('x-frame-options'), 'SAMEORIGIN')
    assert.is(headers.get('content-location'), '/')
    assert.is(headers.get('referrer-policy'), 'no-referrer')
  })
})

const named = { headers: { 'X-Request-Id': 'job-17_a' } }
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

contract('ids of requests', pipe(api, withFilter(requestId())), (test, call) => {
  table(test, everywhere, async (line, status) => {
    const { headers, status: sent } = await ask(call, line, named)
    assert.equal([sent, headers.get('x-request-id')], [status, 'job-17_a'])
  })
  test('the id is that of the context', async () =>
    assert.is(await (await ask(call, 'GET /hello?n=1', named)).text(), 'job-17_a'))
  test('and of problem documents, as a valid URI', async () => {
    const { instance } = (await (await ask(call, 'GET /nothing', named)).json()) as {
      readonly instance: string
    }
    assert.is(instance, '#job-17_a')
    assert.is(new URL(instance, 'http://a.example/b').href, 'http://a.example/b#job-17_a')
  })
  table<readonly [string, boolean]>(
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
    async (id, isTaken) => {
      const { headers } = await ask(call, 'GET /hello?n=1', { headers: { 'X-Request-Id': id } })
      const sent = headers.get('x-request-id') ?? ''
      if (isTaken) assert.is(sent, id)
      else assert.match(sent, uuid)
    },
  )
  test('without one, the service makes one', async () => {
    const response = await ask(call, 'GET /hello?n=1')
    assert.match(response.headers.get('x-request-id') ?? '', uuid)
    assert.is(await response.text(), response.headers.get('x-request-id'))
  })
})

contract(
  'ids of requests that clients do not say',
  pipe(api, withFilter(requestId({ header: 'Trace', accept: false }))),
  (test, call) => {
    test('are made by the service', async () => {
      const { headers } = await ask(call, 'GET /hello?n=1', { headers: { Trace: 'a' } })
      assert.match(headers.get('trace') ?? '', uuid)
    })
  },
)

contract(
  'ids that are no text for a URI',
  pipe(api, withFilter(preMatching(() => rewrite({ id: 'a"b/ü\ud800<' })))),
  (test, call) => {
    test('are escaped in problem documents', async () => {
      const problem = (await (await ask(call, 'GET /nothing')).json()) as object
      assert.is('instance' in problem && problem.instance, '#a%22b%2F%C3%BC%EF%BF%BD%3C')
    })
  },
)

contract('timing', pipe(api, withFilter(timing())), (test, call) => {
  table(test, everywhere, async (line, status) => {
    const { headers, status: sent } = await ask(call, line)
    assert.is(sent, status)
    const said = headers.get('server-timing') ?? ''
    assert.match(said, /^total;dur=\d+\.\d\d$/)
    assert.ok(Number(said.replace('total;dur=', '')) < 10_000)
  })
})
