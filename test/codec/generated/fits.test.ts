import * as fc from 'fast-check'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { compileCodec } from '../../../src/codec/generated/compiled-codec.ts'
import { extentOf } from '../../../src/codec/generated/fits.ts'
import { readSchema } from '../../../src/codec/generated/read-schema.ts'
import { exactForm } from '../../../src/codec/structure/exact-form.ts'
import { int, string } from '../../../src/codec/scalar.ts'
import { uuid } from '../../../src/codec/uuid.ts'
import { backEnds } from '../../support/back-ends.ts'
import { describe, law, table } from '../../support/describe.ts'
import { instance, sample } from '../../support/sample.ts'

const Line = t.type({ sku: string, note: optional(string) })
const Order = t.type({ id: int, lines: list(Line) })

interface Tree {
  readonly below: ReadonlyArray<Tree>
}
const Tree: t.Type<Tree> = t.recursion('Tree', () => t.type({ below: list(Tree) }))

type Row = [what: string, codec: Codec, value: unknown, fits: boolean]

const rows: ReadonlyArray<Row> = [
  ['declared members', Order, { id: 1, lines: [{ sku: 'a' }, { note: 'b' }] }, true],
  ['members of another type', Order, { id: 'x', lines: null }, true],
  ['an undeclared one', Order, { id: 1, z: 0 }, false],
  ['an undeclared one within', Order, { id: 1, lines: [{ sku: 'a', z: 0 }] }, false],
  ['an object for a scalar', Order, { id: {}, lines: [] }, false],
  ['an array for an object', Line, [], false],
  ['an object for an array', Order, { lines: {} }, false],
  ['a prototype', Line, JSON.parse('{"__proto__":{}}'), false],
  ['a scalar for anything', Order, 'x', true],
  ['a set', set(int), [1, 2], true],
  ['a set with objects', set(int), [{}], false],
  ['a tuple', t.tuple([int, Line]), [1, { sku: 'a' }], true],
  ['a longer tuple', t.tuple([int, Line]), [1, { sku: 'a' }, {}], false],
  ['one of a union', t.union([Line, t.type({ b: int })]), { b: 1 }, true],
  ['members of two of a union', t.union([Line, t.type({ b: int })]), { sku: 'a', b: 1 }, false],
  ['an optional object', t.type({ a: optional(Line) }), { a: { sku: 'a' } }, true],
  ['a default', withDefault(Line, { sku: '', note: '' }), { sku: 'a' }, true],
  [
    'an intersection of objects',
    t.intersection([Line, t.partial({ b: int })]),
    { sku: 'a', b: 1 },
    true,
  ],
  ['what may have any member, with some', t.type({ a: t.unknown }), { a: {} }, false],
  ['what may have any member, without', t.type({ a: t.unknown }), { a: 1 }, true],
  ['a record', t.record(string, int), {}, false],
  ['recursion, which may be of any depth', Tree, { below: [] }, false],
  ['an opaque codec, given a text', t.type({ a: uuid }), { a: 'x' }, true],
  ['a number that is infinite', t.number, Infinity, false],
  ['one within', t.type({ a: t.array(t.number) }), { a: [1, -Infinity] }, false],
  ['one where anything may be', t.type({ a: t.unknown }), { a: Infinity }, false],
  ['one of a union', t.union([Line, t.number]), Infinity, false],
  [
    'one that its codec refuses',
    t.type({ a: int, b: string }),
    { a: Infinity, b: -Infinity },
    true,
  ],
  ['one for an object', Line, Infinity, false],
  ['the largest', t.type({ a: t.number }), { a: Number.MAX_VALUE }, true],
]

const wide = { depth: 100, keys: 100 }

for (const [title, backEnd] of backEnds)
  describe(`fits, ${title}`, (test) => {
    table(test, rows, (_, codec, value, expected) =>
      assert.is(compileCodec(codec, 'drop', backEnd).fits(value, wide), expected),
    )
    test('nothing fits bounds that its codec does not keep', () => {
      const { fits } = compileCodec(Order, 'drop', backEnd)
      const value = { id: 1, lines: [] }
      assert.ok(fits(value, { depth: 3, keys: 2 }))
      assert.not(fits(value, { depth: 2, keys: 2 }))
      assert.not(fits(value, { depth: 3, keys: 1 }))
    })
    law(
      test,
      'what fits has no member that decoding would drop, and is within the extent',
      fc.tuple(instance(sample), fc.constantFrom<object>({}, { z: 0 })),
      ([{ codec, value }, extra]) => {
        const encoded: unknown = codec.encode(value)
        const wire: unknown = JSON.parse(JSON.stringify(encoded) ?? 'null')
        const input = t.UnknownRecord.is(wire) ? { ...wire, ...extra } : wire
        if (!compileCodec(codec, 'drop', backEnd).fits(input, wide)) return
        const { depth, keys } = extentOf(readSchema(exactForm(codec, 'drop')).schema)
        assert.ok(measured(input).depth <= depth && measured(input).keys <= keys)
      },
    )
  })

const measured = (value: unknown): { readonly depth: number; readonly keys: number } => {
  if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0 }
  const inner = Object.values(value).map(measured)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    keys: Math.max(
      Array.isArray(value) ? 0 : Object.keys(value).length,
      ...inner.map(({ keys }) => keys),
    ),
  }
}
