/** What codecs make of the texts of parameters. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  atLeast,
  atMost,
  attempt,
  between,
  bigint,
  boolean,
  decimal,
  enumOf,
  fromString,
  get,
  handle,
  header,
  int,
  integer,
  lengthBetween,
  list,
  matching,
  number,
  optional,
  path,
  produces,
  query,
  rawJson,
  routes,
  separated,
  set,
  sortedSet,
  standard,
  string,
  uuid,
  withDefault,
} from '../../src/index.ts'
import { silent } from '../../src/interpreter/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { answers, sendLines, shown } from '../support/ask.ts'
import { describe } from '../support/describe.ts'
import { contract } from '../support/doors.ts'

/** Another library's schema of even numbers. */
const even = {
  '~standard': {
    version: 1 as const,
    vendor: 'even',
    validate: (value: unknown) =>
      Number(value) % 2 === 0
        ? { value: String(value) }
        : { issues: [{ message: 'an even number' }] },
  },
}

interface Point {
  readonly x: number
  readonly y: number
}

const point = fromString<Point>(
  'x:y',
  (written) => {
    const [, x, y] = /^(\d+):(\d+)$/.exec(written) ?? []
    return x === undefined || y === undefined ? undefined : { x: Number(x), y: Number(y) }
  },
  ({ x, y }) => `${x}:${y}`,
)

const Id = t.brand(int, (n): n is t.Branded<number, { readonly Id: symbol }> => n > 0, 'Id')

