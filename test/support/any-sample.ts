/**
 * Arbitrary codecs of every kind, each with arbitrary values of it. Nothing else is promised: members overlap, unions do not
 * say which one it is, names are those of `Object.prototype`.
 */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { optional, withDefault } from '../../src/codec/optional.ts'
import { attempt } from '../../src/codec/parameter/attempt.ts'
import { list, separated, set, sortedSet } from '../../src/codec/collection.ts'
import { atLeast, lengthBetween, matching } from '../../src/codec/constraint.ts'
import { instant, plainDate } from '../../src/codec/temporal/date-time.ts'
import { decimal } from '../../src/codec/decimal.ts'
import { encoded } from '../../src/codec/parameter/encoded.ts'
import { exact } from '../../src/codec/strict.ts'
import { enumOf, int, number } from '../../src/codec/scalar.ts'
import { isCodec } from '../../src/codec/structure/codec-structure.ts'
import { uuid } from '../../src/codec/uuid.ts'
import {
  anyObject,
  Point,
  point,
  tagged,
  trimmed,
  withFallback,
  withMessage,
} from './unusual-codecs.ts'
import { jsonValue } from './arbitrary-value.ts'
import type { Sample } from './sample.ts'
import { every, hex, some } from './sample.ts'

const word = fc.constantFrom('a', 'b', 'f', '1', '')
const text = tagged('')

const plain: ReadonlyArray<Sample> = [
  { codec: t.string, value: word },
  { codec: t.number, value: fc.constantFrom(0, -0, 1, 1.5, NaN) },
  { codec: number, value: fc.constantFrom(0, 1, 1.5) },
  { codec: int, value: fc.constantFrom(0, 1, 2) },
  { codec: t.Int, value: fc.constantFrom(0, 1, 2) },
  { codec: t.Integer, value: fc.constantFrom(0, 1, 2) },
  { codec: t.boolean, value: fc.boolean() },
  { codec: t.bigint, value: fc.constant(1n) },
  { codec: t.null, value: fc.constant(null) },
  { codec: t.undefined, value: fc.constant(undefined) },
  { codec: t.void, value: fc.constant(undefined) },
  { codec: t.unknown, value: jsonValue },
  { codec: t.any, value: jsonValue },
  { codec: t.Function, value: fc.constant(String) },
  { codec: t.UnknownArray, value: fc.array(jsonValue, { maxLength: 2 }) },
  { codec: t.UnknownRecord, value: some({ a: jsonValue, z: jsonValue }) },
  { codec: t.literal('a'), value: fc.constant('a') },
  { codec: t.literal(1), value: fc.constant(1) },
  { codec: t.literal(0), value: fc.constant(0) },
  { codec: t.literal(true), value: fc.constant(true) },
  { codec: t.keyof({ a: null, b: null, toString: null }), value: fc.constantFrom('a', 'toString') },
  { codec: enumOf('a', 2, 0), value: fc.constantFrom('a', 2, 0) },
  { codec: atLeast(1)(int), value: fc.constantFrom(1, 2) },
  { codec: lengthBetween(1, 2)(t.string), value: fc.constantFrom('a', 'b') },
  { codec: matching(/^[ab]$/)(t.string), value: fc.constantFrom('a', 'b') },
  { codec: t.union([t.string, t.number]), value: fc.constantFrom('a', 1) },
  { codec: t.intersection([t.string, t.literal('a')]), value: fc.constant('a') },
  { codec: t.intersection([t.number, int]), value: fc.constantFrom(0, 1) },
]

/** Its type is that of no other codec. */
const never: ReadonlyArray<unknown> = [t.never]

