/** What a context tells of requests that say little. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { get, handle, json, path, produces, routes, text } from '../../src/index.ts'
import { answerTo } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const absent = routes({
  bare: pipe(
    path('/bare'),
    get(),
    produces(json(t.UnknownRecord)),
    handle((_, { request, uri, security }) => ({
      query: request.query ?? null,
      cookie: request.cookie('a') ?? null,
      cookies: request.cookies.size,
      mediaType: request.mediaType ?? null,
      length: request.length ?? null,
      date: request.date?.getTime() ?? null,
      accepts: request.accepts.map(({ type, subtype }) => `${type}/${subtype}`),
      languages: request.languages,
      principal: security.principal ?? null,
      parameters: [uri.pathParameters, uri.queryParameters, uri.matrixParameters].map(
        ({ size }) => size,
      ),
    })),
  ),
})
const bare = {
  query: null,
  cookie: null,
  cookies: 0,
  mediaType: null,
  length: null,
  date: null,
  accepts: ['*/*'],
  languages: [],
  principal: null,
  parameters: [0, 0, 0],
}

contract('what was not sent', absent, (test, call) => {
  table<[string, Record<string, string>, object]>(
    test,
    [
      ['nothing', {}, bare],
      ['empty fields', { Accept: '', 'Accept-Language': '', Cookie: '' }, bare],
      ['malformed fields', { Date: 'today', 'Content-Type': 'what', Cookie: '=;;=' }, bare],
      [
        'what one likes comes first, in the order of the field among equals',
        { Accept: 'a/b;q=0.1, c/d, */*, e/f' },
        { ...bare, accepts: ['c/d', '*/*', 'e/f', 'a/b'] },
      ],
    ],
    async (_, sent, expected) => {
      assert.equal(await answerTo(call, 'GET /bare', { headers: sent }), [200, expected])
    },
  )
})

const root = (inside: string) =>
  routes({
    inside: pipe(
      path(inside),
      get(),
      produces(text),
      handle((_, { uri }) => [uri.base.pathname, uri.path, uri.resolve('a').pathname].join()),
    ),
  })

contract('at the root', root('/'), (test, call) => {
  test('everything is below it', async () => {
    assert.equal(await answerTo(call, 'GET /'), [200, '/,,/a'])
  })
})
contract(
  'a base with several segments',
  root('/'),
  (test, call) => {
    test('ends in a slash, also for a request without one', async () => {
      assert.equal(await answerTo(call, 'GET /a/b'), [200, '/a/b/,,/a/b/a'])
      assert.equal(await answerTo(call, 'GET /a/b/'), [200, '/a/b/,,/a/b/a'])
    })
  },
  { 'fw.rest.path': '/a/b' },
)
