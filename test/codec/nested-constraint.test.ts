/** The codecs that validation errors of nested constraints refer to. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { list } from '../../src/codec/collection.ts'
import { atLeast, atMost, constrained, rejectingCodec } from '../../src/codec/constraint.ts'
import type { Decimal } from '../../src/codec/decimal.ts'
import { decimal } from '../../src/codec/decimal.ts'
import { compileCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { optional, withDefault } from '../../src/codec/optional.ts'
import { int } from '../../src/codec/scalar.ts'
import { describe, table } from '../support/describe.ts'
import { backEnds } from './back-ends.ts'

const cents = constrained('an amount with two decimal places', ({ scale }: Decimal) => scale === 2)
const positive = 'decimal that is at least 0'
const amount = cents(atMost(100)(atLeast(0)(decimal)))
const digit = atMost(9)(atLeast(1)(int))
const sorted = constrained('a sorted list', (values: ReadonlyArray<Decimal>) => values.length < 2)
const amounts = sorted(list(amount))
const price = t.brand(
  amount,
  (value): value is t.Branded<Decimal, { readonly Price: symbol }> => value.scale === 2,
  'Price',
)

type Row = readonly [name: string, codec: t.Mixed, value: unknown, expected: ReadonlyArray<string>]

const rows: ReadonlyArray<Row> = [
  ['the outer constraint', amount, '1.5', [amount.name]],
  ['the constraint in the middle', amount, '100.01', [`${positive} and at most 100`]],
  ['the inner constraint', amount, '-1.00', [positive]],
  ['the base codec', amount, 12.5, ['decimal']],
  ['the base codec of a missing value', amount, undefined, ['decimal']],
  ['the base codec of a test', digit, 'x', ['int']],
  ['the inner constraint of a test', digit, 0, ['int that is at least 1']],
  ['the outer constraint of a test', digit, 10, [digit.name]],
  [
    'a constraint inside a default',
    withDefault(amount, { unscaled: 0n, scale: 2 }),
    '-1',
    [positive],
  ],
  ['a constraint inside an optional codec', optional(amount), '-1', [positive, 'undefined']],
  ['constraints of elements', amounts, ['-1', 5, '1'], [positive, 'decimal', amount.name]],
  ['the collection inside a constraint', amounts, 5, ['list of an amount with two decimal places']],
  ['the constraint around a collection', amounts, ['1.00', '2.00'], ['a sorted list']],
  ['a constraint inside a brand', price, '-1', [positive]],
]

const decoders: ReadonlyArray<
  readonly [string, (codec: t.Mixed, value: unknown) => t.Validation<unknown>]
> = [
  ['io-ts', (codec, value) => codec.decode(value)],
  ...backEnds.map(
    ([name, backEnd]) =>
      [
        name,
        (codec: t.Mixed, value: unknown) => compileCodec(codec, 'drop', backEnd).decode(value),
      ] as const,
  ),
]

for (const [name, decode] of decoders)
  describe(`errors of nested constraints, ${name}`, (test) =>
    table<Row>(test, rows, (_, codec, value, expected) => {
      const result = decode(codec, value)
      const names = E.isLeft(result)
        ? result.left.map(({ context }) => context.at(-1)?.type.name)
        : []
      assert.equal(names, expected)
    }))

describe('rejectingCodec', (test) =>
  table<readonly [value: Decimal | string | undefined, expected: string]>(
    test,
    [
      [{ unscaled: 15n, scale: 1 }, amount.name],
      [{ unscaled: -100n, scale: 2 }, positive],
      ['1.50', 'decimal'],
      [undefined, 'decimal'],
    ],
    (value, expected) => assert.is(rejectingCodec(amount, value).name, expected),
  ))
