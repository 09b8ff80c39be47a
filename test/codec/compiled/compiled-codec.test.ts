import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { between } from '../../../src/codec/constraint.ts'
import { list, set, tupleWithRest } from '../../../src/codec/collection.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../../src/codec/compiled/interpreted-back-end.ts'
import { exactForm } from './exact-form.ts'
import { backEnds } from '../back-ends.ts'
import { describe, table } from '../../support/describe.ts'
import { throwingCodec, point, mistagged } from '../../support/unusual-codecs.ts'
import { assertSame } from '../../support/same-value.ts'
import { hex } from '../../support/sample.ts'

class Person {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  toJSON(): unknown {
    return { name: this.name, secret: 'secret' }
  }
}
/** An object that inherits its members. */
const inheriting: unknown = Object.create(new Person('a'))
const hole: unknown = Array.from({ length: 2 })
Reflect.deleteProperty(Object(hole), '0')
class Row extends Array<unknown> {}
const symbol = Symbol('symbol')

const Name = t.type({ name: t.string })
const Pair = t.tuple([Name, Name])
const sized = t.refinement(t.unknown, (value) => Object(value).size.length > 0, 'sized')
const Sized = t.union([
  t.type({ size: sized, kind: t.literal('a') }),
  t.type({ kind: t.literal('b') }),
])
const Both = t.intersection([Name, t.partial({ n: hex })])

const Scores = tupleWithRest([hex, Name], t.type({ n: optional(hex) }))

const decoding: ReadonlyArray<[name: string, codec: Codec, input: unknown]> = [
  ['a class instance', Name, new Person('a')],
  ['an object with inherited members', Name, inheriting],
  ['a class instance with undeclared members', t.type({}), new Person('a')],
  ['an intersection with a class instance', Both, new Person('a')],
  [
    'a record with a class instance',
    t.record(t.string, Both),
    Object.assign(new Row(), { a: { name: 'a' } }),
  ],
  ['a symbol member and a member that changes', t.type({ n: hex }), { [symbol]: 1, n: 'f' }],
  ['NaN', t.type({ n: t.number }), { n: NaN }],
  ['a missing member that may be undefined', t.type({ a: t.undefined, n: hex }), { n: 'f' }],
  ['a missing member with a default', t.partial({ a: withDefault(hex, 1) }), {}],
  ['members in another order', t.type({ n: hex, name: t.string }), { name: 'a', n: 'f' }],
  ['members with numeric names', t.type({ b: hex, 1: hex, 0: hex }), { b: 'f', 1: 'e', 0: 'd' }],
  ['a list with holes', list(t.undefined), hole],
  ['a tuple with holes', t.tuple([t.undefined, t.undefined]), hole],
  ['a tuple of objects with holes', t.tuple([t.union([Name, t.undefined]), t.undefined]), hole],
  ['a tuple with an instance of an array class', Pair, Row.from([{ name: 'a' }, { name: 'b' }])],
  ['a tuple with further elements', Scores, ['f', { name: 'a', x: 1 }, { n: 'e', y: 2 }, {}]],
  ['a tuple without further elements', Scores, ['f', { name: 'a' }]],
  ['unchanged further elements', tupleWithRest([t.string], t.number), ['a', 1, 2]],
  ['an invalid further element', Scores, ['f', { name: 'a' }, { n: 5 }]],
  ['a tuple with further elements that is too short', Scores, ['f']],
  ['a missing element that can be undefined', tupleWithRest([t.undefined], hex), []],
  ['no array for a tuple with further elements', Scores, {}],
  ['a tuple that is too long', Pair, [{ name: 'a' }, { name: 'b' }, 1]],
  ['a set of equal values', set(hex), ['f', '0f', 'f']],
  ['a member named __proto__', Name, JSON.parse('{"name":"a","__proto__":{"b":1}}')],
  [
    'a record with a key __proto__',
    t.record(t.string, t.unknown),
    JSON.parse('{"__proto__":{"b":1}}'),
  ],
  ['a codec with a member constructor', t.type({ constructor: t.unknown }), {}],
  ['a codec with a member __proto__', t.type({ ['__proto__']: t.unknown }), {}],
  [
    'a union with several matching codecs',
    t.union([t.type({ n: hex }), t.type({ n: t.string })]),
    { n: 'f' },
  ],
  ['a tagged union, without calling other members', Sized, { kind: 'b' }],
  [
    'an intersection with a class instance in one part',
    t.intersection([t.type({ x: point }), t.type({ x: Pair })]),
    { x: { x: 1 } },
  ],
  ['an exception', t.type({ a: t.string, b: list(throwingCodec) }), { a: 1, b: ['a', 'validate'] }],
]

