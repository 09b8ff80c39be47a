import * as assert from 'uvu/assert'
import * as t from 'io-ts'
import {
  bigint,
  atLeast,
  between,
  constrained,
  dateFormat,
  decimal,
  enumOf,
  nullable,
  nullish,
  optional,
  instant,
  int,
  length,
  list,
  pattern,
  offsetDateTime,
  plainDate,
  plainDateTime,
  plainTime,
  set,
  sortedSet,
  string,
  uuid,
  yearMonth,
  zonedDateTime,
} from '../../src/index.ts'
import { expectedTypes, textOrValue, fromString } from '../../src/codec/from-string.ts'
import { describe, table, law, roundTrip } from '../support/describe.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as fc from 'fast-check'

describe('expectedTypes', (test) => {
  const rows: ReadonlyArray<readonly [t.Mixed, string]> = [
    [string, 'a string'],
    [int, 'an integer'],
    [bigint, 'an integer'],
    [t.number, 'a number'],
    [t.boolean, 'a boolean'],
    [decimal, 'a decimal number'],
    [uuid, 'a UUID'],
    [plainDate, 'a date such as 2024-01-31'],
    [plainTime, 'a time such as 10:15:30'],
    [plainDateTime, 'a date and time such as 2024-01-31T10:15:30'],
    [
      zonedDateTime,
      'a date and time with a time zone such as 2024-01-31T10:15:30+01:00[Europe/Paris]',
    ],
    [offsetDateTime, 'a date and time with an offset such as 2024-01-31T10:15:30Z'],
    [instant, 'a date and time with an offset such as 2024-01-31T10:15:30Z'],
    [yearMonth, 'a year and month such as 2024-01'],
    [t.null, 'null'],
    [t.literal('asc'), '"asc"'],
    [t.type({ id: int }), '{ id: int }'],
    [t.type({ id: int }, 'Book'), 'Book'],
    [between(1, 9)(int), 'an integer from 1 to 9'],
    [atLeast(0)(decimal), 'a decimal number that is at least 0'],
    [constrained('an even integer', (n: number) => n % 2 === 0)(int), 'an even integer'],
    [length(2, 5)(string), 'a string with 2 to 5 characters'],
    [pattern(/^a+$/)(string), 'a string matching ^a+$'],
    [dateFormat('dd/MM/yyyy')(plainDate), 'a date as dd/MM/yyyy'],
    [list(int), 'a list of int'],
    [set(int), 'a set of int'],
    [sortedSet(int), 'a sorted set of int'],
  ]
  rows.forEach(([{ name }, phrase]) =>
    test(`the codec ${name} expects ${phrase}`, () => {
      assert.is(expectedTypes([name]), `must be ${phrase}`)
      assert.is(expectedTypes([name], true), `is required and must be ${phrase}`)
    }),
  )
  const sort = enumOf('title', 'author', 'a | "b"')
  const size = t.union([t.literal('auto'), int])
  table<readonly [title: string, names: ReadonlyArray<string>, expected: string]>(
    test,
    [
      ['one literal', [enumOf('a').name], '"a"'],
      ['two literals', [enumOf('a', 'b').name], '"a" or "b"'],
      ['many literals', [sort.name], '"title", "author" or "a | \\"b\\""'],
      ['numbers', [enumOf(1, -2.5, 1e21).name], '1, -2.5 or 1e+21'],
      ['t.keyof', [t.keyof({ a: null, b: null }).name], '"a" or "b"'],
      ['a union of literals', [t.union([t.literal('a'), t.literal(1)]).name], '"a" or 1'],
      ['literals of a union', ['"a"', '"b"', '"c"'], '"a", "b" or "c"'],
      ['a literal and another type', [size.name], '"auto" or an integer'],
      [
        'an enumeration and another type',
        [sort.name, 'null'],
        '"title", "author", "a | \\"b\\"" or null',
      ],
      ['an optional enumeration', [optional(enumOf('a', 'b')).name], '"a" or "b"'],
      ['a nullish enumeration', [nullish(enumOf('a', 'b')).name], '"a", "b" or null'],
      ['a nullable integer', [nullable(int).name], 'an integer or null'],
      ['a list of an enumeration', [list(enumOf('a', 'b', 'c')).name], 'a list of "a", "b" or "c"'],
      ['an object', [t.type({ size }).name], '{ size: "auto" or int }'],
      ['a pattern', [pattern(/^(a|b)$/)(string).name], 'a string matching ^(a|b)$'],
    ],
    (_, names, expected) => assert.is(expectedTypes(names), `must be ${expected}`),
  )
  test('joins alternatives, without duplicates and undefined', () =>
    assert.is(expectedTypes(['int', 'bigint', 'undefined', 'null']), 'must be an integer or null'))
})