const changing: ReadonlyArray<Sample> = [
  { codec: hex, value: fc.nat({ max: 15 }) },
  { codec: uuid, value: fc.constant('f81d4fae-7dec-11d0-a765-00a0c91e6bf6') },
  { codec: decimal, value: fc.constant({ unscaled: 12n, scale: 1 }) },
  { codec: plainDate, value: fc.constant(plainDate.decode('2020-01-01')).map(E.toUnion) },
  { codec: instant, value: fc.constant(instant.decode('2020-01-01T00:00:00Z')).map(E.toUnion) },
  { codec: trimmed, value: word },
  { codec: anyObject, value: some({ a: jsonValue }) },
  { codec: point, value: jsonValue.map((x) => new Point(x)) },
  { codec: t.union([t.number, hex]), value: fc.nat({ max: 15 }) },
  { codec: t.intersection([t.string, text]), value: word },
  ...never.filter(isCodec).map((codec) => ({ codec, value: jsonValue })),
  ...[
    text,
    tagged('StringType'),
    tagged('LiteralType'),
    tagged('EnumType', { values: ['b'] }),
    tagged('ArrayType', { type: t.string }),
    tagged('UnionType', { types: [t.number] }),
    tagged('RefinementType', { type: t.number, predicate: () => true }),
    tagged('ReadonlyType', { type: t.number }),
    tagged('EncodedType', { codec: t.number }),
    tagged('WithDefaultType', { codec: t.number, byDefault: 1 }),
    tagged('SetType', { codec: t.number }),
    tagged('RecursiveType', { type: t.number }),
    tagged('TupleType', { types: [t.number] }),
    tagged('IntersectionType', { types: [t.number] }),
  ].map((codec) => ({ codec, value: word })),
]

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...plain) },
  { weight: 2, arbitrary: fc.constantFrom(...changing) },
)

const several = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.array(value, { maxLength: 3 })
const lists = (codec: t.Mixed, value: fc.Arbitrary<unknown>): Sample => ({
  codec,
  value: several(value),
})
const records = (domain: t.Mixed, { codec, value }: Sample): Sample => ({
  codec: t.record(domain, codec),
  value: fc.dictionary(fc.constantFrom('a', 'b', 'x', '1'), value, {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})

const brandedKey = t.brand(
  t.string,
  (name): name is t.Branded<string, { readonly key: symbol }> => name !== 'z',
  'key',
)

/** Codecs made of one other. */
const around: ReadonlyArray<(inner: Sample) => Sample> = [
  ({ codec, value }) => ({ codec: optional(codec), value: fc.option(value, { nil: undefined }) }),
  ({ codec, value }) => ({ codec: t.union([t.null, codec]), value: fc.option(value) }),
  ({ codec, value }) => ({ codec: encoded(codec), value }),
  ({ codec, value }) => ({ codec: exact(codec), value }),
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: t.refinement(codec, (one) => one !== 'z'), value }),
  ({ codec, value }) => ({
    codec: t.refinement(codec, (one) => !Object.hasOwn(Object(one), 'z')),
    value,
  }),
  ({ codec, value }) => ({ codec: t.recursion(codec.name, () => codec), value }),
  ({ codec, value }) => lists(list(codec), value),
  ({ codec, value }) => lists(t.array(codec), value),
  ({ codec, value }) => lists(separated(',')(list(codec)), value),
  ({ codec, value }) => ({ codec: set(codec), value: several(value).map((all) => new Set(all)) }),
  ({ codec, value }) => ({
    codec: sortedSet(codec),
    value: several(value).map((all) => new Set(all)),
  }),
  ({ codec, value }) => ({
    codec: withDefault(codec, 'default'),
    value: fc.option(value, { nil: undefined }),
  }),
  ({ codec, value }) => ({ codec: withFallback(codec, 'fallback'), value }),
  ({ codec, value }) => ({ codec: withMessage(codec, 'message'), value }),
  ({ codec, value }) => ({ codec: t.tuple([codec]), value: fc.tuple(value) }),
  ({ codec, value }) => ({ codec: t.intersection([codec, t.unknown]), value }),
  (inner) => records(t.string, inner),
  (inner) => records(brandedKey, inner),
  (inner) => records(t.keyof({ a: null, toString: null }), inner),
  (inner) => records(t.union([t.literal('a'), t.literal('b')]), inner),
  (inner) => records(t.union([t.literal('a'), matching(/x/)(t.string)]), inner),
  (inner) => records(tagged('StringType'), inner),
  ({ codec, value }) => {
    const tree: t.Mixed = t.recursion('tree', () => t.type({ a: codec, below: list(tree) }))
    const tip = every({ a: value, below: fc.constant([]) })
    return { codec: tree, value: fc.oneof(tip, every({ a: value, below: several(tip) })) }
  },
]