const encoding: ReadonlyArray<[name: string, codec: Codec, input: unknown]> = [
  ['a class instance', Name, new Person('a')],
  [
    'a class instance with a member that changes',
    t.type({ name: t.string, n: Name }),
    Object.assign(new Person('a'), { n: { name: 'a' } }),
  ],
  [
    'an object without a prototype',
    t.type({ n: Name }),
    Object.assign(Object.create(null), { n: {} }),
  ],
  [
    'a record with a class instance',
    t.record(t.string, Name),
    Object.assign(new Person('a'), { name: { name: 'a' } }),
  ],
  ['a missing member', t.type({ a: t.type({ b: t.UnknownRecord }) }), {}],
  [
    'a missing member that is an intersection',
    t.type({ a: t.intersection([t.string, t.literal('a')]) }),
    {},
  ],
  ['an invalid value of a union', t.union([t.intersection([t.string, t.literal('a')]), t.null]), 5],
  ['an invalid value of a tagged union', list(Sized), [{ kind: 'c' }]],
  ['a tagged union, without calling other members', Sized, { kind: 'b' }],
  ['a list with holes', list(hex), hole],
  ['an invalid value of a list', list(hex), 5],
  ['a tuple with an instance of an array class', t.tuple([hex, hex]), Row.from([1, 2])],
  ['an invalid value of a tuple', t.tuple([hex, hex]), [1]],
  ['a tuple with further elements', Scores, [15, { name: 'a', x: 1 }, { n: 14, y: 2 }]],
  ['an invalid value of a tuple with further elements', Scores, 5],
  ['an invalid value of a set', set(hex), 5],
  [
    'an intersection of incompatible codecs',
    t.intersection([mistagged(''), t.type({ a: Name })]),
    { a: { name: 'a' } },
  ],
  ['an exception', t.type({ a: list(throwingCodec) }), { a: ['encode'] }],
]

/** Returns the result of a call, or the error that it throws. */
const resultOf = (run: () => unknown): unknown => {
  try {
    return { returned: run() }
  } catch (error) {
    return { threw: String(error) }
  }
}

/** Returns the encoded value, or `threw`. */
const encodedBy = (codec: Pick<Codec, 'encode'>, value: unknown): unknown => {
  try {
    return { returned: codec.encode(value) }
  } catch {
    return 'threw'
  }
}

/** Returns the decoded value, or `rejected`. */
const valueOf = (result: t.Validation<unknown>): unknown => E.getOrElseW(() => 'rejected')(result)