const answer = textOrValue(
  'the answer',
  (u) => u === 42,
  (text) => (text === 'forty-two' ? O.some(42) : O.none),
  () => 'forty-two',
)

describe('textOrValue', (test) => {
  table(
    test,
    [
      [42, O.some(42)],
      ['forty-two', O.some(42)],
      [' forty-two\t', O.some(42)],
      ['42', O.none],
      [41, O.none],
      [undefined, O.none],
    ] as const,
    (value, expected) => assert.equal(O.fromEither(answer.decode(value)), expected),
  )

  test('an invalid value results in one error with the expected form', () => {
    const errors = E.swap(answer.decode('x'))
    assert.equal(
      O.fromEither(E.map((all: ReadonlyArray<{ value: unknown }>) => all.length)(errors)),
      O.some(1),
    )
    assert.is(answer.name, 'the answer')
  })
})

interface Point {
  readonly x: number
  readonly y: number
}

const point = fromString(
  'a point, such as 1;2',
  (text): Point | undefined => {
    const [, x, y] = /^(-?\d+);(-?\d+)$/.exec(text) ?? []
    return x === undefined || y === undefined ? undefined : { x: Number(x), y: Number(y) }
  },
  ({ x, y }) => `${x};${y}`,
)

describe('fromString', (test) => {
  table(
    test,
    [
      ['1;2', E.right({ x: 1, y: 2 })],
      ['-1;0', E.right({ x: -1, y: 0 })],
    ] as const,
    (text, expected) => assert.equal(point.decode(text), expected),
  )
  table(test, [['1'], [''], [1], [undefined], [null], [{ x: 1, y: 2 }]] as const, (value) => {
    const result = point.decode(value)
    assert.equal(E.isLeft(result) && result.left.map((error) => error.value), [value])
  })
  test('decode throws errors that parse throws', () => {
    const broken = fromString(
      'broken',
      (): string => {
        throw new RangeError('mine')
      },
      String,
    )
    assert.throws(
      () => broken.decode('x'),
      (error: unknown) => error instanceof RangeError,
    )
  })
  test('parse may return an empty string, false or null', () => {
    assert.equal(fromString('empty', () => '', String).decode('x'), E.right(''))
    assert.equal(fromString('no', () => false, String).decode('x'), E.right(false))
    assert.equal(fromString('null', () => null, String).decode('x'), E.right(null))
  })
  test('format is called with only the value', () => {
    const money = fromString('money', Number, (value: number, digits = 2) => value.toFixed(digits))
    assert.equal([1, 2].map(money.encode), ['1.00', '2.00'])
  })
  test('is accepts everything except undefined by default', () => {
    assert.ok(point.is(0))
    assert.not(point.is(undefined))
    const numeric = fromString('numeric', Number, String, (value) => typeof value === 'number')
    assert.not(numeric.is('1'))
  })
  law(test, 'never throws on any value', fc.anything(), (value) => void point.decode(value))
  roundTrip(
    test,
    fc.record({ x: fc.integer(), y: fc.integer() }, { noNullPrototype: true }),
    point.encode,
    (text) => point.decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})
