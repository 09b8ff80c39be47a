import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { losslessCodec } from '../../../src/codec/json/lossless-codec.ts'
import type { BackEnd } from '../../../src/codec/generated/compiled-codec.ts'
import { compileCodec } from '../../../src/codec/generated/compiled-codec.ts'
import {
  attempt,
  bigint,
  decimal,
  enumOf,
  exact,
  int,
  list,
  number,
  optional,
  secureField,
  set,
  withDefault,
} from '../../../src/index.ts'
import { isJsonNumber, jsonNumber, JsonNumber } from '../../../src/codec/json/json-number.ts'
import { restrictionsIn } from '../../../src/codec/visibility/restrictions.ts'
import { jsonValue } from '../../../src/codec/json/json-value.ts'
import { backEnds } from '../../support/back-ends.ts'
import { describe, law, table } from '../../support/describe.ts'
import { instance, sample } from '../../support/sample.ts'

/** The same value, its whole numbers written in a way that JavaScript has not. */
const inflated = (value: unknown): unknown =>
  typeof value === 'number'
    ? jsonNumber(/^-?\d+$/.test(String(value)) ? `${value}.0` : String(value))
    : Array.isArray(value)
      ? value.map(inflated)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inflated(one)]))
        : value

/** With the nearest numbers; of errors that were attempted their number, for their types differ. */
const rounded = (value: unknown): unknown =>
  isJsonNumber(value)
    ? Number(value)
    : isLeft(value)
      ? value.left.length
      : Array.isArray(value)
        ? value.map(rounded)
        : t.UnknownRecord.is(value) && Object.getPrototypeOf(value) === Object.prototype
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]))
          : value

const isLeft = (value: unknown): value is E.Left<ReadonlyArray<unknown>> =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'Left'

const places = (result: t.Validation<unknown>): ReadonlyArray<ReadonlyArray<string>> =>
  E.isLeft(result) ? result.left.map(({ context }) => context.map(({ key }) => key)) : []

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, 1, 2.5, 'a', 'b', true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'it', 'kind', 'z'), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value

const tagged = () =>
  t.union([t.type({ kind: t.literal('a'), n: int }), t.type({ kind: t.literal('b') })])

/** A codec that says nothing of itself, and shows what it was given. */
const opaque = () =>
  new t.Type<string>('opaque', t.string.is, (value) => t.success(JSON.stringify(value)), t.identity)

const exactly = (backEnd: BackEnd) => (codec: t.Mixed) =>
  compileCodec(losslessCodec(codec), 'drop', backEnd)