for (const [name, backEnd] of backEnds)
  describe(`compileCodec, ${name} back end`, (test) => {
    table(
      test,
      decoding.map(([title, ...row]): [string, Codec, unknown] => [`decodes ${title}`, ...row]),
      (_, codec, input) =>
        assertSame(
          resultOf(() => valueOf(compileCodec(codec, 'drop', backEnd).decode(input))),
          resultOf(() => valueOf(exactForm(codec, 'drop').decode(input))),
        ),
    )
    table(
      test,
      encoding.map(([title, ...row]): [string, Codec, unknown] => [`encodes ${title}`, ...row]),
      (_, codec, input) =>
        assertSame(
          encodedBy(compileCodec(codec, 'drop', backEnd), input),
          encodedBy(exactForm(codec, 'drop'), input),
        ),
    )
    test('strips undeclared members of a codec that returns a new codec on each recursion', () => {
      const endless = (): t.Mixed =>
        t.recursion('endless', () => t.type({ below: t.array(endless()) }))
      const nested = (depth: number, extra: object): object => ({
        below: depth === 0 ? [] : [nested(depth - 1, extra)],
        ...extra,
      })
      const { decode, encode } = compileCodec(endless(), 'drop', backEnd)
      assert.equal(decode(nested(99, { z: 0 })), E.right(nested(99, {})))
      assert.equal(encode(nested(99, { z: 0 })), nested(99, {}))
    })
    test('encodes class instances of a recursive union once for each object', () => {
      class Node {
        readonly below: Node | undefined
        readonly b = [{ q: 1, z: 0 }]
        constructor(below: Node | undefined) {
          this.below = below
        }
      }
      const tree: t.Mixed = t.recursion('tree', () => {
        const below = optional(tree)
        const b = t.array(t.type({ q: t.number }))
        return t.union([t.type({ below, a: t.string }), t.type({ below, b })])
      })
      const root = Array.from({ length: 60 }).reduce<Node | undefined>(
        (below) => new Node(below),
        undefined,
      )
      const text = JSON.stringify(compileCodec(tree, 'drop', backEnd).encode(root))
      assert.not.match(text, 'z')
    })
    test('keeps symbol members if another member changes', () => {
      const { decode } = compileCodec(t.type({ n: hex }), 'drop', backEnd)
      assertSame(decode({ [symbol]: 1, n: 'f' }), E.right({ n: 15 }))
      const value = E.toUnion(decode({ [symbol]: 1, n: 'f' }))
      assert.equal(Reflect.ownKeys(Object(value)), ['n', symbol])
    })
    test('returns the same object if nothing changes', () => {
      const input = { name: 'a', n: undefined }
      const { decode, encode } = compileCodec(Both, 'drop', backEnd)
      assert.is(E.toUnion(decode(input)), input)
      if (backEnd !== interpretedBackEnd) assert.is(encode(input), input)
    })
    test('write does not call toJSON of a class instance', () =>
      assert.is(
        compileCodec(t.type({ name: t.string, n: Name }), 'drop', backEnd).write(
          Object.assign(new Person('a'), { n: { name: 'b' } }),
        ),
        '{"name":"a","n":{"name":"b"}}',
      ))
    test('accepts a recursive codec that is not defined yet', () => {
      const later: t.Mixed = t.recursion('later', () => t.type({ below: list(alias) }))
      const { is } = compileCodec(later, 'drop', backEnd)
      const alias = later
      assert.ok(is({ below: [{ below: [] }] }))
    })
  })

for (const [name, backEnd] of backEnds)
  describe(`compileCodec, ${name} back end: rejectsUniformly`, (test) => {
    const isInt = t.refinement(t.number, Number.isSafeInteger, 'integer')
    const codecs: ReadonlyArray<[name: string, codec: Codec, expected: boolean]> = [
      ['a string', t.string, true],
      ['a literal', t.literal('a'), true],
      ['a record of any values', t.UnknownRecord, true],
      ['an array of any values', t.UnknownArray, true],
      ['a refinement', isInt, true],
      ['a value with a default', withDefault(isInt, 1), true],
      ['any value', t.unknown, false],
      ['a constraint', between(1, 9)(t.number), false],
      ['a refinement of a constraint', t.refinement(between(1, 9)(t.number), () => true), false],
      ['a union', t.union([t.string, t.number]), false],
      ['an intersection', t.intersection([t.string, t.string]), false],
      ['an object', Name, false],
      ['a list', list(t.string), false],
      ['a codec with its own functions', hex, false],
    ]
    table(test, codecs, (_, codec, expected) =>
      assert.is(compileCodec(codec, 'drop', backEnd).rejectsUniformly(), expected),
    )
  })
