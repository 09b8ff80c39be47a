/** Variables of path templates: parts of segments, regular expressions, and several segments. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  encoded,
  get,
  handle,
  int,
  path,
  produces,
  rawJson,
  routes,
  segments,
  string,
  text,
} from '../../../src/index.ts'
import { testRequests, inputAsJson } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

const asJson = produces(rawJson)

const partial = routes({
  plain: pipe(path('/plain/{name}'), get(), asJson, handle(inputAsJson)),
  stem: pipe(path('/stem/prefix-{id}'), get(), asJson, handle(inputAsJson)),
  suffix: pipe(path('/suffix/{id}Other'), get(), asJson, handle(inputAsJson)),
  both: pipe(path('/both/a{id}z.json'), get(), asJson, handle(inputAsJson)),
  range: pipe(
    path('/range/{from}-{to}', { from: int, to: int }),
    get(),
    asJson,
    handle(inputAsJson),
  ),
  file: pipe(path('/file/{stem}.{type:[a-z]+}'), get(), asJson, handle(inputAsJson)),
  special: pipe(path('/special/(a|b)*{id}'), get(), asJson, handle(inputAsJson)),
})

const id = (value: string) => ({ path: { id: value } })

contract('variables in segments', partial, (test, call) =>
  testRequests(test, call, [
    ['a whole segment', 'GET /plain/a.b-c', { path: { name: 'a.b-c' } }],
    ['an empty segment', 'GET /plain/', 404],
    ['a second segment', 'GET /plain/a/b', 404],
    ['a variable after a literal', 'GET /stem/prefix-7', id('7')],
    ['a missing literal prefix', 'GET /stem/7', 404],
    ['an empty variable after a literal', 'GET /stem/prefix-', 404],
    ['a variable before a literal', 'GET /suffix/7Other', id('7')],
    ['a value that contains the literal', 'GET /suffix/OtherOther', id('Other')],
    ['a variable between literals', 'GET /both/a7z.json', id('7')],
    ['a dot in a literal matches only a dot', 'GET /both/a7zxjson', 404],
    ['special characters in a literal', 'GET /special/(a%7Cb)*7', id('7')],
    ['two variables in a segment', 'GET /range/3-14', { path: { from: 3, to: 14 } }],
    [
      'the first of two variables is the shortest match',
      'GET /range/3--14',
      { path: { from: 3, to: -14 } },
    ],
    ['a value that the codec rejects', 'GET /range/3-x', 404],
    [
      'variables with and without an expression',
      'GET /file/a.b',
      { path: { stem: 'a', type: 'b' } },
    ],
    ['an escaped slash', 'GET /stem/prefix-a%2Fb', id('a/b')],
  ]),
)

const expressions = routes({
  digits: pipe(path('/digits/{id:\\d+}', { id: int }), get(), asJson, handle(inputAsJson)),
  braces: pipe(path('/braces/{id:[a-z]{2}\\d{1,3}}'), get(), asJson, handle(inputAsJson)),
  spaces: pipe(path('/spaces/{ id : [0-9]+ }'), get(), asJson, handle(inputAsJson)),
  names: pipe(path('/names/{a-b}/{c_d}/{e.f}/{1st}'), get(), asJson, handle(inputAsJson)),
  choice: pipe(path('/choice/{id:a|bc}'), get(), asJson, handle(inputAsJson)),
  groups: pipe(path('/groups/{a:(x|y)z}-{b:(?:\\d)(\\d)}'), get(), asJson, handle(inputAsJson)),
  rest: pipe(path('/rest/{id:.+}'), get(), asJson, handle(inputAsJson)),
  optional: pipe(path('/optional/{id:.*}'), get(), asJson, handle(inputAsJson)),
  middle: pipe(path('/middle/{id:.+}/end'), get(), asJson, handle(inputAsJson)),
  greedy: pipe(path('/greedy/{p1}/{p2:.*}/{p3:.*}'), get(), asJson, handle(inputAsJson)),
  escaped: pipe(path('/escaped/{id:[^b]+}'), get(), asJson, handle(inputAsJson)),
})

contract('variables with an expression', expressions, (test, call) =>
  testRequests(test, call, [
    ['an expression that matches', 'GET /digits/12345', { path: { id: 12_345 } }],
    ['an expression with braces', 'GET /braces/ab12', id('ab12')],
    ['spaces around name and expression', 'GET /spaces/7', id('7')],
    [
      'names with hyphens, underscores, dots and digits',
      'GET /names/1/2/3/4',
      { path: { 'a-b': '1', c_d: '2', 'e.f': '3', '1st': '4' } },
    ],
    ['expressions with groups', 'GET /groups/yz-12', { path: { a: 'yz', b: '12' } }],
    ['an expression that matches several segments', 'GET /rest/a/b/c', id('a/b/c')],
    ['several segments before a literal', 'GET /middle/a/b/end', id('a/b')],
    ['backtracking to the literal that follows', 'GET /middle/end/end/end', id('end/end')],
    ['an expression matches the decoded value', 'GET /escaped/a%62', 404],
    ['an expression that does not match', 'GET /digits/x', 404],
    ['an expression that matches only a part', 'GET /digits/1x', 404],
    ['an alternation that matches only a part', 'GET /choice/abc', 404],
    ['the last alternative', 'GET /choice/bc', id('bc')],
    ['too many repetitions', 'GET /braces/ab1234', 404],
    ['an expression that matches an empty segment', 'GET /optional/', id('')],
    [
      'several greedy expressions',
      'GET /greedy/abb/foo/long',
      { path: { p1: 'abb', p2: 'foo', p3: 'long' } },
    ],
    [
      'the first greedy expression is the longest match',
      'GET /greedy/a/b/c/d',
      { path: { p1: 'a', p2: 'b/c', p3: 'd' } },
    ],
  ]),
)

const spanning = routes({
  texts: pipe(path('/texts/{id}', { id: segments(string) }), get(), asJson, handle(inputAsJson)),
  numbers: pipe(
    path('/numbers/{id}/end', { id: segments(int) }),
    get(),
    asJson,
    handle(inputAsJson),
  ),
  matched: pipe(
    path('/matched/{id:.+}', { id: segments(string) }),
    get(),
    asJson,
    handle(inputAsJson),
  ),
  raw: pipe(path('/raw/{id}', { id: encoded(string) }), get(), asJson, handle(inputAsJson)),
  raws: pipe(
    path('/raws/{id}', { id: segments(encoded(string)) }),
    get(),
    asJson,
    handle(inputAsJson),
  ),
})

const ids = (...values: ReadonlyArray<string | number>) => ({ path: { id: values } })

contract('variables as segments', spanning, (test, call) =>
  testRequests(test, call, [
    ['several segments', 'GET /texts/a/b/c', ids('a', 'b', 'c')],
    ['a single segment', 'GET /texts/a', ids('a')],
    ['escapes in several segments', 'GET /texts/a%2Fb/c%20d', ids('a/b', 'c d')],
    ['segments with matrix parameters', 'GET /texts/a;x=1/b;y', ids('a', 'b')],
    ['segments with a trailing slash', 'GET /texts/a/b/', ids('a', 'b')],
    ['an empty segment among several', 'GET /texts/a//b', 404],
    ['segments of integers before a literal', 'GET /numbers/1/2/end', ids(1, 2)],
    ['a segment that is not an integer', 'GET /numbers/1/x/end', 404],
    ['segments with an expression', 'GET /matched/a%2Fb/c', ids('a/b', 'c')],
    ['an encoded segment', 'GET /raw/a%20b%2Fc', id('a%20b%2Fc')],
    ['several encoded segments', 'GET /raws/a%20b/c%2Fd', ids('a%20b', 'c%2Fd')],
  ]),
)

const hello = path('hello')
const greetings = routes({
  greet: pipe(hello, get('{name}/{age:\\d+}', { age: int }), asJson, handle(inputAsJson)),
  anyone: pipe(
    hello,
    get(),
    produces(text),
    handle(() => 'hello'),
  ),
})

contract('operations of a resource with and without a path', greetings, (test, call) =>
  testRequests(test, call, [
    ['the path of the resource alone', 'GET /hello', 'hello'],
    [
      'the path of the resource and that of an operation',
      'GET /hello/ann/42',
      { path: { name: 'ann', age: 42 } },
    ],
    ['a variable that does not match its expression', 'GET /hello/ann/4x', 404],
    ['a missing second variable', 'GET /hello/ann', 404],
  ]),
)
