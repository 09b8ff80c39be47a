/** Options of `cors`: lists, credentials, wildcards, and its order relative to other filters. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  cors,
  preMatching,
  reply,
  requestFilter,
  responseFilter,
  vary,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { treeWith, preflightHeaders, corsHeadersOf, requestFrom, host } from './origins.ts'

const app = 'https://app.example'
const configured = treeWith(
  cors({
    origins: [app, 'null'],
    methods: ['GET', 'PUT'],
    headers: ['X-Token'],
    exposedHeaders: ['X-Total', 'ETag'],
    maxAge: 600,
    credentials: true,
  }),
)
const allowed = {
  'access-control-allow-credentials': 'true',
  'access-control-allow-origin': app,
  vary: 'Origin',
}

valueContract('cors with all options', configured, (test, call) => {
  test('a preflight response has the configured lists', async () => {
    const response = await sendRequest(
      call,
      'OPTIONS /hello',
      requestFrom(app, preflightHeaders('DELETE', 'x-other')),
    )
    assert.is(response.status, 204)
    assert.equal(corsHeadersOf(response), {
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'X-Token',
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-origin': app,
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })
  test('a response exposes headers and has no preflight headers', async () => {
    const response = await sendRequest(call, 'GET /hello?n=1', requestFrom(app))
    assert.equal(corsHeadersOf(response), {
      ...allowed,
      'access-control-expose-headers': 'X-Total, ETag',
    })
  })
  test('a listed null origin is allowed', async () => {
    const response = await sendRequest(call, 'GET /hello?n=1', requestFrom('null'))
    assert.is(response.headers.get('access-control-allow-origin'), 'null')
  })
  table<readonly [name: string, method: string, init: RequestInit, status: number]>(
    test,
    [
      ['GET, listed', 'GET', requestFrom(app), 200],
      ['HEAD, allowed with GET', 'HEAD', requestFrom(app), 200],
      ['PUT, listed', 'PUT', requestFrom(app), 204],
      ['POST, not listed', 'POST', requestFrom(app), 403],
      ['OPTIONS, not listed', 'OPTIONS', requestFrom(app), 403],
      ['POST of the same origin', 'POST', requestFrom('http://service.test'), 204],
      ['POST without Origin', 'POST', { headers: host }, 204],
    ],
    async (_, method, init, status) => {
      const payload = method === 'PUT' ? { body: 'a' } : {}
      const response = await sendRequest(call, `${method} /hello?n=1`, { ...init, ...payload })
      assert.is(response.status, status)
    },
  )
})

const strict = treeWith(cors({ origins: [app], methods: [], headers: [] }))

valueContract('cors with empty lists', strict, (test, call) => {
  test('a preflight response allows no methods and headers', async () => {
    const response = await sendRequest(
      call,
      'OPTIONS /hello',
      requestFrom(app, preflightHeaders('PUT', 'x-token')),
    )
    assert.equal(
      [response.status, corsHeadersOf(response)],
      [204, { 'access-control-allow-origin': app, vary: 'Origin' }],
    )
  })
  test('every method returns 403', async () =>
    assert.is((await sendRequest(call, 'GET /hello?n=1', requestFrom(app))).status, 403))
})

const allowOrigin = 'Access-Control-Allow-Origin'
const ownHeader = pipe(
  treeWith(cors({ origins: [app] })),
  withFilter(responseFilter(withHeader(allowOrigin, 'https://other.example'))),
)

valueContract('a response with its own Access-Control-Allow-Origin', ownHeader, (test, call) => {
  test('cors replaces the header', async () =>
    assert.is(
      (await sendRequest(call, 'GET /hello?n=1', requestFrom(app))).headers.get(
        'access-control-allow-origin',
      ),
      app,
    ))
})

valueContract('cors with the wildcard origin', treeWith(cors({ origins: '*' })), (test, call) => {
  for (const origin of [app, 'null', 'anything'])
    test(`Origin: ${origin}`, async () => {
      const response = await sendRequest(call, 'GET /hello?n=1', requestFrom(origin))
      assert.equal(
        [response.status, corsHeadersOf(response)],
        [200, { 'access-control-allow-origin': '*', vary: 'Origin' }],
      )
    })
})

valueContract('cross-site request forgery', treeWith(cors({ origins: [] })), (test, call) => {
  table<readonly [name: string, headers: Readonly<Record<string, string>>, status: number]>(
    test,
    [
      ['a form of a foreign origin', { Origin: app }, 403],
      ['a form of a null origin', { Origin: 'null' }, 403],
      ['a form of the same origin', { Origin: 'http://service.test' }, 204],
      ['a client without Origin', {}, 204],
    ],
    async (_, headers, status) => {
      const requestHeaders = { ...host, ...headers, Cookie: 'session=7f3a' }
      assert.is(
        (await sendRequest(call, 'POST /hello', { headers: requestHeaders })).status,
        status,
      )
    },
  )
})

valueContract('cors without origins', treeWith(cors({ origins: [] })), (test, call) => {
  table(
    test,
    [
      ['http://service.test', 200],
      [app, 403],
    ] as const,
    async (origin, status) =>
      assert.is((await sendRequest(call, 'GET /hello?n=1', requestFrom(origin))).status, status),
  )
})

/** `cors` wraps all other filters, regardless of the order in which they are applied. */
const filtered = pipe(
  treeWith(cors({ origins: [app] })),
  withFilter(
    requestFilter(() => reply(401)),
    responseFilter((response) => vary('Accept-Language')(response)),
    preMatching(({ request }) => (request.path === '/stop' ? reply(503) : undefined)),
  ),
)

valueContract('cors among other filters', filtered, (test, call) => {
  const expected = { 'access-control-allow-origin': app, vary: 'Accept-Language, Origin' }
  test('a preflight request requires no authentication', async () => {
    const response = await sendRequest(
      call,
      'OPTIONS /hello',
      requestFrom(app, preflightHeaders('PUT')),
    )
    assert.equal(
      [response.status, response.headers.get('access-control-allow-methods')],
      [204, 'PUT'],
    )
  })
  table(
    test,
    [
      ['GET /hello?n=1', 401],
      ['GET /stop', 503],
    ] as const,
    async (line, status) => {
      const response = await sendRequest(call, line, requestFrom(app))
      assert.equal([response.status, corsHeadersOf(response)], [status, expected])
    },
  )
})