for (const [name, backEnd] of backEnds)
  describe(`exactNumbers, ${name}`, (test) => {
    const of = exactly(backEnd)
    law(test, 'a codec gives the values that it gives of doubles', instance(sample), (one) => {
      const wire: unknown = one.codec.encode(one.value)
      const expected = compileCodec(one.codec, 'drop', backEnd).decode(wire)
      assert.equal(of(one.codec).decode(inflated(wire)), expected)
      assert.equal(of(one.codec).encode(one.value), wire)
    })
    law(
      test,
      'and refuses what it refuses, in the same places',
      fc.tuple(sample, json),
      ([one, value]) => {
        const before = compileCodec(one.codec, 'drop', backEnd).decode(value)
        const after = of(one.codec).decode(inflated(value))
        assert.equal(places(after), places(before))
        if (E.isRight(after) && E.isRight(before))
          assert.equal(rounded(after.right), rounded(before.right))
      },
    )
    const big = jsonNumber('9007199254740993')
    const out = jsonNumber('1e400')
    table<readonly [name: string, codec: t.Mixed, value: unknown, expected?: unknown]>(
      test,
      [
        ['number takes the nearest', number, jsonNumber('0.1000000000000000055'), 0.1],
        ['so does t.number', t.number, jsonNumber('-0'), -0],
        ['and refuses one that is beyond', t.number, out],
        ['int takes a whole one', int, jsonNumber('1e2'), 100],
        ['int refuses one that is not exact', int, big],
        ['a literal', t.literal(1), jsonNumber('1.0'), 1],
        ['one of several', enumOf('a', 2), jsonNumber('2.0'), 2],
        ['a literal is still no text', enumOf('a', 2), '2'],
        ['bigint', bigint, big, 9007199254740993n],
        ['a tuple of less', t.tuple([number, optional(t.string)]), [jsonNumber('0')], [0]],
        ['bigint as a double', bigint, 12, 12n],
        ['bigint as a text', bigint, '12', 12n],
        ['bigint with an exponent', bigint, jsonNumber('12e3'), 12000n],
        ['bigint with a fraction of zeros', bigint, jsonNumber('-12.00'), -12n],
        ['bigint with a fraction', bigint, jsonNumber('12.50')],
        ['bigint of 1000 digits', bigint, jsonNumber('1e999'), 10n ** 999n],
        ['bigint of more', bigint, jsonNumber('1e1000')],
        ['bigint of very many', bigint, jsonNumber('1e9999')],
        ['bigint that is next to nothing', bigint, jsonNumber('1e-9999')],
        ['bigint that is nothing', bigint, jsonNumber('0e9'), 0n],
        ['decimal', decimal, jsonNumber('12.50'), { unscaled: 1250n, scale: 2 }],
        ['decimal as a double', decimal, 12.5, { unscaled: 125n, scale: 1 }],
        ['decimal as a text', decimal, '12.50', { unscaled: 1250n, scale: 2 }],
        ['decimal with too large an exponent', decimal, jsonNumber('1e10000')],
        ['a list', list(optional(bigint)), [big], [9007199254740993n]],
        ['a set', set(int), [jsonNumber('1.0'), 1], new Set([1])],
        ['what has a default', withDefault(int, 1), jsonNumber('2.0'), 2],
        ['what is attempted', attempt(int), jsonNumber('2.0'), E.right(2)],
        ['anything keeps the digits', t.unknown, big, big],
        ['a record of anything', t.record(t.string, t.unknown), { a: [out] }, { a: [out] }],
        ['an array of anything', t.UnknownArray, [out], [out]],
        ['a JSON value', jsonValue, { a: [out] }, { a: [out] }],
        ['a number is no record', t.UnknownRecord, out],
        ['nor one of anything', t.record(t.string, t.unknown), out],
        ['nor an object without required members', t.partial({ text: t.string }), out],
        ['nor an exact one', exact(t.partial({ text: t.string })), out],
        ['nor two at once', t.intersection([t.partial({ a: int }), t.partial({ b: int })]), out],
        ['a tagged union', tagged(), { kind: 'a', n: jsonNumber('1.0') }, { kind: 'a', n: 1 }],
        ['an opaque codec is given doubles', opaque(), { a: [jsonNumber('1.0')] }, '{"a":[1]}'],
        ['and not asked of one beyond', opaque(), { a: [out] }],
      ],
      (_, codec, value, ...expected) => {
        const result = of(codec).decode(value)
        if (expected.length === 0) assert.ok(E.isLeft(result))
        else assert.equal(result, E.right(expected[0]))
      },
    )
    table<readonly [name: string, codec: t.Mixed, value: unknown, expected: unknown]>(
      test,
      [
        ['a bigint', bigint, 2n ** 64n, new JsonNumber('18446744073709551616')],
        ['a small bigint', bigint, 2n, 2],
        ['a decimal', list(decimal), [{ unscaled: 1250n, scale: 2 }], [new JsonNumber('12.50')]],
        ['a decimal that a double has', decimal, { unscaled: 125n, scale: 1 }, 12.5],
        ['a decimal with an exponent', decimal, { unscaled: 1n, scale: -3 }, new JsonNumber('1E3')],
        [
          'a choice',
          t.union([t.string, bigint]),
          2n ** 64n,
          new JsonNumber('18446744073709551616'),
        ],
      ],
      (_, codec, value, expected) => assert.equal(of(codec).encode(value), expected),
    )
  })

describe('exactNumbers', (test) => {
  table<readonly [name: string, codec: t.Mixed]>(
    test,
    [
      ['text', t.string],
      ['anything', t.unknown],
      ['names', t.keyof({ a: null })],
    ],
    (_, codec) => assert.is(losslessCodec(codec), codec),
  )
  test('is made once', () => {
    const codec = t.type({ a: int })
    assert.is(losslessCodec(codec), losslessCodec(codec))
  })
  test('a recursive codec is one', () => {
    const tree: t.Mixed = t.recursion('tree', () => t.type({ n: bigint, below: t.array(tree) }))
    const value = { n: jsonNumber('1.0'), below: [{ n: 2, below: [] }] }
    assert.equal(
      losslessCodec(tree).decode(value),
      E.right({ n: 1n, below: [{ n: 2n, below: [] }] }),
    )
  })
  test('what is restricted by a second copy of the package stays so', () => {
    const own = secureField('chief')(bigint)
    const made: unknown = Object.create(Object.getPrototypeOf(own), {
      ...Object.getOwnPropertyDescriptors(own),
      encode: { value: (value: bigint) => own.encode(value) },
    })
    const form = losslessCodec(t.type({ secret: made as typeof own }))
    assert.is(restrictionsIn(form).length, 1)
    for (const [, backEnd] of backEnds)
      assert.equal(compileCodec(form, 'drop', backEnd).encode({ secret: 2n ** 64n }), {
        secret: new JsonNumber('18446744073709551616'),
      })
  })
})
