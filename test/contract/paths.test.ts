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
import { contract } from '../support/contract.ts'

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
    ['one slash is put between', 'GET /bare/end', 'bare'],
    ['one slash is left between', 'GET /slashes/end', 'slashes'],
    ['the resource alone is another path', 'GET /slashes', 404],
    ['the prefix may have variables', 'GET /users/a', { path: { user: 'a' } }],
    ['which the operation adds to', 'GET /users/a/orders/1', { path: { user: 'a', order: 1 } }],
    ['an empty path is the root', 'GET /', 'root'],
    ['an empty segment is not the root', 'GET //', 404],
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
      ['stands in front of everything', 'GET /app/v1/tree/hello', 'hello'],
      ['nothing is found without it', 'GET /tree/hello', 404],
      ['a segment is matched as a whole', 'GET /app/v1/tree/helloX', 404],
      ['also in front of prefixes, not behind them', 'GET /tree/app/v1/hello', 404],
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
    ['a slash at the end makes no difference', 'GET /hello/world/', 'hello'],
    ['whichever was declared', 'GET /closed', 'closed'],
    ['the declared one too', 'GET /closed/', 'closed'],
    ['nor behind a variable', 'GET /hello/x/', { path: { x: 'x' } }],
    ['it is no value of a variable', 'GET /hello/', 404],
    ['two slashes are an empty segment', 'GET /hello/world//', 404],
    ['escapes in literals', 'GET /with%20space/%C3%A4', 'spaced'],
    ['an escape more than is needed', 'GET /%68ello/world', 'hello'],
    ['escapes in values', 'GET /hello/a%20b%C3%A4', { path: { x: 'a bä' } }],
    ['a plus is a plus', 'GET /hello/a+b', { path: { x: 'a+b' } }],
    ['decoded once', 'GET /hello/%2541', { path: { x: '%41' } }],
    ['%2F does not end a segment', 'GET /hello/a%2Fb', { path: { x: 'a/b' } }],
    ['nor in a literal', 'GET /a%2Fb', 'one segment'],
    ['and a slash is none of it', 'GET /a/b', 404],
    ['%3B does not begin matrix parameters', 'GET /a%3Bb', 'semicolon'],
    ['and a semicolon is none of it', 'GET /a;b', 404],
    ['%25 is a percent sign', 'GET /a%2520b', 'percent'],
    ['which does not escape anything', 'GET /a%20b', 404],
    ['a malformed escape', 'GET /hello/Iva%n', 400],
    ['in the query', 'GET /hello/world?name=Iva%n', 400],
    ['an escape that is not UTF-8', 'GET /hello/%FF', 400],
    ['overlong UTF-8', 'GET /hello/%C0%AF', 400],
    ['as it is declared', 'GET /ApI/FuNc', 'cased'],
    ['in another case', 'GET /api/func', 404],
    ['behind a literal', 'GET /cars;colour=red/z/wheels', wheels('red')],
    ['behind a variable', 'GET /cars/z;colour=red/wheels', wheels('red')],
    ['at the end', 'GET /cars/z/wheels;colour=red', wheels('red')],
    ['before a slash at the end', 'GET /cars/z/wheels;colour=red/', wheels('red')],
    ['the last segment first', 'GET /cars;colour=a/z;colour=b/wheels', wheels('b', 'a')],
    ['where none is declared', 'GET /hello;a=1/world;b', 'hello'],
    ['escapes in them', 'GET /cars/z/wheels;%63olour=%3Bb%2F', wheels(';b/')],
  ])

  test('a path that names nothing is answered with a problem document', async () => {
    const response = await ask(call, 'GET /nothing')
    assert.is(response.status, 404)
    assert.is(response.headers.get('content-type'), 'application/problem+json')
    const { instance, ...problem } = (await response.json()) as { readonly instance: string }
    assert.match(instance, /^urn:uuid:/)
    assert.equal(problem, { type: 'about:blank', title: 'Not Found', status: 404 })
  })
})
