/** What codecs of one value make of the text of a parameter. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  atLeast,
  atMost,
  between,
  bigint,
  boolean,
  decimal,
  enumOf,
  fromString,
  get,
  handle,
  int,
  integer,
  lengthBetween,
  matching,
  number,
  optional,
  path,
  produces,
  query,
  rawJson,
  routes,
  standard,
  string,
  uuid,
} from '../../src/index.ts'
import { answers, shown } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

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
})

contract('parameters of one value', api, (test, call) =>
  answers(test, call, [
    ['a string', 'GET /one?string=a', { string: 'a' }],
    ['which looks like a number', 'GET /one?string=1', { string: '1' }],
    ['a whole number', 'GET /one?int=-5', { int: -5 }],
    ['by its other name', 'GET /one?integer=5', { integer: 5 }],
    ['the largest', 'GET /one?int=9007199254740991', { int: 9_007_199_254_740_991 }],
    ['one too large', 'GET /one?int=9007199254740992', 400],
    ['one with a fraction', 'GET /one?int=1.5', 400],
    ['one in hexadecimal', 'GET /one?int=0x10', 400],
    ['one with a blank', 'GET /one?int=%201', 400],
    ['one with a letter', 'GET /one?int=1a', 400],
    ['a number', 'GET /one?number=-1.5e3', { number: -1500 }],
    ['not a number', 'GET /one?number=NaN', 400],
    ['infinity', 'GET /one?number=Infinity', 400],
    ['a number beyond all', 'GET /one?number=1e999', 400],
    ['true', 'GET /one?boolean=true', { boolean: true }],
    ['false', 'GET /one?boolean=false', { boolean: false }],
    ['another word for it', 'GET /one?boolean=yes', 400],
    ['in another case', 'GET /one?boolean=TRUE', 400],
    [
      'as many digits as needed',
      'GET /one?bigint=123456789012345678901',
      { bigint: '123456789012345678901n' },
    ],
    ['and no fraction', 'GET /one?bigint=1.0', 400],
    [
      'a decimal keeps its digits',
      'GET /one?decimal=12.50',
      { decimal: { unscaled: '1250n', scale: 2 } },
    ],
    ['a comma is not a point', 'GET /one?decimal=12,50', 400],
    [
      'a UUID in lower case',
      'GET /one?uuid=00112233-4455-6677-8899-AABBCCDDEEFF',
      { uuid: '00112233-4455-6677-8899-aabbccddeeff' },
    ],
    ['no UUID', 'GET /one?uuid=00112233', 400],
    ['one of a few', 'GET /one?enumOf=desc', { enumOf: 'desc' }],
    ['that may be numbers', 'GET /one?enumOf=7', { enumOf: 7 }],
    ['and no other', 'GET /one?enumOf=DESC', 400],
    ['a codec of io-ts', 'GET /one?literal=5', { literal: 5 }],
    ['several kinds: the first that fits', 'GET /one?either=5', { either: 5 }],
    ['the second', 'GET /one?either=true', { either: true }],
    ['the last', 'GET /one?either=5a', { either: '5a' }],
    ['a type of one’s own', 'GET /one?point=1:2', { point: { x: 1, y: 2 } }],
    ['which says what it is not', 'GET /one?point=1-2', 400],
    ['a schema of another library', 'GET /one?standard=4', { standard: '4' }],
    ['which refuses', 'GET /one?standard=5', 400],
    ['a brand', 'GET /one?brand=1', { brand: 1 }],
    ['that is broken', 'GET /one?brand=0', 400],
    ['the least', 'GET /one?between=1', { between: 1 }],
    ['the most', 'GET /one?between=100', { between: 100 }],
    ['less', 'GET /one?between=0', 400],
    ['more', 'GET /one?between=101', 400],
    ['at least', 'GET /one?atLeast=0.4', 400],
    ['at most', 'GET /one?atMost=4', 400],
    ['long enough', 'GET /one?length=abc', { length: 'abc' }],
    ['too short', 'GET /one?length=a', 400],
    ['too long', 'GET /one?length=abcd', 400],
    ['like the expression', 'GET /one?like=abc', { like: 'abc' }],
    ['unlike it', 'GET /one?like=ab1', 400],
  ]),
)
