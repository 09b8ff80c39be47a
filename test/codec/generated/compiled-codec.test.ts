import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { compileCodec } from '../../../src/codec/generated/compiled-codec.ts'
import { interpretedBackEnd } from '../../../src/codec/generated/interpreted/interpreted-back-end.ts'
import { exactForm } from '../../../src/codec/structure/exact-form.ts'
import { backEnds } from '../../support/back-ends.ts'
import { describe, table } from '../../support/describe.ts'
import { fussy, point, tagged } from '../../support/unusual-codecs.ts'
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
/** A person whose name is a member of the class. */
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

const decoding: ReadonlyArray<[what: string, codec: Codec, input: unknown]> = [
  ['an object of a class', Name, new Person('a')],
  ['an object with inherited members', Name, inheriting],
  ['an object of a class with members beside', t.type({}), new Person('a')],
  ['an intersection of a class', Both, new Person('a')],
  ['a record of a class', t.record(t.string, Both), Object.assign(new Row(), { a: { name: 'a' } })],
  ['a member under a symbol, beside one that changes', t.type({ n: hex }), { [symbol]: 1, n: 'f' }],
  ['NaN', t.type({ n: t.number }), { n: NaN }],
  ['a missing member that may be undefined', t.type({ a: t.undefined, n: hex }), { n: 'f' }],
  ['a missing member with a default', t.partial({ a: withDefault(hex, 1) }), {}],
  ['members in another order', t.type({ n: hex, name: t.string }), { name: 'a', n: 'f' }],
  ['members that are numbers', t.type({ b: hex, 1: hex, 0: hex }), { b: 'f', 1: 'e', 0: 'd' }],
  ['a list with holes', list(t.undefined), hole],
  ['a tuple with holes', t.tuple([t.undefined, t.undefined]), hole],
  ['a tuple of objects with holes', t.tuple([t.union([Name, t.undefined]), t.undefined]), hole],
  ['a tuple of a class', Pair, Row.from([{ name: 'a' }, { name: 'b' }])],
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
    'the first of a union that fits',
    t.union([t.type({ n: hex }), t.type({ n: t.string })]),
    { n: 'f' },
  ],
  ['a tagged union asks no other member', Sized, { kind: 'b' }],
  [
    'a value of a class in one part of an intersection',
    t.intersection([t.type({ x: point }), t.type({ x: Pair })]),
    { x: { x: 1 } },
  ],
  ['an exception', t.type({ a: t.string, b: list(fussy) }), { a: 1, b: ['a', 'validate'] }],
]

const encoding: ReadonlyArray<[what: string, codec: Codec, input: unknown]> = [
  ['an object of a class', Name, new Person('a')],
  [
    'an object of a class beside one that changes',
    t.type({ name: t.string, n: Name }),
    Object.assign(new Person('a'), { n: { name: 'a' } }),
  ],
  ['an object without a class', t.type({ n: Name }), Object.assign(Object.create(null), { n: {} })],
  [
    'a record of a class',
    t.record(t.string, Name),
    Object.assign(new Person('a'), { name: { name: 'a' } }),
  ],
  ['a missing member', t.type({ a: t.type({ b: t.UnknownRecord }) }), {}],
  [
    'a missing member that is an intersection',
    t.type({ a: t.intersection([t.string, t.literal('a')]) }),
    {},
  ],
  ['what is no value of a union', t.union([t.intersection([t.string, t.literal('a')]), t.null]), 5],
  ['what is no value of a tagged union', list(Sized), [{ kind: 'c' }]],
  ['a tagged union asks no other member', Sized, { kind: 'b' }],
  ['a list with holes', list(hex), hole],
  ['what is no list', list(hex), 5],
  ['a tuple of a class', t.tuple([hex, hex]), Row.from([1, 2])],
  ['what is no tuple', t.tuple([hex, hex]), [1]],
  ['what is no set', set(hex), 5],
  [
    'an intersection whose parts have nothing in common',
    t.intersection([tagged(''), t.type({ a: Name })]),
    { a: { name: 'a' } },
  ],
  ['an exception', t.type({ a: list(fussy) }), { a: ['encode'] }],
]

const outcome = (run: () => unknown): unknown => {
  try {
    return { returned: run() }
  } catch (error) {
    return { threw: String(error) }
  }
}

/** The value that a result holds, or the word that there is none. */
const valueOf = (result: t.Validation<unknown>): unknown => E.getOrElseW(() => 'refused')(result)

for (const [name, backEnd] of backEnds)
  describe(`compiled, ${name}`, (test) => {
    table(
      test,
      decoding.map(([what, ...row]): [string, Codec, unknown] => [`decodes ${what}`, ...row]),
      (_, codec, input) =>
        assertSame(
          outcome(() => valueOf(compileCodec(codec, 'drop', backEnd).decode(input))),
          outcome(() => valueOf(exactForm(codec, 'drop').decode(input))),
        ),
    )
    table(
      test,
      encoding.map(([what, ...row]): [string, Codec, unknown] => [`encodes ${what}`, ...row]),
      (_, codec, input) =>
        assertSame(
          outcome(() => compileCodec(codec, 'drop', backEnd).encode(input)),
          outcome((): unknown => exactForm(codec, 'drop').encode(input)),
        ),
    )
    test('members under symbols are kept beside one that changes', () => {
      const { decode: read } = compileCodec(t.type({ n: hex }), 'drop', backEnd)
      assertSame(read({ [symbol]: 1, n: 'f' }), E.right({ n: 15 }))
      const value = E.toUnion(read({ [symbol]: 1, n: 'f' }))
      assert.equal(Reflect.ownKeys(Object(value)), ['n', symbol])
    })
    test('what nothing becomes of is the same object', () => {
      const input = { name: 'a', n: undefined }
      const { decode: read, encode } = compileCodec(Both, 'drop', backEnd)
      assert.is(E.toUnion(read(input)), input)
      if (backEnd !== interpretedBackEnd) assert.is(encode(input), input)
    })
    test('a value is written without the text of its class', () =>
      assert.is(
        compileCodec(t.type({ name: t.string, n: Name }), 'drop', backEnd).write(
          Object.assign(new Person('a'), { n: { name: 'b' } }),
        ),
        '{"name":"a","n":{"name":"b"}}',
      ))
    test('a recursive codec need not be defined yet', () => {
      const later: t.Mixed = t.recursion('later', () => t.type({ below: list(made) }))
      const { is } = compileCodec(later, 'drop', backEnd)
      const made = later
      assert.ok(is({ below: [{ below: [] }] }))
    })
  })
