/** Scalar codecs as query parameters: which strings they accept and what they decode. */
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
  length,
  pattern,
  number,
  optional,
  path,
  produces,
  query,
  rawJson,
  routes,
  fromStandardSchema,
  string,
  uuid,
} from '../../../src/index.ts'
import { testRequests, inputAsJson } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'

/** A Standard Schema of even numbers. */
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
  scalars: pipe(
    path('/scalars'),
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
      union: optional(t.union([int, boolean, string])),
      brand: optional(Id),
      point: optional(point),
      standard: optional(fromStandardSchema(even)),
      between: optional(between(1, 100)(int)),
      atLeast: optional(atLeast(0.5)(number)),
      atMost: optional(atMost(3)(int)),
      length: optional(length(2, 3)(string)),
      pattern: optional(pattern(/^[a-z]+$/)(string)),
    }),
    produces(rawJson),
    handle((input) => inputAsJson(input.query)),
  ),
})

valueContract('scalar parameters', api, (test, call) =>
  testRequests(test, call, [
    ['a string', 'GET /scalars?string=a', { string: 'a' }],
    ['a string of digits', 'GET /scalars?string=1', { string: '1' }],
    ['an int', 'GET /scalars?int=-5', { int: -5 }],
    ['an integer', 'GET /scalars?integer=5', { integer: 5 }],
    ['the largest int', 'GET /scalars?int=9007199254740991', { int: 9_007_199_254_740_991 }],
    ['an int above the safe integers', 'GET /scalars?int=9007199254740992', 400],
    ['an int with a fraction', 'GET /scalars?int=1.5', 400],
    ['an int in hexadecimal', 'GET /scalars?int=0x10', 400],
    ['an int after a space', 'GET /scalars?int=%201', 400],
    ['an int followed by a letter', 'GET /scalars?int=1a', 400],
    ['a number', 'GET /scalars?number=-1.5e3', { number: -1500 }],
    ['NaN', 'GET /scalars?number=NaN', 400],
    ['Infinity', 'GET /scalars?number=Infinity', 400],
    ['a number beyond the range of doubles', 'GET /scalars?number=1e999', 400],
    ['true', 'GET /scalars?boolean=true', { boolean: true }],
    ['false', 'GET /scalars?boolean=false', { boolean: false }],
    ['yes as a boolean', 'GET /scalars?boolean=yes', 400],
    ['TRUE as a boolean', 'GET /scalars?boolean=TRUE', 400],
    ['a bigint', 'GET /scalars?bigint=123456789012345678901', { bigint: '123456789012345678901n' }],
    ['a bigint with a fraction', 'GET /scalars?bigint=1.0', 400],
    [
      'a decimal keeps its digits',
      'GET /scalars?decimal=12.50',
      { decimal: { unscaled: '1250n', scale: 2 } },
    ],
    ['a decimal with a comma', 'GET /scalars?decimal=12,50', 400],
    [
      'a UUID in upper case is converted to lower case',
      'GET /scalars?uuid=00112233-4455-6677-8899-AABBCCDDEEFF',
      { uuid: '00112233-4455-6677-8899-aabbccddeeff' },
    ],
    ['an incomplete UUID', 'GET /scalars?uuid=00112233', 400],
    ['a string of an enumeration', 'GET /scalars?enumOf=desc', { enumOf: 'desc' }],
    ['a number of an enumeration', 'GET /scalars?enumOf=7', { enumOf: 7 }],
    ['a string outside the enumeration', 'GET /scalars?enumOf=DESC', 400],
    ['a literal', 'GET /scalars?literal=5', { literal: 5 }],
    ['the first matching member of a union', 'GET /scalars?union=5', { union: 5 }],
    ['the second member of a union', 'GET /scalars?union=true', { union: true }],
    ['the last member of a union', 'GET /scalars?union=5a', { union: '5a' }],
    ['a custom codec', 'GET /scalars?point=1:2', { point: { x: 1, y: 2 } }],
    ['a custom codec with an invalid value', 'GET /scalars?point=1-2', 400],
    ['a Standard Schema', 'GET /scalars?standard=4', { standard: '4' }],
    ['a Standard Schema with an invalid value', 'GET /scalars?standard=5', 400],
    ['a branded int', 'GET /scalars?brand=1', { brand: 1 }],
    ['a branded int with an invalid value', 'GET /scalars?brand=0', 400],
    ['the minimum of a range', 'GET /scalars?between=1', { between: 1 }],
    ['the maximum of a range', 'GET /scalars?between=100', { between: 100 }],
    ['a value below the range', 'GET /scalars?between=0', 400],
    ['a value above the range', 'GET /scalars?between=101', 400],
    ['a value below atLeast', 'GET /scalars?atLeast=0.4', 400],
    ['a value above atMost', 'GET /scalars?atMost=4', 400],
    ['the maximum length', 'GET /scalars?length=abc', { length: 'abc' }],
    ['a string below the minimum length', 'GET /scalars?length=a', 400],
    ['a string above the maximum length', 'GET /scalars?length=abcd', 400],
    ['a match of the pattern', 'GET /scalars?pattern=abc', { pattern: 'abc' }],
    ['a string that does not match the pattern', 'GET /scalars?pattern=ab1', 400],
  ]),
)
