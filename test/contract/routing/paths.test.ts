/** Matching of paths: prefixes, `fw.rest.path`, slashes, percent-encoded characters and matrix parameters. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  int,
  list,
  matrix,
  path,
  prefix,
  produces,
  rawJson,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { testRequests, sendRequest, returns, inputAsJson } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

const user = path('users/{user}/')

const joined = routes({
  root: pipe(path(''), get(), produces(text), handle(returns('root'))),
  bare: pipe(path('bare'), get('end'), produces(text), handle(returns('bare'))),
  slashes: pipe(path('/slashes/'), get('/end/'), produces(text), handle(returns('slashes'))),
  get: pipe(user, get(), produces(rawJson), handle(inputAsJson)),
  order: pipe(user, get('/orders/{order}', { order: int }), produces(rawJson), handle(inputAsJson)),
})

contract('path prefixes', joined, (test, call) =>
  testRequests(test, call, [
    ['a missing slash between prefix and path', 'GET /bare/end', 'bare'],
    ['duplicate slashes between prefix and path', 'GET /slashes/end', 'slashes'],
    ['the path of the resource alone', 'GET /slashes', 404],
    ['a prefix with a variable', 'GET /users/a', { path: { user: 'a' } }],
    [
      'a prefix and an operation with variables',
      'GET /users/a/orders/1',
      { path: { user: 'a', order: 1 } },
    ],
    ['an empty path', 'GET /', 'root'],
    ['an empty segment', 'GET //', 404],
  ]),
)

const below = pipe(
  routes({ hello: pipe(path('hello'), get(), produces(text), handle(returns('hello'))) }),
  prefix('/tree'),
)

contract(
  'fw.rest.path',
  below,
  (test, call) =>
    testRequests(test, call, [
      ['the configured path before a prefix', 'GET /app/v1/tree/hello', 'hello'],
      ['a path without the configured path', 'GET /tree/hello', 404],
      ['a longer segment', 'GET /app/v1/tree/helloX', 404],
      ['the configured path after the prefix', 'GET /tree/app/v1/hello', 404],
    ]),
  { 'fw.rest.path': '/app/v1' },
)

const located = routes({
  hello: pipe(path('/hello/world'), get(), produces(text), handle(returns('hello'))),
  variable: pipe(path('/hello/{x}'), get(), produces(rawJson), handle(inputAsJson)),
  slashed: pipe(path('/closed/'), get(), produces(text), handle(returns('closed'))),
  spaced: pipe(path('/with space/ä'), get(), produces(text), handle(returns('spaced'))),
  escaped: pipe(path('/a%2Fb'), get(), produces(text), handle(returns('one segment'))),
  semicolon: pipe(path('/a%3Bb'), get(), produces(text), handle(returns('semicolon'))),
  percent: pipe(path('/a%2520b'), get(), produces(text), handle(returns('percent'))),
  cased: pipe(path('/ApI/FuNc'), get(), produces(text), handle(returns('cased'))),
  matrix: pipe(
    path('/cars/{model}/wheels'),
    get(),
    matrix({ colour: list(string) }),
    produces(rawJson),
    handle(inputAsJson),
  ),
})

const wheels = (...colour: ReadonlyArray<string>) => ({ path: { model: 'z' }, matrix: { colour } })

contract('matching of paths', located, (test, call) => {
  testRequests(test, call, [
    ['a trailing slash', 'GET /hello/world/', 'hello'],
    ['no trailing slash where one is declared', 'GET /closed', 'closed'],
    ['a declared trailing slash', 'GET /closed/', 'closed'],
    ['a trailing slash after a variable', 'GET /hello/x/', { path: { x: 'x' } }],
    ['an empty variable', 'GET /hello/', 404],
    ['two trailing slashes', 'GET /hello/world//', 404],
    ['escapes in literals', 'GET /with%20space/%C3%A4', 'spaced'],
    ['an unnecessary escape', 'GET /%68ello/world', 'hello'],
    ['escapes in a value', 'GET /hello/a%20b%C3%A4', { path: { x: 'a bä' } }],
    ['a plus sign', 'GET /hello/a+b', { path: { x: 'a+b' } }],
    ['a double escape', 'GET /hello/%2541', { path: { x: '%41' } }],
    ['%2F in a variable', 'GET /hello/a%2Fb', { path: { x: 'a/b' } }],
    ['%2F in a literal', 'GET /a%2Fb', 'one segment'],
    ['a slash instead of %2F', 'GET /a/b', 404],
    ['%3B in a literal', 'GET /a%3Bb', 'semicolon'],
    ['a semicolon instead of %3B', 'GET /a;b', 404],
    ['%25 in a literal', 'GET /a%2520b', 'percent'],
    ['%25 is not decoded twice', 'GET /a%20b', 404],
    ['a percent sign in the path', 'GET /hello/Iva%n', { path: { x: 'Iva%n' } }],
    ['a percent sign in the query', 'GET /hello/world?name=Iva%n', 'hello'],
    ['an escape that is not UTF-8', 'GET /hello/%FF', 400],
    ['overlong UTF-8', 'GET /hello/%C0%AF', 400],
    ['the declared case', 'GET /ApI/FuNc', 'cased'],
    ['another case', 'GET /api/func', 404],
    ['a matrix parameter after a literal', 'GET /cars;colour=red/z/wheels', wheels('red')],
    ['a matrix parameter after a variable', 'GET /cars/z;colour=red/wheels', wheels('red')],
    ['a matrix parameter of the last segment', 'GET /cars/z/wheels;colour=red', wheels('red')],
    ['a matrix parameter before a trailing slash', 'GET /cars/z/wheels;colour=red/', wheels('red')],
    [
      'matrix parameters of several segments, the last segment first',
      'GET /cars;colour=a/z;colour=b/wheels',
      wheels('b', 'a'),
    ],
    ['undeclared matrix parameters', 'GET /hello;a=1/world;b', 'hello'],
    ['escapes in a matrix parameter', 'GET /cars/z/wheels;%63olour=%3Bb%2F', wheels(';b/')],
  ])

  test('an unknown path returns 404 with a problem document', async () => {
    const response = await sendRequest(call, 'GET /nothing')
    assert.is(response.status, 404)
    assert.is(response.headers.get('content-type'), 'application/problem+json')
    const { instance, ...problem } = (await response.json()) as { readonly instance: string }
    assert.match(instance, /^urn:uuid:/)
    assert.equal(problem, { type: 'about:blank', title: 'Not Found', status: 404 })
  })
})
