/** Declared methods, and responses with status 405 and 501 to others. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
import {
  body,
  del,
  get,
  handle,
  method,
  options,
  patch,
  path,
  post,
  preMatching,
  produces,
  put,
  rewrite,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { ConfigurationError, serve } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import {
  responseTo,
  testRequests,
  sendRequest,
  sendRawRequest,
} from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const all = pipe(path('/all'), produces(text))
const echo = pipe(path('/echo'), body(text), produces(text))
const methodName = (_: unknown, { request }: Context): string => request.method

const declared = routes({
  get: pipe(all, get(), handle(methodName)),
  post: pipe(all, post(), handle(methodName)),
  put: pipe(all, put(), handle(methodName)),
  patch: pipe(all, patch(), handle(methodName)),
  del: pipe(all, del(), handle(methodName)),
  options: pipe(all, options(), handle(methodName)),
  purge: pipe(all, method('PURGE')(), handle(methodName)),
  onlyGet: pipe(path('/get-only'), get(), produces(text), handle(methodName)),
  echoDelete: pipe(
    echo,
    del(),
    handle((input) => input.body),
  ),
  echoPatch: pipe(
    echo,
    patch(),
    handle((input) => input.body),
  ),
  echoPost: pipe(
    echo,
    post(),
    handle((input) => input.body),
  ),
  echoPurge: pipe(
    echo,
    method('PURGE')(),
    handle((input) => input.body),
  ),
  echoPut: pipe(
    echo,
    put(),
    handle((input) => input.body),
  ),
})

contract('declared methods', declared, (test, call) => {
  testRequests(test, call, [
    ['GET', 'GET /all', 'GET'],
    ['POST', 'POST /all', 'POST'],
    ['PUT', 'PUT /all', 'PUT'],
    ['PATCH', 'PATCH /all', 'PATCH'],
    ['DELETE', 'DELETE /all', 'DELETE'],
    ['OPTIONS', 'OPTIONS /all', 'OPTIONS'],
    ['a custom method', 'PURGE /all', 'PURGE'],
    ['a method that only another path declares', 'PURGE /get-only', 405],
    ['a declared method on an unknown path', 'PURGE /nothing', 404],
    ['a standard method that the path does not declare', 'POST /get-only', 405],
    ['a standard method on an unknown path', 'POST /nothing', 404],
    ['a method that no operation declares', 'LINK /all', 501],
    ['a method that no operation declares, on an unknown path', 'LINK /nothing', 501],
    ['a method that no operation declares, on a malformed path', 'LINK /%ff', 501],
    ['a registered WebDAV method that no operation declares', 'PROPFIND /all', 501],
  ])

  table(
    test,
    [
      ['POST with a body', 'POST'],
      ['PUT with a body', 'PUT'],
      ['PATCH with a body', 'PATCH'],
      ['DELETE with a body', 'DELETE'],
      ['a custom method with a body', 'PURGE'],
    ] as const,
    async (_, verb) =>
      assert.equal(await responseTo(call, `${verb} /echo`, { body: 'text' }), [200, 'text']),
  )
})

const overlapping = routes({
  literal: pipe(path('/books/new'), get(), produces(text), handle(methodName)),
  variable: pipe(path('/books/{id}'), put(), produces(text), handle(methodName)),
  spanning: pipe(path('/{rest:.+}'), del(), produces(text), handle(methodName)),
})

contract('unsupported methods', overlapping, (test, call) => {
  table(
    test,
    [
      ['a method of none of three templates', 'POST /books/new', ['GET', 'PUT', 'DELETE', 'HEAD']],
      ['a method of none of two templates', 'POST /books/1', ['PUT', 'DELETE']],
      ['a method that the only template does not have', 'GET /shelves/1', ['DELETE']],
    ] as const,
    async (_, line, methods) => {
      const allow = [...methods, 'OPTIONS']
      const response = await sendRequest(call, line)
      assert.is(response.status, 405)
      assert.is(response.headers.get('allow'), allow.join(', '))
      const { title, supported } = (await response.json()) as Readonly<Record<string, unknown>>
      assert.equal([title, supported], ['Method Not Allowed', allow])
    },
  )

  testRequests(test, call, [
    ['a method of a less specific template', 'PUT /books/new', 'PUT'],
    ['a method of the least specific template', 'DELETE /books/new', 'DELETE'],
    ['a path without a template', 'POST /', 404],
  ])
})

const override = preMatching(({ request }) => {
  const value = request.header('X-Method')
  return value === undefined ? undefined : rewrite({ method: value })
})

contract(
  'methods rewritten by a pre-matching filter',
  pipe(routes({ get: pipe(all, get(), handle(methodName)) }), withFilter(override)),
  (test, call) => {
    test('the rewritten method selects the operation', async () =>
      assert.equal(await responseTo(call, 'LINK /all', { headers: { 'x-method': 'GET' } }), [
        200,
        'GET',
      ]))

    test('an unknown rewritten method returns 501', async () =>
      assert.is(
        (await sendRequest(call, 'GET /all', { headers: { 'x-method': 'CHEESE' } })).status,
        501,
      ))

    test('an unknown method that is not rewritten returns 501', async () =>
      assert.is((await sendRequest(call, 'LINK /all')).status, 501))
  },
)

const cheese = routes({
  get: pipe(path('/cheeses/{name}'), get(), produces(text), handle(methodName)),
  cheese: pipe(
    path('/cheeses/{name}'),
    method('CHEESE')(),
    body(text),
    produces(text),
    handle((input, { request }) => `${request.method} ${input.path.name} ${input.body}`),
  ),
})

describe('methods that node:http does not support', (test) => {
  const send = inMemory(cheese)

  testRequests(test, send, [
    ['another method of the path', 'GET /cheeses/brie', 'GET'],
    ['a method that the path does not declare', 'POST /cheeses/brie', 405],
    ['a path without a template', 'CHEESE /', 404],
    ['a method in another case', 'cheese /cheeses/brie', 501],
  ])

  test('any token is a valid method in memory', async () =>
    assert.equal(await responseTo(send, 'CHEESE /cheeses/brie', { body: 'rind' }), [
      200,
      'CHEESE brie rind',
    ]))

  test('Allow lists the method', async () =>
    assert.is(
      (await sendRequest(send, 'OPTIONS /cheeses/brie')).headers.get('allow'),
      'GET, CHEESE, HEAD, OPTIONS',
    ))

  test('an undeclared token returns 501 in memory', async () =>
    assert.is((await sendRequest(inMemory(overlapping), 'CHEESE /books/1')).status, 501))

  test('serve rejects methods that node:http does not support', async () => {
    const started = await serve(cheese, {
      'fw.http.connection': 'node',
      'fw.http.port': 0,
    }).catch((error: unknown) => error)
    if (!(started instanceof ConfigurationError)) throw new TypeError('the server has started')
    assert.equal(
      started.issues.map(({ code, concerns }) => [code, concerns]),
      [['FW-ROUTE-006', ['CHEESE /cheeses/{name}  (cheese)']]],
    )
  })
})

const unsupported = routes({
  get: pipe(all, get(), handle(methodName)),
  trace: pipe(all, method('TRACE')(), handle(methodName)),
})

describe('methods that Request does not support', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(unsupported, {
      logger: silentLogger,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
    })
  })
  after(() => server?.close())

  test('the body of a GET request is ignored', async () => {
    const response = await sendRawRequest(server?.url ?? '', { path: '/all', body: 'text' })
    assert.equal([response.status, await response.text()], [200, 'GET'])
  })

  test('a declared TRACE operation runs', async () => {
    const response = await sendRawRequest(server?.url ?? '', { path: '/all', method: 'TRACE' })
    assert.equal([response.status, await response.text()], [200, 'TRACE'])
  })
})
