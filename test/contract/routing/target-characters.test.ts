/** Characters of the request target that the URL Standard leaves unencoded, and `fw.http.strict-target`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  list,
  matrix,
  optional,
  path,
  produces,
  query,
  rawJson,
  routes,
  segments,
  string,
  text,
} from '../../../src/index.ts'
import { base, contract } from '../../support/contract.ts'
import { inputAsJson, testRequests } from '../../support/send-request.ts'

const api = routes({
  search: pipe(
    path('/search'),
    get(),
    query({ q: optional(string), tag: list(string) }),
    produces(rawJson),
    handle(inputAsJson),
  ),
  item: pipe(path('/items/{id}'), get(), produces(rawJson), handle(inputAsJson)),
  file: pipe(path('/files/{name}.{extension}'), get(), produces(rawJson), handle(inputAsJson)),
  rest: pipe(
    path('/rest/{rest}', { rest: segments(string) }),
    get(),
    produces(rawJson),
    handle(inputAsJson),
  ),
  car: pipe(
    path('/cars/{car}'),
    get(),
    matrix({ colour: string }),
    produces(rawJson),
    handle(inputAsJson),
  ),
  literal: pipe(
    path('/a|b/100%'),
    get(),
    produces(text),
    handle(() => 'literal'),
  ),
  uri: pipe(
    path('/uri/{x}'),
    get(),
    produces(text),
    handle((_, { uri, request }) =>
      [request.path, uri.path, uri.request.href.replace(uri.request.origin, '')].join(' '),
    ),
  ),
})

const queryOf = (q: string): object => ({ query: { q, tag: [] } })
const item = (id: string): object => ({ path: { id } })

contract('characters of the request target', api, (test, call) => {
  testRequests(test, call, [
    ['a vertical bar in a query', 'GET /search?q=a|b', queryOf('a|b')],
    ['braces in a query', 'GET /search?q={a:1}', queryOf('{a:1}')],
    ['a circumflex in a query', 'GET /search?q=a^b', queryOf('a^b')],
    ['a backtick in a query', 'GET /search?q=a`b', queryOf('a`b')],
    ['a backslash in a query', String.raw`GET /search?q=C:\temp`, queryOf(String.raw`C:\temp`)],
    ['brackets in a query', 'GET /search?q=[a]', queryOf('[a]')],
    ['a percent sign in a query', 'GET /search?q=100%', queryOf('100%')],
    ['a percent sign before an escape', 'GET /search?q=5%+%C3%A9%%41', queryOf('5% é%A')],
    ['two hexadecimal digits that are no escape', 'GET /search?q=%4g', queryOf('%4g')],
    ['a percent sign in a list', 'GET /search?tag=%&tag=|', { query: { tag: ['%', '|'] } }],
    ['invalid UTF-8 before a percent sign', 'GET /search?q=%25%FF%', 400],
    ['a vertical bar in a path', 'GET /items/a|b', item('a|b')],
    ['brackets in a path', 'GET /items/[x]', item('[x]')],
    ['a circumflex in a path', 'GET /items/a^b', item('a^b')],
    ['a percent sign in a path', 'GET /items/100%', item('100%')],
    [
      'a percent sign before a slash in a path',
      'GET /rest/5%/%2F%',
      { path: { rest: ['5%', '/%'] } },
    ],
    [
      'a percent sign in a part of a segment',
      'GET /files/5%|a.%zz',
      { path: { name: '5%|a', extension: '%zz' } },
    ],
    ['invalid UTF-8 in a path before a percent sign', 'GET /items/%FF%', 400],
    [
      'a matrix parameter',
      'GET /cars/a|b;colour=100%',
      { path: { car: 'a|b' }, matrix: { colour: '100%' } },
    ],
    ['a literal segment', 'GET /a|b/100%', 'literal'],
    ['an encoded literal segment', 'GET /a%7Cb/100%25', 'literal'],
    ['the URL of the request', 'GET /uri/a|%?b={', '/uri/a|% uri/a|% /uri/a|%?b={'],
  ])
})

contract(
  'fw.http.strict-target',
  api,
  (test, call) => {
    testRequests(test, call, [['characters of RFC 3986', 'GET /items/a%7Cb?x[y]=%25', item('a|b')]])
    for (const [target, name, index] of [
      ['/search?q=a|b', 'U\\+007C', 11],
      ['/search?q=a{b', 'U\\+007B', 11],
      ['/search?q=100%', 'U\\+0025', 13],
      ['/items/a|b', 'U\\+007C', 8],
      ['/items/[x]', 'U\\+005B', 7],
      ['/items/%zz', 'U\\+0025', 7],
    ] as const)
      test(`${target} is rejected with the character and its index`, async () => {
        const response = await call(new Request(`${base}${target}`))
        assert.is(response.status, 400)
        assert.match(await response.text(), RegExp(`percent-encode ${name} at index ${index}\\.`))
      })
  },
  { 'fw.http.strict-target': true },
)
