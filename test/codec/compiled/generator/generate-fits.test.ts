import * as fc from 'fast-check'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../../src/codec/optional.ts'
import type { Codec } from '../../../../src/codec/codec.ts'
import { list, set, tupleWithRest } from '../../../../src/codec/collection.ts'
import { compileCodec } from '../../../../src/codec/compiled/compiled-codec.ts'
import { extentOf } from '../../../../src/codec/compiled/generator/generate-fits.ts'
import { readSchema } from '../../../../src/codec/schema/read-schema.ts'
import { int, string, uuid } from '../../../../src/codec/scalar.ts'
import { backEnds } from '../../back-ends.ts'
import { interpretedBackEnd } from '../../../../src/codec/compiled/interpreted-back-end.ts'
import { describe, law, table } from '../../../support/describe.ts'
import { instance, sample } from '../../../support/sample.ts'

const Line = t.type({ sku: string, note: optional(string) })
const Order = t.type({ id: int, lines: list(Line) })

interface Tree {
  readonly below: ReadonlyArray<Tree>
}
const Tree: t.Type<Tree> = t.recursion('Tree', () => t.type({ below: list(Tree) }))

type Row = [name: string, codec: Codec, value: unknown, fits: boolean]

const rows: ReadonlyArray<Row> = [
  ['declared members', Order, { id: 1, lines: [{ sku: 'a' }, { note: 'b' }] }, true],
  ['members of another type', Order, { id: 'x', lines: null }, true],
  ['an undeclared member', Order, { id: 1, z: 0 }, false],
  ['an undeclared member of a nested object', Order, { id: 1, lines: [{ sku: 'a', z: 0 }] }, false],
  ['an object for a scalar', Order, { id: {}, lines: [] }, false],
  ['an array for an object', Line, [], false],
  ['an object for an array', Order, { lines: {} }, false],
  ['a member named __proto__', Line, JSON.parse('{"__proto__":{}}'), false],
  ['a scalar for an object', Order, 'x', true],
  ['a set', set(int), [1, 2], true],
  ['a set with objects', set(int), [{}], false],
  ['a tuple', t.tuple([int, Line]), [1, { sku: 'a' }], true],
  ['a tuple with further elements', tupleWithRest([int], Line), [1, { sku: 'a' }, {}], true],
  ['an invalid further element', tupleWithRest([int], Line), [1, {}, { z: 0 }], false],
  ['an invalid first element', tupleWithRest([int], Line), [{}, {}], false],
  ['an object for a tuple with further elements', tupleWithRest([int], Line), {}, false],
  ['a longer tuple', t.tuple([int, Line]), [1, { sku: 'a' }, {}], false],
  ['a member of a union', t.union([Line, t.type({ b: int })]), { b: 1 }, true],
  [
    'members of two codecs of a union',
    t.union([Line, t.type({ b: int })]),
    { sku: 'a', b: 1 },
    false,
  ],
  ['an optional object', t.type({ a: optional(Line) }), { a: { sku: 'a' } }, true],
  ['a default', withDefault(Line, { sku: '', note: '' }), { sku: 'a' }, true],
  [
    'an intersection of objects',
    t.intersection([Line, t.partial({ b: int })]),
    { sku: 'a', b: 1 },
    true,
  ],
  ['an unknown member with an object', t.type({ a: t.unknown }), { a: {} }, false],
  ['an unknown member with a scalar', t.type({ a: t.unknown }), { a: 1 }, true],
  ['a record', t.record(string, int), {}, false],
  ['a recursive codec', Tree, { below: [] }, false],
  ['an opaque codec with a text', t.type({ a: uuid }), { a: 'x' }, true],
  ['an infinite number', t.number, Infinity, false],
  ['an infinite element', t.type({ a: t.array(t.number) }), { a: [1, -Infinity] }, false],
  ['an infinite number for an unknown member', t.type({ a: t.unknown }), { a: Infinity }, false],
  ['an infinite number for a union', t.union([Line, t.number]), Infinity, false],
  [
    'infinite numbers that the codecs reject',
    t.type({ a: int, b: string }),
    { a: Infinity, b: -Infinity },
    true,
  ],
  ['an infinite number for an object', Line, Infinity, false],
  ['the largest number', t.type({ a: t.number }), { a: Number.MAX_VALUE }, true],
]

const wide = { depth: 100, keys: 100 }

for (const [title, backEnd] of backEnds.filter(([name]) => name === 'generated'))
  describe(`fits, ${title} back end`, (test) => {
    table(test, rows, (_, codec, value, expected) =>
      assert.is(compileCodec(codec, 'drop', backEnd).fits(value, wide), expected),
    )
    test('is false if the extent of the codec exceeds the limits', () => {
      const { fits } = compileCodec(Order, 'drop', backEnd)
      const value = { id: 1, lines: [] }
      assert.ok(fits(value, { depth: 3, keys: 2 }))
      assert.not(fits(value, { depth: 2, keys: 2 }))
      assert.not(fits(value, { depth: 3, keys: 1 }))
    })
    law(
      test,
      'a value that fits is within the extent of the codec',
      fc.tuple(instance(sample), fc.constantFrom<object>({}, { z: 0 })),
      ([{ codec, value }, extra]) => {
        const encoded: unknown = codec.encode(value)
        const json: unknown = JSON.parse(JSON.stringify(encoded) ?? 'null')
        const input = t.UnknownRecord.is(json) ? { ...json, ...extra } : json
        if (!compileCodec(codec, 'drop', backEnd).fits(input, wide)) return
        const { depth, keys } = extentOf(readSchema(codec, 'drop'))
        assert.ok(measure(input).depth <= depth && measure(input).keys <= keys)
      },
    )
  })

describe('fits, interpreted back end', (test) => {
  test('is false for all values', () =>
    assert.not(compileCodec(Line, 'drop', interpretedBackEnd).fits({}, wide)))
})

const measure = (value: unknown): { readonly depth: number; readonly keys: number } => {
  if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0 }
  const inner = Object.values(value).map(measure)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    keys: Math.max(
      Array.isArray(value) ? 0 : Object.keys(value).length,
      ...inner.map(({ keys }) => keys),
    ),
  }
}
