/** What pages of other origins may do. */
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { answering, asking, fieldsOf, from, host } from '../support/origins.ts'

const app = 'https://app.example'
const credentialed = answering(
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

contract('everything listed', credentialed, (test, call) => {
  test('a preflight has the lists, whatever it asks', async () => {
    const response = await ask(call, 'OPTIONS /hello', from(app, asking('DELETE', 'x-other')))
    assert.is(response.status, 204)
    assert.equal(fieldsOf(response), {
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'X-Token',
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-origin': app,
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })
  test('an answer has what pages may read, and nothing of a preflight', async () => {
    const response = await ask(call, 'GET /hello?n=1', from(app))
    assert.equal(fieldsOf(response), {
      ...allowed,
      'access-control-expose-headers': 'X-Total, ETag',
    })
  })
  test('J1 a page without an origin, if it is listed', async () => {
    const response = await ask(call, 'GET /hello?n=1', from('null'))
    assert.is(response.headers.get('access-control-allow-origin'), 'null')
  })
  table<readonly [string, RequestInit, number]>(
    test,
    [
      ['GET', from(app), 200],
      ['HEAD', from(app), 200], // it is GET without content
      ['PUT', from(app), 204],
      ['POST', from(app), 403],
      ['OPTIONS', from(app), 403],
      ['POST', from('http://service.test'), 204], // the service’s own pages
      ['POST', { headers: host }, 204],
    ],
    async (method, init, status) => {
      const content = method === 'PUT' ? { body: 'a' } : {}
      const response = await ask(call, `${method} /hello?n=1`, { ...init, ...content })
      assert.is(response.status, status)
    },
  )
})

const strict = answering(cors({ origins: [app], methods: [], headers: [] }))

contract('empty lists', strict, (test, call) => {
  test('allow nothing in a preflight', async () => {
    const response = await ask(call, 'OPTIONS /hello', from(app, asking('PUT', 'x-token')))
    assert.equal(
      [response.status, fieldsOf(response)],
      [204, { 'access-control-allow-origin': app, vary: 'Origin' }],
    )
  })
  test('and no method', async () =>
    assert.is((await ask(call, 'GET /hello?n=1', from(app))).status, 403))
})

const allowOrigin = 'Access-Control-Allow-Origin'
const telling = pipe(
  answering(cors({ origins: [app] })),
  withFilter(responseFilter(withHeader(allowOrigin, 'https://other.example'))),
)

contract('a reply with a list of its own', telling, (test, call) => {
  test('names one origin all the same', async () =>
    assert.is(
      (await ask(call, 'GET /hello?n=1', from(app))).headers.get('access-control-allow-origin'),
      app,
    ))
})

contract('everybody', answering(cors({ origins: '*' })), (test, call) => {
  for (const origin of [app, 'null', 'anything'])
    test(origin, async () => {
      const response = await ask(call, 'GET /hello?n=1', from(origin))
      assert.equal(
        [response.status, fieldsOf(response)],
        [200, { 'access-control-allow-origin': '*', vary: 'Origin' }],
      )
    })
})

contract('forged requests', answering(cors({ origins: [] })), (test, call) => {
  table<readonly [name: string, headers: Readonly<Record<string, string>>, status: number]>(
    test,
    [
      ['a form of another page', { Origin: app }, 403],
      ['a form of a page without an origin', { Origin: 'null' }, 403],
      ['a form of the service', { Origin: 'http://service.test' }, 204],
      ['no browser', {}, 204],
    ],
    async (_, headers, status) => {
      const sent = { ...host, ...headers, Cookie: 'session=7f3a' }
      assert.is((await ask(call, 'POST /hello', { headers: sent })).status, status)
    },
  )
})

contract('nobody but the service itself', answering(cors({ origins: [] })), (test, call) => {
  table(
    test,
    [
      ['http://service.test', 200],
      [app, 403],
    ] as const,
    async (origin, status) =>
      assert.is((await ask(call, 'GET /hello?n=1', from(origin))).status, status),
  )
})

/** What stands around the same tree changes nothing: CORS is outside of it, whichever is given first. */
const among = pipe(
  answering(cors({ origins: [app] })),
  withFilter(
    requestFilter(() => reply(401)),
    responseFilter((answered) => vary('Accept-Language')(answered)),
    preMatching(({ request }) => (request.path === '/stop' ? reply(503) : undefined)),
  ),
)

contract('among other filters', among, (test, call) => {
  const fields = { 'access-control-allow-origin': app, vary: 'Accept-Language, Origin' }
  test('a preflight needs no authentication', async () => {
    const response = await ask(call, 'OPTIONS /hello', from(app, asking('PUT')))
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
      const response = await ask(call, line, from(app))
      assert.equal([response.status, fieldsOf(response)], [status, fields])
    },
  )
})
