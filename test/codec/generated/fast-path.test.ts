import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { between, matching } from '../../../src/codec/constraint.ts'
import { readSchema } from '../../../src/codec/generated/read-schema.ts'
import type { Schema } from '../../../src/codec/generated/schema.ts'
import { isTest } from '../../../src/codec/generated/schema.ts'
import { exactForm } from '../../../src/codec/structure/exact-form.ts'
import { enumOf, int } from '../../../src/codec/scalar.ts'
import { altered } from '../../support/unusual-codecs.ts'
import { backEnds } from '../../support/back-ends.ts'
import { describe, table } from '../../support/describe.ts'
import { assertSame } from '../../support/same-value.ts'
import { hex } from '../../support/sample.ts'

const used = (): never => {
  throw new Error('io-ts is called')
}

/** A copy of a codec that must not be called, except for what it leaves as it is. */
const untouchable = (codec: Codec): Codec =>
  Object.assign(altered(codec, used), {
    is: used,
    encode: codec.encode === t.identity ? t.identity : used,
  })

/** The same schema with codecs that must not be called, but for the opaque ones: those have to be. */
const alone = (schema: Schema): Schema => {
  if (isTest(schema) || schema._tag === 'Opaque') return schema
  const codec = untouchable(schema.codec)
  switch (schema._tag) {
    case 'Object':
      return {
        ...schema,
        codec,
        members: schema.members.map((member) => ({ ...member, schema: alone(member.schema) })),
      }
    case 'Record':
      return { ...schema, codec, codomain: alone(schema.codomain) }
    case 'List':
    case 'Set':
      return { ...schema, codec, element: alone(schema.element) }
    case 'Tuple':
      return { ...schema, codec, elements: schema.elements.map(alone) }
    case 'Union':
    case 'Intersection':
      return { ...schema, codec, members: schema.members.map(alone) }
    case 'Refinement':
    case 'Default':
    case 'Attempt':
      return { ...schema, codec, inner: alone(schema.inner) }
    case 'Recursion':
      return { ...schema, codec }
  }
}

const Item = t.type({ name: t.string, count: between(1, 9)(int) })
const both = t.intersection([Item, t.partial({ color: hex })])
const tree: t.Mixed = t.recursion('tree', () => t.type({ n: hex, below: list(tree) }))
const variants = t.union([
  t.type({ kind: t.literal('a'), n: hex }),
  t.type({ kind: t.literal('b'), n: t.string }),
])
const item = { name: 'a', count: 1 }

// what arrives; in all of them what is encoded is what arrived
const rows: ReadonlyArray<[what: string, codec: Codec, wire: unknown]> = [
  ['a test', int, 1],
  ['an object', Item, item],
  ['members in another order', Item, { count: 1, name: 'a' }],
  ['optional members', t.type({ a: optional(Item), b: t.string }), { b: 'a', a: undefined }],
  ['missing members', t.partial({ a: hex, b: Item }), {}],
  ['a default', t.type({ a: withDefault(int, 1) }), { a: 2 }],
  ['objects in objects', t.type({ a: t.type({ b: Item }) }), { a: { b: item } }],
  ['a member that changes', t.type({ a: hex, b: Item }), { b: item, a: 'f' }],
  ['merged objects', both, { ...item, color: 'f' }],
  ['merged objects without a member', both, item],
  ['a list', list(Item), [item, item]],
  ['a list that changes', t.array(hex), ['a', 'f']],
  ['a set', set(hex), ['a', 'f']],
  ['a tuple', t.tuple([hex, Item]), ['f', item]],
  ['a record', t.record(t.string, Item), { a: item }],
  ['a record that changes', t.record(matching(/^[a-z]$/)(t.string), hex), { a: 'f' }],
  ['the second of a union', t.union([Item, t.type({ id: enumOf('a', 'b') })]), { id: 'b' }],
  [
    'a tagged union',
    list(variants),
    [
      { kind: 'b', n: 'f' },
      { kind: 'a', n: 'f' },
    ],
  ],
  ['a refinement', t.refinement(Item, ({ count }) => count > 0), item],
  ['an object and any other member', t.intersection([Item, t.UnknownRecord]), { ...item, z: 1 }],
  [
    'an object and a union',
    t.intersection([t.type({ a: hex }), variants]),
    { kind: 'b', n: 'f', a: 'f' },
  ],
  ['recursion', tree, { n: 'f', below: [{ n: 'e', below: [] }] }],
]

for (const [name, backEnd] of backEnds)
  describe(`compiled, without io-ts, ${name}`, (test) =>
    table(test, rows, (_, codec, wire) => {
      const form = exactForm(codec, 'drop')
      const { schema, definitions } = readSchema(form)
      const { decode, encode, is } = backEnd(
        { schema: alone(schema), definitions: definitions.map(alone) },
        form,
      )
      const value = decode(wire)
      assertSame({ right: value }, { right: Object(form.decode(wire)).right })
      assert.ok(is(value))
      assertSame(encode(value), wire)
    }))
