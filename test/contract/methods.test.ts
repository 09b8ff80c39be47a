/** Methods: each that can be declared, HEAD and OPTIONS where they are not, and the refusal of all others. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  del,
  get,
  handle,
  head,
  method,
  options,
  patch,
  path,
  post,
  produces,
  put,
  responds,
  responseHeader,
  routes,
  text,
  withHeader,
  reply,
} from '../../src/index.ts'
import { silent } from '../../src/interpreter/logger.ts'
import type { Server } from '../../src/node.ts'
import { MistakesError, serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { answerTo, answers, ask, sendLines } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'

const all = path('/all')
const send = path('/send')

const declared = routes({
  get: pipe(
    all,
    get(),
    produces(text),
    handle(() => 'GET'),
  ),
  post: pipe(
    all,
    post(),
    produces(text),
    handle(() => 'POST'),
  ),
  put: pipe(
    all,
    put(),
    produces(text),
    handle(() => 'PUT'),
  ),
  patch: pipe(
    all,
    patch(),
    produces(text),
    handle(() => 'PATCH'),
  ),
  del: pipe(
    all,
    del(),
    produces(text),
    handle(() => 'DELETE'),
  ),
  options: pipe(
    all,
    options(),
    produces(text),
    handle(() => 'OPTIONS'),
  ),
  purge: pipe(
    all,
    method('PURGE')(),
    produces(text),
    handle(() => 'PURGE'),
  ),
  sentDel: pipe(
    send,
    del(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  sentPatch: pipe(
    send,
    patch(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  sentPost: pipe(
    send,
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  sentPurge: pipe(
    send,
    method('PURGE')(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  sentPut: pipe(
    send,
    put(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
})

contract('methods that are declared', declared, (test, call) => {
  answers(test, call, [
    ['R-112 GET', 'GET /all', 'GET'],
    ['R-112 POST', 'POST /all', 'POST'],
    ['R-112 PUT', 'PUT /all', 'PUT'],
    ['R-112 PATCH', 'PATCH /all', 'PATCH'],
    ['R-112 DELETE', 'DELETE /all', 'DELETE'],
    ['R-112 OPTIONS', 'OPTIONS /all', 'OPTIONS'],
    ['R-113 a method of one’s own', 'PURGE /all', 'PURGE'],
    ['R-117 a method that no operation here has', 'LINK /all', 405],
    ['R-117 on a path that does not exist', 'LINK /nothing', 404],
  ])

  table(
    test,
    [
      ['R-112 POST with content', 'POST'],
      ['R-112 PUT with content', 'PUT'],
      ['R-112 PATCH with content', 'PATCH'],
      ['R-112 DELETE with content', 'DELETE'],
      ['R-113 a method of one’s own with content', 'PURGE'],
    ] as const,
    async (_, name) =>
      assert.equal(await answerTo(call, `${name} /send`, { body: 'content' }), [200, 'content']),
  )

  test('R-115 a declared OPTIONS answers for itself', async () => {
    const { headers } = await ask(call, 'OPTIONS /all')
    assert.is(headers.get('allow'), null)
  })
})

const derived = routes({
  page: pipe(
    path('/page'),
    get(),
    responseHeader('X-Kind', 'page'),
    produces(text),
    handle((_, { request }) => (request.method === 'HEAD' ? 'höt' : 'page')),
  ),
  save: pipe(
    path('/page'),
    put(),
    handle(() => undefined),
  ),
  own: pipe(
    path('/own'),
    head(),
    responds(200),
    handle(() => pipe(reply(200), withHeader('X-Kind', 'head'))),
  ),
  get: pipe(
    path('/own'),
    get(),
    produces(text),
    handle(() => 'get'),
  ),
  empty: pipe(
    path('/empty'),
    get(),
    handle(() => undefined),
  ),
  remove: pipe(
    path('/removable'),
    del(),
    handle(() => undefined),
  ),
})

contract('methods that are derived', derived, (test, call) => {
  test('R-114 HEAD is GET without its content', async () => {
    const response = await ask(call, 'HEAD /page')
    const { headers } = response
    assert.is(response.status, 200)
    assert.is(await response.text(), '')
    assert.is(headers.get('x-kind'), 'page')
    assert.is(headers.get('content-type'), 'text/plain;charset=UTF-8')
    assert.is(headers.get('content-length'), '4') // octets of what the handler returned
  })

  test('R-114 HEAD is an operation of its own where it is declared', async () => {
    const { status, headers } = await ask(call, 'HEAD /own')
    assert.equal([status, headers.get('x-kind')], [200, 'head'])
  })

  answers(test, call, [
    ['R-114 which leaves GET alone', 'GET /own', 'get'],
    ['R-114 HEAD has the status of GET', 'HEAD /empty', 204],
    ['R-114 HEAD without GET is refused', 'HEAD /removable', 405],
    ['R-114 HEAD of what is not there', 'HEAD /nothing', 404],
    ['R-115 OPTIONS of what is not there', 'OPTIONS /nothing', 404],
  ])

  test('R-114 HEAD that is refused has no content', async () => {
    const response = await ask(call, 'HEAD /removable')
    assert.is(await response.text(), '')
    assert.is(response.headers.get('content-type'), 'application/problem+json')
  })

  table(
    test,
    [
      ['R-115 OPTIONS names the methods of the path', '/page', 'GET, PUT, HEAD, OPTIONS'],
      ['R-115 each of them once', '/own', 'HEAD, GET, OPTIONS'],
      ['R-115 HEAD only with GET', '/removable', 'DELETE, OPTIONS'],
    ] as const,
    async (_, target, allow) => {
      const response = await ask(call, `OPTIONS ${target}`)
      assert.equal([response.status, await response.text()], [204, ''])
      assert.is(response.headers.get('allow'), allow)
    },
  )
})

const overlapping = routes({
  literal: pipe(
    path('/books/new'),
    get(),
    produces(text),
    handle(() => 'new'),
  ),
  variable: pipe(
    path('/books/{id}'),
    put(),
    handle(() => undefined),
  ),
  spanning: pipe(
    path('/{rest:.+}'),
    del(),
    handle(() => undefined),
  ),
})

contract('methods that are refused', overlapping, (test, call) => {
  table(
    test,
    [
      [
        'R-116 a method of none of the templates',
        'POST /books/new',
        'GET, PUT, DELETE, HEAD, OPTIONS',
      ],
      ['R-116 of those that match', 'POST /books/1', 'PUT, DELETE, OPTIONS'],
      ['R-116 of the last one', 'GET /shelves/1', 'DELETE, OPTIONS'],
      ['R-116 as OPTIONS tells them', 'OPTIONS /books/1', 'PUT, DELETE, OPTIONS'],
    ] as const,
    async (_, line, allow) => {
      const { status, headers } = await ask(call, line)
      assert.is(status, line.startsWith('OPTIONS') ? 204 : 405)
      assert.is(headers.get('allow'), allow)
    },
  )

  answers(test, call, [
    ['R-116 a method of a less precise template', 'PUT /books/new', 204],
    ['R-116 of the least precise', 'DELETE /books/new', 204],
    ['R-116 no template, no method', 'POST /', 404],
  ])

  test('R-116 the problem document lists the methods', async () => {
    const [, content] = await answerTo(call, 'POST /books/1')
    assert.equal((content as { readonly supported: unknown }).supported, [
      'PUT',
      'DELETE',
      'OPTIONS',
    ])
  })
})

const cheese = routes({
  cheese: pipe(
    path('/'),
    method('CHEESE')(),
    produces(text),
    handle(() => 'Gouda'),
  ),
})

describe('methods beyond those of node:http', (test) => {
  test('R-113 any token is a method in memory', async () =>
    assert.equal(await answerTo(inMemory(cheese), 'CHEESE /'), [200, 'Gouda']))

  test('R-113 methods are case-sensitive', async () =>
    assert.is((await ask(inMemory(cheese), 'cheese /')).status, 405))

  test('R-113 a server says at its start what cannot arrive', async () => {
    const failed = await serve(cheese, { 'fw.http.port': 0 }).then(undefined, (error) => error)
    assert.instance(failed, MistakesError)
    assert.equal(
      (failed as MistakesError).mistakes.map(({ code, concerns }) => [code, concerns]),
      [['FW-ROUTE-006', ['CHEESE /  (cheese)']]],
    )
  })
})

const traced = routes({
  get: pipe(
    path('/'),
    get(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  trace: pipe(
    path('/'),
    method('TRACE')(),
    produces(text),
    handle(() => 'TRACE'),
  ),
})

describe('methods that a Request cannot have', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(traced, { logger: silent, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  })
  after(() => server?.close())
  const sent = async (name: string, content?: string): Promise<unknown> => {
    const response = await sendLines(server?.url ?? '', {
      path: '/',
      method: name,
      ...(content === undefined ? {} : { content }),
    })
    return [response.status, await response.text()]
  }

  test('R-112 GET with content', async () =>
    assert.equal(await sent('GET', 'content'), [200, 'content']))
  test('R-113 TRACE', async () => assert.equal(await sent('TRACE'), [200, 'TRACE']))
})
