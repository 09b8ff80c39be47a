/** Where operations stand: prefixes, the root of the application, slashes, escapes and matrix parameters in paths. */
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
} from '../../src/index.ts'
import { answers, ask, says, shown } from '../support/ask.ts'
import { contract } from '../support/doors.ts'

const user = path('users/{user}/')

const joined = routes({
  root: pipe(path(''), get(), produces(text), handle(says('root'))),
  bare: pipe(path('bare'), get('end'), produces(text), handle(says('bare'))),
  slashes: pipe(path('/slashes/'), get('/end/'), produces(text), handle(says('slashes'))),
  get: pipe(user, get(), produces(rawJson), handle(shown)),
  order: pipe(user, get('/orders/{order}', { order: int }), produces(rawJson), handle(shown)),
})

contract('prefixes of paths', joined, (test, call) =>
  answers(test, call, [
    ['R-086 one slash is put between', 'GET /bare/end', 'bare'],
    ['R-086 one slash is left between', 'GET /slashes/end', 'slashes'],
    ['R-086 the resource alone is another path', 'GET /slashes', 404],
    ['R-086 the prefix may have variables', 'GET /users/a', { path: { user: 'a' } }],
    [
      'R-086 which the operation adds to',
      'GET /users/a/orders/1',
      { path: { user: 'a', order: 1 } },
    ],
    ['R-087 an empty path is the root', 'GET /', 'root'],
    ['R-087 an empty segment is not the root', 'GET //', 404],
  ]),
)

const below = pipe(
  routes({ hello: pipe(path('hello'), get(), produces(text), handle(says('hello'))) }),
  prefix('/tree'),
)

contract(
  'the path of the application',
  below,
  (test, call) =>
    answers(test, call, [
      ['R-088 stands in front of everything', 'GET /app/v1/tree/hello', 'hello'],
      ['R-088 nothing is found without it', 'GET /tree/hello', 404],
      ['R-088 a segment is matched as a whole', 'GET /app/v1/tree/helloX', 404],
      ['R-089 also in front of prefixes, not behind them', 'GET /tree/app/v1/hello', 404],
    ]),
  { 'fw.rest.path': '/app/v1' },
)

const located = routes({
  hello: pipe(path('/hello/world'), get(), produces(text), handle(says('hello'))),
  variable: pipe(path('/hello/{x}'), get(), produces(rawJson), handle(shown)),
  slashed: pipe(path('/closed/'), get(), produces(text), handle(says('closed'))),
  spaced: pipe(path('/with space/ä'), get(), produces(text), handle(says('spaced'))),
  escaped: pipe(path('/a%2Fb'), get(), produces(text), handle(says('one segment'))),
  semicolon: pipe(path('/a%3Bb'), get(), produces(text), handle(says('semicolon'))),
  percent: pipe(path('/a%2520b'), get(), produces(text), handle(says('percent'))),
  cased: pipe(path('/ApI/FuNc'), get(), produces(text), handle(says('cased'))),
  matrix: pipe(
    path('/cars/{model}/wheels'),
    get(),
    matrix({ colour: list(string) }),
    produces(rawJson),
    handle(shown),
  ),
})

const wheels = (...colour: ReadonlyArray<string>) => ({ path: { model: 'z' }, matrix: { colour } })

contract('places of paths', located, (test, call) => {
  answers(test, call, [
    ['R-094 a slash at the end makes no difference', 'GET /hello/world/', 'hello'],
    ['R-094 whichever was declared', 'GET /closed', 'closed'],
    ['R-094 the declared one too', 'GET /closed/', 'closed'],
    ['R-094 nor behind a variable', 'GET /hello/x/', { path: { x: 'x' } }],
    ['R-094 it is no value of a variable', 'GET /hello/', 404],
    ['R-094 two slashes are an empty segment', 'GET /hello/world//', 404],
    ['R-105 escapes in literals', 'GET /with%20space/%C3%A4', 'spaced'],
    ['R-105 an escape more than is needed', 'GET /%68ello/world', 'hello'],
    ['R-105 escapes in values', 'GET /hello/a%20b%C3%A4', { path: { x: 'a bä' } }],
    ['R-105 a plus is a plus', 'GET /hello/a+b', { path: { x: 'a+b' } }],
    ['R-105 decoded once', 'GET /hello/%2541', { path: { x: '%41' } }],
    ['R-105 %2F does not end a segment', 'GET /hello/a%2Fb', { path: { x: 'a/b' } }],
    ['R-105 nor in a literal', 'GET /a%2Fb', 'one segment'],
    ['R-105 and a slash is none of it', 'GET /a/b', 404],
    ['R-105 %3B does not begin matrix parameters', 'GET /a%3Bb', 'semicolon'],
    ['R-105 and a semicolon is none of it', 'GET /a;b', 404],
    ['R-105 %25 is a percent sign', 'GET /a%2520b', 'percent'],
    ['R-105 which does not escape anything', 'GET /a%20b', 404],
    ['R-106 a malformed escape', 'GET /hello/Iva%n', 400],
    ['R-106 in the query', 'GET /hello/world?name=Iva%n', 400],
    ['R-106 an escape that is not UTF-8', 'GET /hello/%FF', 400],
    ['R-106 overlong UTF-8', 'GET /hello/%C0%AF', 400],
    ['R-107 as it is declared', 'GET /ApI/FuNc', 'cased'],
    ['R-107 in another case', 'GET /api/func', 404],
    ['R-108 behind a literal', 'GET /cars;colour=red/z/wheels', wheels('red')],
    ['R-108 behind a variable', 'GET /cars/z;colour=red/wheels', wheels('red')],
    ['R-108 at the end', 'GET /cars/z/wheels;colour=red', wheels('red')],
    ['R-108 before a slash at the end', 'GET /cars/z/wheels;colour=red/', wheels('red')],
    ['R-108 the last segment first', 'GET /cars;colour=a/z;colour=b/wheels', wheels('b', 'a')],
    ['R-108 where none is declared', 'GET /hello;a=1/world;b', 'hello'],
    ['R-108 escapes in them', 'GET /cars/z/wheels;%63olour=%3Bb%2F', wheels(';b/')],
  ])

  test('R-103 a path that names nothing is answered with a problem document', async () => {
    const response = await ask(call, 'GET /nothing')
    assert.is(response.status, 404)
    assert.is(response.headers.get('content-type'), 'application/problem+json')
    const { instance, ...problem } = (await response.json()) as { readonly instance: string }
    assert.match(instance, /^urn:uuid:/)
    assert.equal(problem, { type: 'about:blank', title: 'Not Found', status: 404 })
  })
})
