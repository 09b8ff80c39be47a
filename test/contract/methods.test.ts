/** Methods that are declared, and the refusal of all others. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { MistakesError, serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { answerTo, answers, ask, sendLines } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const all = pipe(path('/all'), produces(text))
const send = pipe(path('/send'), body(text), produces(text))
const name = (_: unknown, { request }: Context): string => request.method

const declared = routes({
  get: pipe(all, get(), handle(name)),
  post: pipe(all, post(), handle(name)),
  put: pipe(all, put(), handle(name)),
  patch: pipe(all, patch(), handle(name)),
  del: pipe(all, del(), handle(name)),
  options: pipe(all, options(), handle(name)),
  purge: pipe(all, method('PURGE')(), handle(name)),
  onlyGet: pipe(path('/nothing-but-get'), get(), produces(text), handle(name)),
  sendDelete: pipe(
    send,
    del(),
    handle((input) => input.body),
  ),
  sendPatch: pipe(
    send,
    patch(),
    handle((input) => input.body),
  ),
  sendPost: pipe(
    send,
    post(),
    handle((input) => input.body),
  ),
  sendPurge: pipe(
    send,
    method('PURGE')(),
    handle((input) => input.body),
  ),
  sendPut: pipe(
    send,
    put(),
    handle((input) => input.body),
  ),
})

contract('methods that are declared', declared, (test, call) => {
  answers(test, call, [
    ['GET', 'GET /all', 'GET'],
    ['POST', 'POST /all', 'POST'],
    ['PUT', 'PUT /all', 'PUT'],
    ['PATCH', 'PATCH /all', 'PATCH'],
    ['DELETE', 'DELETE /all', 'DELETE'],
    ['OPTIONS', 'OPTIONS /all', 'OPTIONS'],
    ['a method of one’s own', 'PURGE /all', 'PURGE'],
    ['a method that only another path declares', 'PURGE /nothing-but-get', 405],
    ['a declared method on an unknown path', 'PURGE /nothing', 404],
    ['a standard method that the path does not declare', 'POST /nothing-but-get', 405],
    ['a standard method on an unknown path', 'POST /nothing', 404],
    ['a method that no operation declares', 'LINK /all', 501],
    ['a method that no operation declares, on an unknown path', 'LINK /nothing', 501],
    ['a method that no operation declares, on a malformed path', 'LINK /%ff', 501],
    ['a registered WebDAV method that no operation declares', 'PROPFIND /all', 501],
  ])

  table(
    test,
    [
      ['POST with content', 'POST'],
      ['PUT with content', 'PUT'],
      ['PATCH with content', 'PATCH'],
      ['DELETE with content', 'DELETE'],
      ['a method of one’s own with content', 'PURGE'],
    ] as const,
    async (_, sent) =>
      assert.equal(await answerTo(call, `${sent} /send`, { body: 'content' }), [200, 'content']),
  )
})

const overlapping = routes({
  literal: pipe(path('/books/new'), get(), produces(text), handle(name)),
  variable: pipe(path('/books/{id}'), put(), produces(text), handle(name)),
  spanning: pipe(path('/{rest:.+}'), del(), produces(text), handle(name)),
})

contract('methods that are refused', overlapping, (test, call) => {
  table(
    test,
    [
      ['a method of no template', 'POST /books/new', ['GET', 'PUT', 'DELETE', 'HEAD']],
      ['of those that match', 'POST /books/1', ['PUT', 'DELETE']],
      ['of the last one', 'GET /shelves/1', ['DELETE']],
    ] as const,
    async (_, line, methods) => {
      const allow = [...methods, 'OPTIONS']
      const response = await ask(call, line)
      assert.is(response.status, 405)
      assert.is(response.headers.get('allow'), allow.join(', '))
      const { title, supported } = (await response.json()) as Readonly<Record<string, unknown>>
      assert.equal([title, supported], ['Method Not Allowed', allow])
    },
  )

  answers(test, call, [
    ['a method of a less precise template', 'PUT /books/new', 'PUT'],
    ['of the least precise', 'DELETE /books/new', 'DELETE'],
    ['without a template there is nothing', 'POST /', 404],
  ])
})

const override = preMatching(({ request }) => {
  const sent = request.header('X-Method')
  return sent === undefined ? undefined : rewrite({ method: sent })
})

contract(
  'a method that a pre-matching filter rewrites',
  pipe(routes({ get: pipe(all, get(), handle(name)) }), withFilter(override)),
  (test, call) => {
    test('is the one that counts', async () =>
      assert.equal(await answerTo(call, 'LINK /all', { headers: { 'x-method': 'GET' } }), [
        200,
        'GET',
      ]))

    test('returns 501 if the filter makes it unknown', async () =>
      assert.is((await ask(call, 'GET /all', { headers: { 'x-method': 'CHEESE' } })).status, 501))

    test('without the rewrite it returns 501', async () =>
      assert.is((await ask(call, 'LINK /all')).status, 501))
  },
)

const cheese = routes({
  cheese: pipe(path('/'), method('CHEESE')(), produces(text), handle(name)),
})

describe('methods beyond those of node:http', (test) => {
  test('any token is a method in memory', async () =>
    assert.equal(await answerTo(inMemory(cheese), 'CHEESE /'), [200, 'CHEESE']))

  test('methods are case-sensitive', async () =>
    assert.is((await ask(inMemory(cheese), 'cheese /')).status, 501))

  test('an undeclared token returns 501 in memory', async () =>
    assert.is((await ask(inMemory(overlapping), 'CHEESE /books/1')).status, 501))

  test('a server says at its start what cannot arrive', async () => {
    const started = await serve(cheese, { 'fw.http.port': 0 }).catch((error: unknown) => error)
    if (!(started instanceof MistakesError)) throw new TypeError('the server has started')
    assert.equal(
      started.mistakes.map(({ code, concerns }) => [code, concerns]),
      [['FW-ROUTE-006', ['CHEESE /  (cheese)']]],
    )
  })
})

const unusual = routes({
  get: pipe(
    send,
    get(),
    handle((input) => input.body),
  ),
  trace: pipe(all, method('TRACE')(), handle(name)),
})

describe('methods that a Request cannot have', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(unusual, {
      logger: silentLogger,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
    })
  })
  after(() => server?.close())

  test('GET with content', async () => {
    const response = await sendLines(server?.url ?? '', { path: '/send', content: 'content' })
    assert.equal([response.status, await response.text()], [200, 'content'])
  })

  test('TRACE, where it is declared', async () => {
    const response = await sendLines(server?.url ?? '', { path: '/all', method: 'TRACE' })
    assert.equal([response.status, await response.text()], [200, 'TRACE'])
  })
})