/** Codecs made of two others. */
const together: ReadonlyArray<(a: Sample, b: Sample) => Sample> = [
  ...[t.type, t.type, t.partial, t.strict].map((make) => (a: Sample, b: Sample) => ({
    codec: make({ a: a.codec, b: b.codec }),
    value:
      make === t.partial ? some({ a: a.value, b: b.value }) : every({ a: a.value, b: b.value }),
  })),
  // no literal: io-ts makes no union when a tag of one member is named like these
  ...['constructor', 'toString', '__proto__', '0'].map((name) => (a: Sample, b: Sample) => ({
    codec: t.type(
      Object.fromEntries([
        ['x', a.codec],
        [name, t.readonly(b.codec)],
      ]),
    ),
    value: fc.tuple(a.value, b.value).map(([x, y]): unknown =>
      Object.fromEntries([
        ['x', x],
        [name, y],
      ]),
    ),
  })),
  (a, b) => ({ codec: t.tuple([a.codec, b.codec]), value: fc.tuple(a.value, b.value) }),
  (a, b) => ({ codec: t.union([a.codec, b.codec]), value: fc.oneof(a.value, b.value) }),
  (a, b) => ({ codec: t.intersection([a.codec, b.codec]), value: fc.oneof(a.value, b.value) }),
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }), t.partial({ b: b.codec })]),
    value: both(every({ a: a.value }), some({ b: b.value })),
  }),
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec, x: b.codec }), t.type({ x: b.codec })]),
    value: every({ a: a.value, x: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.type({ x: t.type({ a: a.codec }) }),
      t.type({ x: t.type({ b: b.codec }) }),
    ]),
    value: every({ x: every({ a: a.value, b: b.value }) }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.type({ a: a.codec }),
      t.union([t.strict({ b: b.codec }), t.type({ z: t.null })]),
    ]),
    value: every({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.type({ a: a.codec }),
      t.record(matching(/^[^a]$/)(t.string), b.codec),
    ]),
    value: every({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }), t.UnknownRecord, t.partial({ b: b.codec })]),
    value: every({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.intersection([t.type({ a: a.codec }), t.partial({ b: b.codec })]),
      t.partial({ x: t.number }),
    ]),
    value: every({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.refinement(t.type({ a: a.codec }), (one) => one['a'] !== '?'),
      t.readonly(t.type({ b: b.codec })),
    ]),
    value: every({ a: a.value, b: b.value }),
  }),
  (a, b) => {
    const tree: t.Mixed = t.recursion('tree', () => t.type({ a: a.codec, x: t.array(tree) }))
    const tip = some({ b: b.value, a: a.value, x: fc.constant([]) })
    return {
      codec: t.intersection([tree, t.type({ b: b.codec })]),
      value: every({ b: b.value, a: a.value, x: several(tip) }),
    }
  },
  (a, b) => {
    const even: t.Mixed = t.recursion('even', () => t.partial({ a: a.codec, x: odd }))
    const odd: t.Mixed = t.recursion('odd', () => t.type({ b: b.codec, y: t.array(even) }))
    const tip = every({ b: b.value, y: fc.constant([]) })
    return { codec: even, value: some({ a: a.value, x: tip }) }
  },
  (a, b) => ({
    codec: t.union([
      t.type({ kind: t.literal('a'), it: a.codec }),
      t.type({ kind: t.literal('b'), it: b.codec }),
    ]),
    value: fc.oneof(kind('a', a.value), kind('b', b.value)),
  }),
  (a, b) => ({
    codec: t.union([
      t.refinement(t.type({ it: a.codec, kind: t.literal(0) }), () => true),
      t.exact(t.type({ it: b.codec, kind: t.literal(1) })),
      t.intersection([t.type({ kind: t.literal('') }), t.partial({ it: b.codec })]),
    ]),
    value: fc.oneof(kind(0, a.value), kind(1, b.value), kind('', b.value)),
  }),
  (a, b) => ({
    codec: t.union([
      t.intersection([
        t.type({ kind: t.literal('a') }),
        t.union([t.type({ it: a.codec }), t.type({ it: b.codec })]),
      ]),
      t.recursion('itself', () => t.type({ kind: t.literal('b'), it: b.codec })),
    ]),
    value: fc.oneof(kind('a', a.value), kind('b', b.value)),
  }),
]

const kind = (name: unknown, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  every({ kind: fc.constant(name), it: value })

const both = (a: fc.Arbitrary<object>, b: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }))

const nested = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    { weight: 1, arbitrary: inner },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(...around), inner).map(([make, sample]) => make(sample)),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...together), inner, inner)
        .map(([make, a, b]) => make(a, b)),
    },
  )

/** Any codec; an attempt is outermost, as it is in an endpoint. */
export const anySample: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 20, arbitrary: nested(nested(leaf)) },
  {
    weight: 1,
    arbitrary: nested(leaf).map(({ codec, value }) => ({
      codec: attempt(codec),
      value: value.map(E.right),
    })),
  },
)
