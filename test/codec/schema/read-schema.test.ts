import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import { attempt, encoded } from '../../../src/codec/structure/parameter-codecs.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, separated, set, tupleWithRest } from '../../../src/codec/collection.ts'
import { between, pattern } from '../../../src/codec/constraint.ts'
import { readSchema } from '../../../src/codec/schema/read-schema.ts'
import type { Member, Schema } from '../../../src/codec/schema/schema.ts'
import { strict } from '../../../src/codec/strict.ts'
import { enumOf, int } from '../../../src/codec/scalar.ts'
import { describe, table } from '../../support/describe.ts'
import { anyObject, mistagged, withMessage } from '../../support/unusual-codecs.ts'
import { hex } from '../../support/sample.ts'

/** Formats a schema in one line. Optional members have a question mark, and objects that reject undeclared members an exclamation mark. */
const outline = (schema: Schema): string => {
  switch (schema._tag) {
    case 'Anything':
    case 'AnyRecord':
    case 'AnyArray':
      return schema._tag
    case 'TypeOf':
      return schema.type
    case 'OneOf':
      return schema.values.map((value) => JSON.stringify(value)).join(' | ')
    case 'AnyOf':
      return `AnyOf(${all(schema.tests)})`
    case 'Holding':
      return `Holding(${outline(schema.test)})`
    case 'Object':
      return `${schema.merged === undefined ? '' : 'merged '}{ ${schema.members.map(member).join(', ')} }${schema.undeclared.areDropped ? '' : '!'}`
    case 'Record':
      return `Record(${outline(schema.domain)}, ${outline(schema.codomain)})`
    case 'List':
    case 'Set':
      return `${schema._tag}(${outline(schema.element)})`
    case 'Tuple':
      return `Tuple(${all(schema.elements)}${schema.rest === undefined ? '' : `, ...${outline(schema.rest)}`})`
    case 'Union':
      return `Union${schema.tag === undefined ? '' : ` by ${schema.tag.key}`}(${all(schema.members)})`
    case 'Intersection':
      return `Intersection(${all(schema.members)})`
    case 'Refinement':
    case 'Default':
    case 'Attempt':
    case 'Masked':
      return `${schema._tag}(${outline(schema.inner)})`
    case 'Recursion':
      return `Recursion ${schema.reported.name}`
    case 'Opaque':
      return `Opaque ${schema.codec.name}`
  }
}

const all = (schemas: ReadonlyArray<Schema>): string => schemas.map(outline).join(', ')

const member = ({ key, required, schema }: Member): string =>
  `${key}${required ? '' : '?'}: ${outline(schema)}`

const read = (codec: Codec): string => {
  const schema = readSchema(codec, 'drop')
  return schema._tag === 'Recursion'
    ? `${outline(schema)}: ${outline(schema.target())}`
    : outline(schema)
}

type Rows = ReadonlyArray<[schema: string, codec: Codec]>

const A = t.type({ a: t.string })
const B = t.partial({ b: hex })
const tree: t.Mixed = t.recursion('tree', () => t.type({ a: t.string, below: list(tree) }))
const ping: t.Mixed = t.recursion('ping', () => t.type({ next: optional(pong) }))
const pong: t.Mixed = t.recursion('pong', () => t.type({ next: optional(ping) }))
const first = t.type({ kind: t.literal(1), a: t.string })
const second = t.type({ kind: t.literal(2), b: hex })

const tests: Rows = [
  ['Anything', t.unknown],
  ['Anything', t.any],
  ['string', t.string],
  ['number', t.number],
  ['boolean', t.boolean],
  ['bigint', t.bigint],
  ['function', t.Function],
  ['undefined', t.undefined],
  ['undefined', t.void],
  ['null', t.null],
  ['AnyRecord', t.UnknownRecord],
  ['AnyArray', t.UnknownArray],
  ['"a"', t.literal('a')],
  ['"a" | "toString"', t.keyof({ a: null, toString: null })],
  ['"a" | 1', enumOf('a', 1)],
  ['Holding(number)', int],
  ['Holding(number)', t.Int],
  ['Holding(Holding(number))', between(1, 2)(int)],
  ['AnyOf(string, undefined)', optional(t.string)],
  ['AnyOf(null, AnyOf(string, undefined))', t.union([t.null, optional(t.string)])],
  ['string', encoded(t.readonly(t.string))],
]

