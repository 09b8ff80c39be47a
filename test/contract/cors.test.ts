/** Pages of other origins: of the rules, and J1. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { PlainFilter } from '../../src/index.ts'
import {
  body,
  Conflict,
  cors,
  get,
  handle,
  int,
  path,
  post,
  preMatching,
  produces,
  put,
  query,
  reply,
  requestFilter,
  responseFilter,
  routes,
  text,
  vary,
  withFilter,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'

/** How often the endpoint has run. */
let runs = 0

const hello = pipe(
  path('/hello'),
  get(),
  query({ n: int }),
  produces(text),
  handle(() => {
    runs++
    return 'Hello'
  }),
)

const answering = (filter: PlainFilter) =>
  pipe(
    routes({
      hello,
      store: pipe(
        path('/hello'),
        put(),
        body(text),
        handle(() => undefined),
      ),
      posted: pipe(
        path('/hello'),
        post(),
        handle(() => undefined),
      ),
      conflict: pipe(
        path('/conflict'),
        get(),
        produces(text),
        handle((): string => {
          throw new Conflict('lock 7')
        }),
      ),
      defect: pipe(
        path('/defect'),
        get(),
        produces(text),
        handle((): string => {
          throw new Error('broken')
        }),
      ),
    }),
    withFilter(filter),
  )

const host = { Host: 'service.test' }
const from = (Origin: string, more: Readonly<Record<string, string>> = {}): RequestInit => ({
  headers: { ...host, Origin, ...more },
})

/** The fields of the protocol that a response has. */
const fieldsOf = ({ headers }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  )

const listing = answering(
  cors({
    origins: [
      'https://app.example',
      'http://localhost:3000',
      'capacitor://localhost',
      'https://[::1]:8443',
      /https:\/\/pr-\d+\.app\.example/i,
    ],
  }),
)

