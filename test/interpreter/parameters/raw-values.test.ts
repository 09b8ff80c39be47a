/** Compares the parameters that handlers receive with and without generated code. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  cookie,
  encoded,
  get,
  handle,
  header,
  int,
  json,
  list,
  matrix,
  optional,
  path,
  produces,
  query,
  routes,
  segments,
  string,
} from '../../../src/index.ts'
import * as t from 'io-ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'

const inputs = query({ q: list(string), n: optional(int) })

const api = routes({
  one: pipe(
    path('/one/{raw}/{text}', { raw: encoded(string) }),
    get(),
    inputs,
    header({ xTag: list(string) }),
    cookie({ c: optional(string) }),
    matrix({ m: optional(string) }),
    produces(json(t.unknown)),
    handle((input) => input),
  ),
  raw: pipe(
    path('/raw/{rest}', { rest: segments(encoded(string)) }),
    get(),
    produces(json(t.unknown)),
    handle((input) => input),
  ),
  decoded: pipe(
    path('/decoded/{rest}', { rest: segments(string) }),
    get(),
    produces(json(t.unknown)),
    handle((input) => input),
  ),
})

const codeGeneration = 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'
const backEnds = [true, false].map((isGenerated) =>
  inMemory(api, { [codeGeneration]: isGenerated }),
)

const one = {
  path: { raw: 'a', text: 'b' },
  query: { q: [] },
  header: { xTag: [] },
  cookie: {},
  matrix: {},
}

describe('parameters, with and without generated code', (test) => {
  table<[name: string, target: string, headers: Record<string, string>, expected: unknown]>(
    test,
    [
      ['only path variables', '/one/a/b', {}, one],
      [
        'path variables with escapes',
        '/one/%61%2F/%62%2F',
        {},
        { ...one, path: { raw: '%61%2F', text: 'b/' } },
      ],
      ['raw segments', '/raw/a%20b/c%2Fd', {}, { path: { rest: ['a%20b', 'c%2Fd'] } }],
      ['decoded segments', '/decoded/a%20b/c%2Fd', {}, { path: { rest: ['a b', 'c/d'] } }],
      [
        'query parameters',
        '/one/a/b?q=1&x=2&q=%33&n=4',
        {},
        { ...one, query: { q: ['1', '3'], n: 4 } },
      ],
      ['an empty query', '/one/a/b?', {}, one],
      [
        'a matrix parameter of the last segment',
        '/one;m=1/a/b;m=2',
        {},
        { ...one, matrix: { m: '2' } },
      ],
      ['headers', '/one/a/b', { 'X-Tag': 'v' }, { ...one, header: { xTag: ['v'] } }],
      ['a cookie', '/one/a/b', { Cookie: 'd=1; c=%32' }, { ...one, cookie: { c: '2' } }],
    ],
    async (_, target, headers, expected) => {
      for (const send of backEnds) {
        const response = await send(`http://localhost${target}`, { headers })
        assert.equal(await response.json(), expected)
      }
    },
  )
  table<[name: string, target: string, headers: Record<string, string>]>(
    test,
    [
      ['query parameters', `/one/a/b?${'x&'.repeat(1001)}`, {}],
      ['matrix parameters', `/one${';x'.repeat(1001)}/a/b`, {}],
      [
        'cookies',
        '/one/a/b',
        { Cookie: Array.from({ length: 1001 }, (__, n) => `c${n}=1`).join('; ') },
      ],
    ],
    async (_, target, headers) => {
      for (const send of backEnds)
        assert.is((await send(`http://localhost${target}`, { headers })).status, 400)
    },
  )
})
