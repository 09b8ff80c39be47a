/** `cors` on subtrees: preflight requests, error responses, and paths whose operations belong to different subtrees. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  authenticated,
  basic,
  body,
  cors,
  del,
  get,
  handle,
  int,
  json,
  method,
  path,
  post,
  prefix,
  produces,
  put,
  query,
  requestId,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { describeTree } from '../../../src/compiler/explain.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { preflightHeaders, corsHeadersOf, requestFrom } from './origins.ts'

const app = 'https://app.example'
const partner = 'https://partner.example'
const evil = 'https://evil.example'

const textAt = (template: string) =>
  pipe(
    path(template),
    get(),
    produces(text),
    handle(() => 'read'),
  )

const books = routes({
  list: pipe(
    path('/books'),
    get(),
    query({ page: int }),
    produces(text),
    handle(() => 'read'),
  ),
  add: pipe(
    path('/books'),
    post(),
    body(json(int)),
    handle(() => {}),
  ),
  secret: pipe(textAt('/secret'), authenticated),
  options: pipe(
    path('/declared'),
    method('OPTIONS')(),
    produces(text),
    handle(() => 'declared'),
  ),
})

const api = pipe(
  routes({
    open: textAt('/open'),
    books: pipe(books, withFilter(cors({ origins: [app] }))),
    partners: pipe(
      routes({ orders: textAt('/orders') }),
      prefix('/partners'),
      withFilter(cors({ origins: [partner], methods: ['GET'], maxAge: 60 })),
    ),
    // operations with the path of `books` in other subtrees
    internal: routes({
      remove: pipe(
        path('/books'),
        del(),
        handle(() => {}),
      ),
    }),
    replace: pipe(
      routes({
        replace: pipe(
          path('/books'),
          put(),
          handle(() => {}),
        ),
      }),
      withFilter(cors({ origins: [partner] })),
    ),
  }),
  withFilter(basic({ realm: 'a', verify: () => undefined }), requestId()),
)

const none = {}
const vary = { vary: 'Origin' }
const allowed = (origin: string) => ({ 'access-control-allow-origin': origin, vary: 'Origin' })
const preflight = (origin: string, requested: string) =>
  requestFrom(origin, { 'access-control-request-method': requested })

type Row = readonly [
  name: string,
  line: string,
  init: RequestInit,
  status: number,
  headers: Readonly<Record<string, string>>,
]

const asPost = (origin: string, type: string): RequestInit => {
  const { headers = {} } = requestFrom(origin)
  return { headers: { ...(headers as Record<string, string>), 'content-type': type }, body: '1' }
}
const accepting = (origin: string, accept: string) => requestFrom(origin, { accept })

contract('cors on subtrees', api, (test, call) => {
  table<Row>(
    test,
    [
      ['an operation outside', 'GET /open', requestFrom(app), 200, none],
      ['an operation outside, without Origin', 'GET /open', {}, 200, none],
      ['an operation', 'GET /books?page=1', requestFrom(app), 200, allowed(app)],
      ['HEAD of an operation', 'HEAD /books?page=1', requestFrom(app), 200, allowed(app)],
      ['an operation without Origin', 'GET /books?page=1', {}, 200, vary],
      [
        'an operation of another subtree',
        'GET /partners/orders',
        requestFrom(partner),
        200,
        allowed(partner),
      ],
      ['an origin of another subtree', 'GET /partners/orders', requestFrom(app), 403, vary],
      ['an unknown origin', 'GET /books?page=1', requestFrom(evil), 403, vary],
      ['an invalid parameter', 'GET /books?page=x', requestFrom(app), 400, allowed(app)],
      ['missing credentials', 'GET /secret', requestFrom(app), 401, allowed(app)],
      ['an unsupported Content-Type', 'POST /books', asPost(app, 'text/csv'), 415, allowed(app)],
      [
        'an unacceptable Accept',
        'GET /books',
        accepting(app, 'image/png'),
        406,
        { ...allowed(app), vary: 'Accept, Origin' },
      ],
      ['an unsupported method', 'PATCH /books', requestFrom(app), 405, allowed(app)],
      ['an unsupported method and an unknown origin', 'PATCH /books', requestFrom(evil), 403, vary],
      ['an unsupported method outside', 'PATCH /open', requestFrom(app), 405, none],
      ['an unknown path', 'GET /nowhere', requestFrom(app), 404, none],
      ['another operation of the same path', 'DELETE /books', requestFrom(app), 204, none],
      [
        'an operation of the same path in another subtree',
        'PUT /books',
        requestFrom(partner),
        204,
        allowed(partner),
      ],
      ['an origin for another method of the path', 'PUT /books', requestFrom(app), 403, vary],
      [
        'OPTIONS that is no preflight request',
        'OPTIONS /books',
        requestFrom(app),
        204,
        allowed(app),
      ],
      ['OPTIONS outside', 'OPTIONS /open', requestFrom(app), 204, none],
    ],
    async (_, line, init, status, expected) => {
      const response = await sendRequest(call, line, init)
      assert.is(response.status, status)
      assert.equal(corsHeadersOf(response), expected)
      assert.ok(response.headers.get('x-request-id') !== null, 'a filter of the root did not run')
    },
  )
})

contract('preflight requests for subtrees', api, (test, call) => {
  table<Row>(
    test,
    [
      ['GET', 'OPTIONS /books', preflight(app, 'GET'), 204, allowed(app)],
      ['HEAD', 'OPTIONS /books', preflight(app, 'HEAD'), 204, allowed(app)],
      ['POST', 'OPTIONS /books', preflight(app, 'POST'), 204, allowed(app)],
      [
        'a method of another subtree',
        'OPTIONS /books',
        preflight(partner, 'PUT'),
        204,
        allowed(partner),
      ],
      [
        'a method of another subtree, its origin not allowed',
        'OPTIONS /books',
        preflight(app, 'PUT'),
        403,
        vary,
      ],
      ['a method outside of all subtrees', 'OPTIONS /books', preflight(app, 'DELETE'), 204, none],
      ['an unsupported method', 'OPTIONS /books', preflight(app, 'PATCH'), 204, allowed(app)],
      ['an unknown origin', 'OPTIONS /books', preflight(evil, 'GET'), 403, vary],
      [
        'an operation that requires authentication',
        'OPTIONS /secret',
        preflight(app, 'GET'),
        204,
        allowed(app),
      ],
      [
        'a declared OPTIONS operation',
        'OPTIONS /declared',
        preflight(app, 'OPTIONS'),
        204,
        allowed(app),
      ],
      ['an operation outside', 'OPTIONS /open', preflight(app, 'GET'), 204, none],
      ['an unknown path', 'OPTIONS /nowhere', preflight(app, 'GET'), 404, none],
    ],
    async (_, line, init, status, expected) => {
      const response = await sendRequest(call, line, init)
      assert.is(response.status, status)
      const { 'access-control-allow-methods': methods, ...headers } = corsHeadersOf(response)
      assert.equal(headers, expected)
      assert.is(methods !== undefined, 'access-control-allow-origin' in expected)
    },
  )

  test('a preflight response has the lists of its subtree', async () => {
    const headers = preflightHeaders('GET', 'x-token')
    const response = await sendRequest(
      call,
      'OPTIONS /partners/orders',
      requestFrom(partner, headers),
    )
    assert.equal(corsHeadersOf(response), {
      ...allowed(partner),
      'access-control-allow-headers': 'x-token',
      'access-control-allow-methods': 'GET',
      'access-control-max-age': '60',
    })
  })
  test('a declared OPTIONS operation runs if the request is no preflight request', async () => {
    const response = await sendRequest(call, 'OPTIONS /declared', requestFrom(app))
    assert.is(await response.text(), 'declared')
  })
})

const nested = pipe(
  routes({
    inner: pipe(routes({ inner: textAt('/inner') }), withFilter(cors({ origins: [app] }))),
    outer: textAt('/outer'),
  }),
  withFilter(cors({ origins: [app, partner] })),
)

contract('cors on the root and on a subtree', nested, (test, call) => {
  table<readonly [name: string, line: string, origin: string, status: number]>(
    test,
    [
      ['an origin allowed by both', 'GET /inner', app, 200],
      ['an origin allowed only by the root', 'GET /inner', partner, 403],
      ['an operation outside of the subtree', 'GET /outer', partner, 200],
      ['an unknown path', 'GET /nowhere', partner, 404],
    ],
    async (_, line, origin, status) => {
      const response = await sendRequest(call, line, requestFrom(origin))
      assert.is(response.status, status)
      assert.is(response.headers.get('access-control-allow-origin'), origin)
      assert.is(response.headers.get('vary'), 'Origin')
    },
  )
})

describe('describeTree', (test) =>
  test('lists cors of a subtree', () =>
    assert.match(describeTree(compile(api)), /GET \/secret[^]*? {2}path filter, priority 500\n/)))