const structures: Rows = [
  ['{ a: string }', A],
  ['{ b?: Opaque hex }', B],
  ['{ a: string }', t.strict({ a: t.string })],
  ['{ a: string }', t.readonly(A)],
  ['{ a: string }!', strict(A)],
  ['{ x: { a: string }, y: { a: string }! }', t.type({ x: A, y: strict(A) })],
  ['List(string)', t.array(t.string)],
  ['List({ a: string })', separated(',')(list(A))],
  ['Set(string)', set(t.string)],
  ['Tuple(string, { a: string })', t.tuple([t.string, A])],
  ['Tuple(string, ...{ a: string })', tupleWithRest([t.string], A)],
  ['Record(string, { a: string })', t.record(t.string, A)],
  ['Record(Holding(string), number)', t.record(pattern(/a/)(t.string), t.number)],
  ['Default(string)', withDefault(t.string, '')],
  ['Default({ a: string })', withDefault(A, { a: '' })],
  ['Default(Holding(number))', withDefault(int, 0)],
  ['Refinement({ a: string })', t.refinement(A, () => true)],
  ['Refinement(Opaque hex)', between(0, 9)(hex)],
  ['Union({ a: string }, { b?: Opaque hex })', t.union([A, B])],
  [
    'Union by kind({ kind: 1, a: string }, Refinement({ kind: 2, b: Opaque hex }))',
    t.union([first, t.refinement(second, () => true)]),
  ],
  ['Recursion tree: { a: string, below: List(Recursion tree) }', tree],
  ['Recursion ping: { next: Union(Recursion pong, undefined) }', ping],
]

const intersections: Rows = [
  ['merged { a: string, b?: Opaque hex }', t.intersection([A, B])],
  ['merged { a: string, b?: Opaque hex }!', t.intersection([A, strict(B)])],
  [
    'merged { a: string, b?: Opaque hex, c: number }',
    t.intersection([t.intersection([A, B]), t.readonly(t.type({ c: t.number }))]),
  ],
  ['Intersection({ a: string }, { a: string })', t.intersection([A, t.type({ a: t.string })])],
  ['Intersection({ a: string }, AnyRecord)', t.intersection([A, t.UnknownRecord])],
  [
    'Intersection({ a: string }, Refinement({ b?: Opaque hex }))',
    t.intersection([A, t.refinement(B, () => true)]),
  ],
  ['Intersection(string, "a")', t.intersection([t.string, t.literal('a')])],
  ['Intersection(string, Opaque false )', t.intersection([t.string, mistagged('')])],
]

const opaque: Rows = [
  ['Opaque hex', hex],
  ['Opaque anyObject', anyObject],
  ['Attempt(string)', attempt(t.string)],
  ['Opaque string', withMessage(t.string, 'no')],
  ['{ a: Opaque Array<string> }', t.type({ a: withMessage(t.array(t.string), 'no') })],
  ['Opaque false ', mistagged('')],
  ['Opaque false StringType', mistagged('StringType')],
  ['Opaque false InterfaceType', mistagged('InterfaceType')],
  ['Opaque false ReadonlyType', mistagged('ReadonlyType')],
  ['Opaque false UnionType', mistagged('UnionType', { types: [t.string] })],
  // names of inherited members
  ['{ constructor: string }', t.type({ constructor: t.string }, 'a')],
  ['{ toString?: string }', t.partial({ toString: t.string }, 'a')],
  // literal keys
  ['{ b: string }', t.record(t.keyof({ b: null }), t.string, 'a')],
  ['{ b: string }', t.record(t.literal('b'), t.string, 'a')],
  // a nested union with the same tag
  [
    'Union by kind({ kind: 1, a: string }, Union by kind({ kind: 2, b: Opaque hex }, { kind: 3 }))',
    t.union([first, t.union([second, t.type({ kind: t.literal(3) })])], 'a'),
  ],
]

const reads = ([schema, codec]: Rows[number]): [string, string, Codec] => [
  `${codec.name} is ${schema}`,
  schema,
  codec,
]

describe('readSchema', (test) => {
  for (const rows of [tests, structures, intersections, opaque])
    table(test, rows.map(reads), (_, schema, codec) => assert.is(read(codec), schema))

  test('reads the codecs of recursive codecs when they are needed', () => {
    const endless = (): t.Mixed => t.recursion('endless', () => t.type({ next: endless() }))
    assert.is(read(endless()), 'Recursion endless: { next: Recursion endless }')
  })
  test('has one schema for a codec and its rules', () => {
    const schema = readSchema(tree, 'drop')
    assert.ok(schema._tag === 'Recursion')
    assert.is(schema.target(), schema.target())
  })
})
