/** Parameters of several values, and of none: collections, absence, defaults, separators. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  attempt,
  fromString,
  get,
  handle,
  header,
  int,
  list,
  optional,
  path,
  produces,
  query,
  rawJson,
  routes,
  separated,
  set,
  sortedSet,
  string,
  withDefault,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { answers, sendLines, shown } from '../support/ask.ts'
import { describe } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const hex = fromString(
  'hexadecimal',
  (written) => (/^[0-9a-f]+$/.test(written) ? Number.parseInt(written, 16) : undefined),
  (value) => value.toString(16),
)

const api = routes({
  many: pipe(
    path('/many'),
    get(),
    query({
      list: list(int),
      texts: list(string),
      array: t.array(int),
      set: set(int),
      sorted: sortedSet(int),
      words: sortedSet(string),
      hexes: list(hex),
      maybe: optional(list(int)),
      byDefault: withDefault(list(int), [1, 2]),
      commas: separated(',')(int),
      dots: separated('.')(set(int)),
      pipes: optional(separated('||')(list(string))),
    }),
    produces(rawJson),
    handle((input) => shown(input.query)),
  ),
  absent: pipe(
    path('/absent'),
    get(),
    query({ maybe: optional(int), byDefault: withDefault(int, 7), tried: attempt(int) }),
    produces(rawJson),
    handle(({ query: { tried, ...rest } }) =>
      shown({
        ...rest,
        tried: pipe(
          tried,
          E.getOrElse(() => -1),
        ),
      }),
    ),
  ),
  fields: pipe(
    path('/fields'),
    get(),
    header({ xTag: list(string), xSize: separated(',')(int) }),
    produces(rawJson),
    handle((input) => shown(input.header)),
  ),
})

const nothing = {
  list: [],
  texts: [],
  array: [],
  set: { set: [] },
  sorted: { set: [] },
  words: { set: [] },
  hexes: [],
  byDefault: [1, 2],
  commas: [],
  dots: { set: [] },
}
const many = (some: object) => ({ ...nothing, ...some })

contract('collections of parameters', api, (test, call) =>
  answers(test, call, [
    ['a list of one’s own type', 'GET /many?hexes=a&hexes=ff', many({ hexes: [10, 255] })],
    ['a missing collection is empty', 'GET /many', nothing],
    ['every occurrence', 'GET /many?list=2&list=1&list=2', many({ list: [2, 1, 2] })],
    ['one of them', 'GET /many?list=2', many({ list: [2] })],
    ['an array of io-ts', 'GET /many?array=2&array=1', many({ array: [2, 1] })],
    ['each one once', 'GET /many?set=2&set=1&set=2', many({ set: { set: [2, 1] } })],
    [
      'in their order',
      'GET /many?sorted=10&sorted=9&sorted=10',
      many({ sorted: { set: [9, 10] } }),
    ],
    ['of texts', 'GET /many?words=b&words=a&words=B', many({ words: { set: ['B', 'a', 'b'] } })],
    ['each of them is decoded', 'GET /many?list=1&list=x', 400],
    ['a collection may be optional', 'GET /many?maybe=1', many({ maybe: [1] })],
    ['so may a value', 'GET /absent?maybe=1', { maybe: 1, byDefault: 7, tried: -1 }],
    ['a default where nothing is given', 'GET /absent', { byDefault: 7, tried: -1 }],
    ['and not where something is', 'GET /absent?byDefault=1', { byDefault: 1, tried: -1 }],
    ['nor for what cannot be read', 'GET /absent?byDefault=x', 400],
    ['of a collection', 'GET /many?byDefault=3', many({ byDefault: [3] })],
    ['an attempt is handed over', 'GET /absent?tried=1', { byDefault: 7, tried: 1 }],
    ['whatever came of it', 'GET /absent?tried=x', { byDefault: 7, tried: -1 }],
    ['split', 'GET /many?commas=1,2', many({ commas: [1, 2] })],
    ['every occurrence', 'GET /many?commas=1,2&commas=3', many({ commas: [1, 2, 3] })],
    ['also where the separator is escaped', 'GET /many?commas=1%2C2', many({ commas: [1, 2] })],
    ['empty ones are none', 'GET /many?commas=,1,,2,', many({ commas: [1, 2] })],
    ['at what is no expression', 'GET /many?dots=1.2.1', many({ dots: { set: [1, 2] } })],
    ['at the whole of it', 'GET /many?pipes=a%7C%7Cb%7Cc', many({ pipes: ['a', 'b|c'] })],
    ['blanks belong to the values', 'GET /many?pipes=a%7C%7C%20b', many({ pipes: ['a', ' b'] })],
  ]),
)

describe('parameters in several lines of a header', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(api, { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  })
  after(() => server?.close())

  test('every line counts, and is split only where it is declared', async () => {
    const response = await sendLines(server?.url ?? '', {
      path: '/fields',
      headers: { 'X-Tag': ['a, b', 'c'], 'X-Size': ['1,2', '3'] },
    })
    assert.equal(await response.json(), { xTag: ['a, b', 'c'], xSize: [1, 2, 3] })
  })
})
