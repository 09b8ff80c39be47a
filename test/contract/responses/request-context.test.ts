/** Request properties in the context for missing, empty and malformed headers, and `uri` below different base paths. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { get, handle, json, path, produces, routes, text } from '../../../src/index.ts'
import { responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const api = routes({
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
const noValues = {
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

contract('context of a request without headers', api, (test, call) => {
  table<[string, Record<string, string>, object]>(
    test,
    [
      ['no headers', {}, noValues],
      ['empty headers', { Accept: '', 'Accept-Language': '', Cookie: '' }, noValues],
      ['malformed headers', { Date: 'today', 'Content-Type': 'text', Cookie: '=;;=' }, noValues],
      [
        'media ranges sorted by weight, then by position',
        { Accept: 'a/b;q=0.1, c/d, */*, e/f' },
        { ...noValues, accepts: ['c/d', '*/*', 'e/f', 'a/b'] },
      ],
    ],
    async (_, sent, expected) => {
      assert.equal(await responseTo(call, 'GET /bare', { headers: sent }), [200, expected])
    },
  )
})

const uriOperation = (target: string) =>
  routes({
    uri: pipe(
      path(target),
      get(),
      produces(text),
      handle((_, { uri }) => [uri.base.pathname, uri.path, uri.resolve('a').pathname].join()),
    ),
  })

contract('uri without a base path', uriOperation('/'), (test, call) => {
  test('base is / and relative references resolve against it', async () => {
    assert.equal(await responseTo(call, 'GET /'), [200, '/,,/a'])
  })
})
contract(
  'uri with a base path of two segments',
  uriOperation('/'),
  (test, call) => {
    test('base ends with a slash, with or without one in the request', async () => {
      assert.equal(await responseTo(call, 'GET /a/b'), [200, '/a/b/,,/a/b/a'])
      assert.equal(await responseTo(call, 'GET /a/b/'), [200, '/a/b/,,/a/b/a'])
    })
  },
  { 'fw.rest.path': '/a/b' },
)