contract('J1, R-371 to R-374: origins', listing, (test, call) => {
  table<readonly [string, 'listed' | 'own' | 'foreign']>(
    test,
    [
      ['https://app.example', 'listed'],
      ['http://localhost:3000', 'listed'],
      ['capacitor://localhost', 'listed'],
      ['https://[::1]:8443', 'listed'],
      ['https://pr-17.app.example', 'listed'],
      ['http://service.test', 'own'],
      ['http://service.test:80', 'foreign'], // no browser writes the default port
      ['https://service.test', 'foreign'], // another scheme
      ['http://service.test:8081', 'foreign'], // another port
      ['http://app.example', 'foreign'],
      ['https://app.example:8443', 'foreign'],
      ['https://app.example/', 'foreign'], // an origin with a path
      ['https://app.example/a', 'foreign'],
      ['HTTPS://APP.EXAMPLE', 'foreign'],
      ['https://app.example.evil.example', 'foreign'],
      ['https://evil.example?https://app.example', 'foreign'],
      ['https://sub.app.example', 'foreign'],
      ['https://appxexample', 'foreign'],
      ['https://pr-17.app.example.evil.example', 'foreign'], // an expression matches the whole
      ['https://evil.example/https://pr-17.app.example', 'foreign'],
      ['https://pr-1\u00e9.app.example', 'foreign'],
      ['https://app.example, https://evil.example', 'foreign'],
      ['https://app.example https://evil.example', 'foreign'],
      ['null', 'foreign'], // J1: only if it is listed
      ['', 'foreign'],
      ['*', 'foreign'],
    ],
    async (origin, kind) => {
      runs = 0
      const response = await ask(call, 'GET /hello?n=1', from(origin))
      assert.is(response.status, kind === 'foreign' ? 403 : 200)
      assert.is(runs, kind === 'foreign' ? 0 : 1)
      assert.equal(fieldsOf(response), {
        ...(kind === 'listed' ? { 'access-control-allow-origin': origin } : {}),
        vary: 'Origin',
      })
    },
  )

  test('R-370 a request without an origin is nobody’s business', async () => {
    const response = await ask(call, 'GET /hello?n=1')
    assert.equal([response.status, fieldsOf(response)], [200, { vary: 'Origin' }])
  })
  test('R-372 a refusal is a problem document that does not repeat the origin', async () => {
    const problem = await (await ask(call, 'GET /hello?n=1', from('https://evil.example'))).text()
    assert.match(problem, /"title":"Forbidden","status":403,"detail":"Pages of this origin/)
    assert.not.match(problem, /evil/)
  })

  const listed = { 'access-control-allow-origin': 'https://app.example', vary: 'Origin' }
  table<readonly [string, number]>(
    test,
    [
      ['GET /nothing', 404],
      ['GET /hello?n=x', 400],
      ['DELETE /hello', 405],
      ['GET /conflict', 409],
      ['GET /defect', 500],
      ['OPTIONS /hello', 204], // no preflight: nothing is asked
    ],
    async (line, status) => {
      const response = await ask(call, line, from('https://app.example'))
      assert.equal([response.status, fieldsOf(response)], [status, listed])
    },
  )
  test('R-368 a refusal before matching comes before 404', async () =>
    assert.is((await ask(call, 'GET /nothing', from('https://evil.example'))).status, 403))
})

const asking = (method: string, headers?: string): Readonly<Record<string, string>> => ({
  'Access-Control-Request-Method': method,
  ...(headers === undefined ? {} : { 'Access-Control-Request-Headers': headers }),
})
const app = 'https://app.example'

contract('R-375 to R-378: preflights where nothing is listed', listing, (test, call) => {
  table<readonly [string, RequestInit, number, Readonly<Record<string, string>>]>(
    test,
    [
      [
        'the method is repeated',
        from(app, asking('PUT')),
        204,
        { 'access-control-allow-methods': 'PUT', 'access-control-allow-origin': app },
      ],
      [
        'and the fields',
        from(app, asking('CHEESE', 'x-a,X-B ,, content-type')),
        204,
        {
          'access-control-allow-headers': 'x-a, X-B, content-type',
          'access-control-allow-methods': 'CHEESE',
          'access-control-allow-origin': app,
        },
      ],
      [
        'but only names',
        from(app, asking('a b', 'x-a, <script>, "x"')),
        204,
        { 'access-control-allow-headers': 'x-a', 'access-control-allow-origin': app },
      ],
      [
        'fields without a method',
        from(app, { 'Access-Control-Request-Headers': 'x-a' }),
        204,
        { 'access-control-allow-headers': 'x-a', 'access-control-allow-origin': app },
      ],
      ['of a foreign origin', from('https://evil.example', asking('PUT')), 403, {}],
    ],
    async (_, init, status, fields) => {
      for (const target of ['/hello', '/nothing']) {
        const response = await ask(call, `OPTIONS ${target}`, init)
        assert.is(response.status, status)
        assert.is(response.headers.get('allow'), null)
        assert.equal(fieldsOf(response), { ...fields, vary: 'Origin' })
        if (status === 204) assert.is(await response.text(), '')
      }
    },
  )
})

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

contract('R-369 to R-379: everything listed', credentialed, (test, call) => {
  test('R-376 to R-378 a preflight has the lists, whatever it asks', async () => {
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
  test('R-371 an answer has what pages may read, and nothing of a preflight', async () => {
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

contract('R-380: everybody', answering(cors({ origins: '*' })), (test, call) => {
  for (const origin of [app, 'null', 'anything'])
    test(origin, async () => {
      const response = await ask(call, 'GET /hello?n=1', from(origin))
      assert.equal(
        [response.status, fieldsOf(response)],
        [200, { 'access-control-allow-origin': '*', vary: 'Origin' }],
      )
    })
})

contract('R-373: nobody but the service itself', answering(cors({ origins: [] })), (test, call) => {
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

contract('R-375: among other filters', among, (test, call) => {
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
