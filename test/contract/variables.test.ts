/** Variables of path templates: what they match, with and without an expression, inside segments and across them. */
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
} from '../../src/index.ts'
import { answers, shown } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const answer = produces(rawJson)

const inside = routes({
  plain: pipe(path('/plain/{name}'), get(), answer, handle(shown)),
  stem: pipe(path('/stem/prefix-{id}'), get(), answer, handle(shown)),
  suffix: pipe(path('/suffix/{id}Other'), get(), answer, handle(shown)),
  both: pipe(path('/both/a{id}z.json'), get(), answer, handle(shown)),
  range: pipe(path('/range/{from}-{to}', { from: int, to: int }), get(), answer, handle(shown)),
  file: pipe(path('/file/{stem}.{type:[a-z]+}'), get(), answer, handle(shown)),
  special: pipe(path('/special/(a|b)*{id}'), get(), answer, handle(shown)),
})

const id = (value: string) => ({ path: { id: value } })

contract('variables in segments', inside, (test, call) =>
  answers(test, call, [
    ['a variable takes a segment', 'GET /plain/a.b-c', { path: { name: 'a.b-c' } }],
    ['which is not empty', 'GET /plain/', 404],
    ['and no further one', 'GET /plain/a/b', 404],
    ['behind a literal', 'GET /stem/prefix-7', id('7')],
    ['which has to be there', 'GET /stem/7', 404],
    ['and leaves something', 'GET /stem/prefix-', 404],
    ['before a literal', 'GET /suffix/7Other', id('7')],
    ['which may occur twice', 'GET /suffix/OtherOther', id('Other')],
    ['between literals', 'GET /both/a7z.json', id('7')],
    ['whose characters stand for themselves', 'GET /both/a7zxjson', 404],
    ['all of them', 'GET /special/(a%7Cb)*7', id('7')],
    ['two of them', 'GET /range/3-14', { path: { from: 3, to: 14 } }],
    ['the first is as short as can be', 'GET /range/3--14', { path: { from: 3, to: -14 } }],
    ['a codec that refuses one', 'GET /range/3-x', 404],
    ['with and without an expression', 'GET /file/a.b', { path: { stem: 'a', type: 'b' } }],
    ['a slash that is escaped is taken too', 'GET /stem/prefix-a%2Fb', id('a/b')],
  ]),
)

const expressions = routes({
  digits: pipe(path('/digits/{id:\\d+}', { id: int }), get(), answer, handle(shown)),
  braces: pipe(path('/braces/{id:[a-z]{2}\\d{1,3}}'), get(), answer, handle(shown)),
  spaces: pipe(path('/spaces/{ id : [0-9]+ }'), get(), answer, handle(shown)),
  names: pipe(path('/names/{a-b}/{c_d}/{e.f}/{1st}'), get(), answer, handle(shown)),
  choice: pipe(path('/choice/{id:a|bc}'), get(), answer, handle(shown)),
  groups: pipe(path('/groups/{a:(x|y)z}-{b:(?:\\d)(\\d)}'), get(), answer, handle(shown)),
  rest: pipe(path('/rest/{id:.+}'), get(), answer, handle(shown)),
  optional: pipe(path('/optional/{id:.*}'), get(), answer, handle(shown)),
  middle: pipe(path('/middle/{id:.+}/end'), get(), answer, handle(shown)),
  greedy: pipe(path('/greedy/{p1}/{p2:.*}/{p3:.*}'), get(), answer, handle(shown)),
  escaped: pipe(path('/escaped/{id:[^b]+}'), get(), answer, handle(shown)),
})

contract('variables with an expression', expressions, (test, call) =>
  answers(test, call, [
    ['the expression is matched', 'GET /digits/12345', { path: { id: 12_345 } }],
    ['with braces in it', 'GET /braces/ab12', id('ab12')],
    ['with spaces around name and expression', 'GET /spaces/7', id('7')],
    [
      'names with hyphens, underscores, dots and digits',
      'GET /names/1/2/3/4',
      { path: { 'a-b': '1', c_d: '2', 'e.f': '3', '1st': '4' } },
    ],
    ['groups of its own', 'GET /groups/yz-12', { path: { a: 'yz', b: '12' } }],
    ['across segments', 'GET /rest/a/b/c', id('a/b/c')],
    ['in the middle of a template', 'GET /middle/a/b/end', id('a/b')],
    ['what follows is found again', 'GET /middle/end/end/end', id('end/end')],
    ['the text is decoded first', 'GET /escaped/a%62', 404],
    ['a text that is none of it is not found', 'GET /digits/x', 404],
    ['it is matched as a whole', 'GET /digits/1x', 404],
    ['by each of its alternatives', 'GET /choice/abc', 404],
    ['the last of them', 'GET /choice/bc', id('bc')],
    ['how often counts', 'GET /braces/ab1234', 404],
    ['empty segments are taken where it allows them', 'GET /optional/', id('')],
    [
      'what comes first takes the most',
      'GET /greedy/abb/foo/long',
      { path: { p1: 'abb', p2: 'foo', p3: 'long' } },
    ],
    ['of what is left', 'GET /greedy/a/b/c/d', { path: { p1: 'a', p2: 'b/c', p3: 'd' } }],
  ]),
)

const spanning = routes({
  texts: pipe(path('/texts/{id}', { id: segments(string) }), get(), answer, handle(shown)),
  numbers: pipe(path('/numbers/{id}/end', { id: segments(int) }), get(), answer, handle(shown)),
  matched: pipe(path('/matched/{id:.+}', { id: segments(string) }), get(), answer, handle(shown)),
  raw: pipe(path('/raw/{id}', { id: encoded(string) }), get(), answer, handle(shown)),
  raws: pipe(path('/raws/{id}', { id: segments(encoded(string)) }), get(), answer, handle(shown)),
})

const ids = (...values: ReadonlyArray<string | number>) => ({ path: { id: values } })

contract('variables as segments', spanning, (test, call) =>
  answers(test, call, [
    ['a list of segments', 'GET /texts/a/b/c', ids('a', 'b', 'c')],
    ['of one', 'GET /texts/a', ids('a')],
    ['each decoded by itself', 'GET /texts/a%2Fb/c%20d', ids('a/b', 'c d')],
    ['without their matrix parameters', 'GET /texts/a;x=1/b;y', ids('a', 'b')],
    ['without the slash at the end', 'GET /texts/a/b/', ids('a', 'b')],
    ['none of them empty', 'GET /texts/a//b', 404],
    ['of numbers, with more behind them', 'GET /numbers/1/2/end', ids(1, 2)],
    ['that are numbers', 'GET /numbers/1/x/end', 404],
    ['with an expression', 'GET /matched/a%2Fb/c', ids('a/b', 'c')],
    ['as it was received', 'GET /raw/a%20b%2Fc', id('a%20b%2Fc')],
    ['segments too', 'GET /raws/a%20b/c%2Fd', ids('a%20b', 'c%2Fd')],
  ]),
)