const api = routes({
  one: pipe(
    path('/one'),
    get(),
    query({
      string: optional(string),
      int: optional(int),
      integer: optional(integer),
      number: optional(number),
      boolean: optional(boolean),
      bigint: optional(bigint),
      decimal: optional(decimal),
      uuid: optional(uuid),
      enumOf: optional(enumOf('asc', 'desc', 7)),
      literal: optional(t.literal(5)),
      either: optional(t.union([int, boolean, string])),
      brand: optional(Id),
      point: optional(point),
      standard: optional(standard(even)),
      between: optional(between(1, 100)(int)),
      atLeast: optional(atLeast(0.5)(number)),
      atMost: optional(atMost(3)(int)),
      length: optional(lengthBetween(2, 3)(string)),
      like: optional(matching(/^[a-z]+$/)(string)),
    }),
    produces(rawJson),
    handle((input) => shown(input.query)),
  ),
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
      points: list(point),
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
  points: [],
  byDefault: [1, 2],
  commas: [],
  dots: { set: [] },
}
const many = (some: object) => ({ ...nothing, ...some })

contract('parameters', api, (test, call) => {
  answers(test, call, [
    ['R-148 a string', 'GET /one?string=a', { string: 'a' }],
    ['R-148 which looks like a number', 'GET /one?string=1', { string: '1' }],
    ['R-148 a whole number', 'GET /one?int=-5', { int: -5 }],
    ['R-148 by its other name', 'GET /one?integer=5', { integer: 5 }],
    ['R-148 the largest', 'GET /one?int=9007199254740991', { int: 9_007_199_254_740_991 }],
    ['R-148 one too large', 'GET /one?int=9007199254740992', 400],
    ['R-148 one with a fraction', 'GET /one?int=1.5', 400],
    ['R-148 one in hexadecimal', 'GET /one?int=0x10', 400],
    ['R-148 one with a blank', 'GET /one?int=%201', 400],
    ['R-148 one with a letter', 'GET /one?int=1a', 400],
    ['R-148 a number', 'GET /one?number=-1.5e3', { number: -1500 }],
    ['R-148 not a number', 'GET /one?number=NaN', 400],
    ['R-148 infinity', 'GET /one?number=Infinity', 400],
    ['R-148 a number beyond all', 'GET /one?number=1e999', 400],
    ['R-148 true', 'GET /one?boolean=true', { boolean: true }],
    ['R-148 false', 'GET /one?boolean=false', { boolean: false }],
    ['R-148 another word for it', 'GET /one?boolean=yes', 400],
    ['R-148 in another case', 'GET /one?boolean=TRUE', 400],
    [
      'R-148 as many digits as needed',
      'GET /one?bigint=123456789012345678901',
      { bigint: '123456789012345678901n' },
    ],
    ['R-148 and no fraction', 'GET /one?bigint=1.0', 400],
    [
      'R-148 a decimal keeps its digits',
      'GET /one?decimal=12.50',
      { decimal: { unscaled: '1250n', scale: 2 } },
    ],
    ['R-148 a comma is not a point', 'GET /one?decimal=12,50', 400],
    [
      'R-148 a UUID in lower case',
      'GET /one?uuid=00112233-4455-6677-8899-AABBCCDDEEFF',
      { uuid: '00112233-4455-6677-8899-aabbccddeeff' },
    ],
    ['R-148 no UUID', 'GET /one?uuid=00112233', 400],
    ['R-149 one of a few', 'GET /one?enumOf=desc', { enumOf: 'desc' }],
    ['R-149 that may be numbers', 'GET /one?enumOf=7', { enumOf: 7 }],
    ['R-149 and no other', 'GET /one?enumOf=DESC', 400],
    ['R-149 a codec of io-ts', 'GET /one?literal=5', { literal: 5 }],
    ['R-149 several kinds: the first that fits', 'GET /one?either=5', { either: 5 }],
    ['R-149 the second', 'GET /one?either=true', { either: true }],
    ['R-149 the last', 'GET /one?either=5a', { either: '5a' }],
    ['R-149 a type of one’s own', 'GET /one?point=1:2', { point: { x: 1, y: 2 } }],
    ['R-149 which says what it is not', 'GET /one?point=1-2', 400],
    ['R-150 a schema of another library', 'GET /one?standard=4', { standard: '4' }],
    ['R-150 which refuses', 'GET /one?standard=5', 400],
    [
      'R-150 a list of one’s own type',
      'GET /many?points=1:2&points=3:4',
      many({
        points: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      }),
    ],
    ['R-176 a brand', 'GET /one?brand=1', { brand: 1 }],
    ['R-176 that is broken', 'GET /one?brand=0', 400],
    ['R-176 the least', 'GET /one?between=1', { between: 1 }],
    ['R-176 the most', 'GET /one?between=100', { between: 100 }],
    ['R-176 less', 'GET /one?between=0', 400],
    ['R-176 more', 'GET /one?between=101', 400],
    ['R-176 at least', 'GET /one?atLeast=0.4', 400],
    ['R-176 at most', 'GET /one?atMost=4', 400],
    ['R-176 long enough', 'GET /one?length=abc', { length: 'abc' }],
    ['R-176 too short', 'GET /one?length=a', 400],
    ['R-176 too long', 'GET /one?length=abcd', 400],
    ['R-176 like the expression', 'GET /one?like=abc', { like: 'abc' }],
    ['R-176 unlike it', 'GET /one?like=ab1', 400],
    ['R-152 a missing collection is empty', 'GET /many', nothing],
    ['R-152 every occurrence', 'GET /many?list=2&list=1&list=2', many({ list: [2, 1, 2] })],
    ['R-152 one of them', 'GET /many?list=2', many({ list: [2] })],
    ['R-152 an array of io-ts', 'GET /many?array=2&array=1', many({ array: [2, 1] })],
    ['R-152 each one once', 'GET /many?set=2&set=1&set=2', many({ set: { set: [2, 1] } })],
    [
      'R-152 in their order',
      'GET /many?sorted=10&sorted=9&sorted=10',
      many({ sorted: { set: [9, 10] } }),
    ],
    [
      'R-152 of texts',
      'GET /many?words=b&words=a&words=B',
      many({ words: { set: ['B', 'a', 'b'] } }),
    ],
    ['R-152 each of them is decoded', 'GET /many?list=1&list=x', 400],
    ['R-153 a collection may be optional', 'GET /many?maybe=1', many({ maybe: [1] })],
    ['R-153 so may a value', 'GET /absent?maybe=1', { maybe: 1, byDefault: 7, tried: -1 }],
    ['R-155 a default where nothing is given', 'GET /absent', { byDefault: 7, tried: -1 }],
    ['R-155 and not where something is', 'GET /absent?byDefault=1', { byDefault: 1, tried: -1 }],
    ['R-155 nor for what cannot be read', 'GET /absent?byDefault=x', 400],
    ['R-155 of a collection', 'GET /many?byDefault=3', many({ byDefault: [3] })],
    ['R-161 an attempt is handed over', 'GET /absent?tried=1', { byDefault: 7, tried: 1 }],
    ['R-161 whatever came of it', 'GET /absent?tried=x', { byDefault: 7, tried: -1 }],
    ['R-162 split', 'GET /many?commas=1,2', many({ commas: [1, 2] })],
    ['R-162 every occurrence', 'GET /many?commas=1,2&commas=3', many({ commas: [1, 2, 3] })],
    [
      'R-162 also where the separator is escaped',
      'GET /many?commas=1%2C2',
      many({ commas: [1, 2] }),
    ],
    ['R-162 empty ones are none', 'GET /many?commas=,1,,2,', many({ commas: [1, 2] })],
    ['R-162 at what is no expression', 'GET /many?dots=1.2.1', many({ dots: { set: [1, 2] } })],
    ['R-162 at the whole of it', 'GET /many?pipes=a%7C%7Cb%7Cc', many({ pipes: ['a', 'b|c'] })],
    [
      'R-162 blanks belong to the values',
      'GET /many?pipes=a%7C%7C%20b',
      many({ pipes: ['a', ' b'] }),
    ],
  ])
})

describe('parameters in several lines of a header', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(api, { logger: silent, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  })
  after(() => server?.close())

  test('R-152 every line counts, and is split only where it is declared', async () => {
    const response = await sendLines(server?.url ?? '', {
      path: '/fields',
      headers: { 'X-Tag': ['a, b', 'c'], 'X-Size': ['1,2', '3'] },
    })
    assert.equal(await response.json(), { xTag: ['a, b', 'c'], xSize: [1, 2, 3] })
  })
})
