import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { between, pattern } from '../../../src/codec/constraint.ts'
import { readSchema } from '../../../src/codec/schema/read-schema.ts'
import type { Schema } from '../../../src/codec/schema/schema.ts'
import { isTest } from '../../../src/codec/schema/schema.ts'
import { exactForm } from '../../../src/codec/strict.ts'
import { enumOf, int } from '../../../src/codec/scalar.ts'
import { withValidate } from '../../support/unusual-codecs.ts'
import { backEnds } from '../back-ends.ts'
import { describe, table } from '../../support/describe.ts'
import { assertSame } from '../../support/same-value.ts'
import { hex } from '../../support/sample.ts'

const unexpectedCall = (): never => {
  throw new Error('unexpected call of io-ts')
}

/** Returns a copy of a codec whose functions throw, except for an identity `encode`. */
const uncallable = (codec: Codec): Codec =>
  Object.assign(withValidate(codec, unexpectedCall), {
    is: unexpectedCall,
    encode: codec.encode === t.identity ? t.identity : unexpectedCall,
  })

/** Returns the schema with codecs that throw, except for opaque codecs, which must be called. */
const withoutCodecs = (schema: Schema): Schema => {
  if (isTest(schema) || schema._tag === 'Opaque') return schema
  const codec = uncallable(schema.codec)
  switch (schema._tag) {
    case 'Object':
      return {
        ...schema,
        codec,
        members: schema.members.map((member) => ({
          ...member,
          schema: withoutCodecs(member.schema),
        })),
      }
    case 'Record':
      return { ...schema, codec, codomain: withoutCodecs(schema.codomain) }
    case 'List':
    case 'Set':
      return { ...schema, codec, element: withoutCodecs(schema.element) }
    case 'Tuple':
      return { ...schema, codec, elements: schema.elements.map(withoutCodecs) }
    case 'Union':
    case 'Intersection':
      return { ...schema, codec, members: schema.members.map(withoutCodecs) }
    case 'Refinement':
    case 'Default':
    case 'Attempt':
      return { ...schema, codec, inner: withoutCodecs(schema.inner) }
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

/** Each input equals the encoded form of its decoded value. */
const rows: ReadonlyArray<[name: string, codec: Codec, input: unknown]> = [
  ['a test', int, 1],
  ['an object', Item, item],
  ['members in another order', Item, { count: 1, name: 'a' }],
  ['optional members', t.type({ a: optional(Item), b: t.string }), { b: 'a', a: undefined }],
  ['missing members', t.partial({ a: hex, b: Item }), {}],
  ['a default', t.type({ a: withDefault(int, 1) }), { a: 2 }],
  ['objects in objects', t.type({ a: t.type({ b: Item }) }), { a: { b: item } }],
  ['a member that changes', t.type({ a: hex, b: Item }), { b: item, a: 'f' }],
  ['an intersection of objects', both, { ...item, color: 'f' }],
  ['an intersection of objects without a member', both, item],
  ['a list', list(Item), [item, item]],
  ['a list that changes', t.array(hex), ['a', 'f']],
  ['a set', set(hex), ['a', 'f']],
  ['a tuple', t.tuple([hex, Item]), ['f', item]],
  ['a record', t.record(t.string, Item), { a: item }],
  ['a record that changes', t.record(pattern(/^[a-z]$/)(t.string), hex), { a: 'f' }],
  ['the second member of a union', t.union([Item, t.type({ id: enumOf('a', 'b') })]), { id: 'b' }],
  [
    'a tagged union',
    list(variants),
    [
      { kind: 'b', n: 'f' },
      { kind: 'a', n: 'f' },
    ],
  ],
  ['a refinement', t.refinement(Item, ({ count }) => count > 0), item],
  [
    'an intersection with an unknown record',
    t.intersection([Item, t.UnknownRecord]),
    { ...item, z: 1 },
  ],
  [
    'an intersection with a union',
    t.intersection([t.type({ a: hex }), variants]),
    { kind: 'b', n: 'f', a: 'f' },
  ],
  ['a recursive codec', tree, { n: 'f', below: [{ n: 'e', below: [] }] }],
]

for (const [name, backEnd] of backEnds)
  describe(`compiled functions do not call io-ts, ${name} back end`, (test) =>
    table(test, rows, (_, codec, input) => {
      const form = exactForm(codec, 'drop')
      const { schema, definitions } = readSchema(form)
      const { decode, encode, is } = backEnd(
        { schema: withoutCodecs(schema), definitions: definitions.map(withoutCodecs) },
        form,
      )
      const value = decode(input)
      assertSame({ right: value }, { right: Object(form.decode(input)).right })
      assert.ok(is(value))
      assertSame(encode(value), input)
    }))
