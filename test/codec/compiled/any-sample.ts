/**
 * Arbitrary codecs of every kind, each with arbitrary values. Members may overlap, unions may be untagged, and names may be
 * those of `Object.prototype`.
 */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { nullable, nullish, optional, withDefault } from '../../../src/codec/optional.ts'
import { attempt, encoded } from '../../../src/codec/structure/parameter-codecs.ts'
import { list, separated, set, sortedSet } from '../../../src/codec/collection.ts'
import { atLeast, length, pattern } from '../../../src/codec/constraint.ts'
import { date, instant, plainDate } from '../../../src/codec/temporal/date-time.ts'
import { decimal } from '../../../src/codec/decimal.ts'
import { strict } from '../../../src/codec/strict.ts'
import { enumOf, int, number, uuid } from '../../../src/codec/scalar.ts'
import { isCodec } from '../../../src/codec/codec-structure.ts'
import {
  anyObject,
  Point,
  point,
  mistagged,
  trimmed,
  withFallback,
  withMessage,
} from '../../support/unusual-codecs.ts'
import { jsonValue } from './arbitrary-value.ts'
import type { Sample } from '../../support/sample.ts'
import { completeObject, hex, intersections, partialObject } from '../../support/sample.ts'

const word = fc.constantFrom('a', 'b', 'f', '1', '')
const text = mistagged('')

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
  { codec: t.UnknownRecord, value: partialObject({ a: jsonValue, z: jsonValue }) },
  { codec: t.literal('a'), value: fc.constant('a') },
  { codec: t.literal(1), value: fc.constant(1) },
  { codec: t.literal(0), value: fc.constant(0) },
  { codec: t.literal(true), value: fc.constant(true) },
  { codec: t.keyof({ a: null, b: null, toString: null }), value: fc.constantFrom('a', 'toString') },
  { codec: enumOf('a', 2, 0), value: fc.constantFrom('a', 2, 0) },
  { codec: atLeast(1)(int), value: fc.constantFrom(1, 2) },
  { codec: length(1, 2)(t.string), value: fc.constantFrom('a', 'b') },
  { codec: pattern(/^[ab]$/)(t.string), value: fc.constantFrom('a', 'b') },
  { codec: t.union([t.string, t.number]), value: fc.constantFrom('a', 1) },
  { codec: t.intersection([t.string, t.literal('a')]), value: fc.constant('a') },
  { codec: t.intersection([t.number, int]), value: fc.constantFrom(0, 1) },
]

/** `t.never`, with a type that the list of samples accepts. */
const never: ReadonlyArray<unknown> = [t.never]

const changing: ReadonlyArray<Sample> = [
  { codec: hex, value: fc.nat({ max: 15 }) },
  { codec: uuid, value: fc.constant('f81d4fae-7dec-11d0-a765-00a0c91e6bf6') },
  { codec: decimal, value: fc.constant({ unscaled: 12n, scale: 1 }) },
  { codec: plainDate, value: fc.constant(plainDate.decode('2020-01-01')).map(E.toUnion) },
  { codec: instant, value: fc.constant(instant.decode('2020-01-01T00:00:00Z')).map(E.toUnion) },
  { codec: date, value: fc.constantFrom(new Date(0), new Date(1e12)) },
  { codec: trimmed, value: word },
  { codec: anyObject, value: partialObject({ a: jsonValue }) },
  { codec: point, value: jsonValue.map((x) => new Point(x)) },
  { codec: t.union([t.number, hex]), value: fc.nat({ max: 15 }) },
  { codec: t.intersection([t.string, text]), value: word },
  ...never.filter(isCodec).map((codec) => ({ codec, value: jsonValue })),
  ...[
    text,
    mistagged('StringType'),
    mistagged('LiteralType'),
    mistagged('EnumType', { values: ['b'] }),
    mistagged('ArrayType', { type: t.string }),
    mistagged('UnionType', { types: [t.number] }),
    mistagged('RefinementType', { type: t.number, predicate: () => true }),
    mistagged('ReadonlyType', { type: t.number }),
    mistagged('EncodedType', { codec: t.number }),
    mistagged('WithDefaultType', { codec: t.number, defaultValue: 1 }),
    mistagged('SetType', { codec: t.number }),
    mistagged('RecursiveType', { type: t.number }),
    mistagged('TupleType', { types: [t.number] }),
    mistagged('IntersectionType', { types: [t.number] }),
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

/** Codecs that contain one other codec. */
const wrappers: ReadonlyArray<(inner: Sample) => Sample> = [
  ({ codec, value }) => ({ codec: optional(codec), value: fc.option(value, { nil: undefined }) }),
  ({ codec, value }) => ({ codec: t.union([t.null, codec]), value: fc.option(value) }),
  ({ codec, value }) => ({ codec: nullable(codec), value: fc.option(value) }),
  ({ codec, value }) => ({
    codec: nullish(codec),
    value: fc.oneof(value, fc.constantFrom(null, undefined)),
  }),
  ({ codec, value }) => ({ codec: encoded(codec), value }),
  ({ codec, value }) => ({ codec: strict(codec), value }),
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: t.refinement(codec, (decoded) => decoded !== 'z'), value }),
  ({ codec, value }) => ({
    codec: t.refinement(codec, (decoded) => !Object.hasOwn(Object(decoded), 'z')),
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
  (inner) => records(t.union([t.literal('a'), pattern(/x/)(t.string)]), inner),
  (inner) => records(mistagged('StringType'), inner),
  ({ codec, value }) => {
    const tree: t.Mixed = t.recursion('tree', () => t.type({ a: codec, below: list(tree) }))
    const tip = completeObject({ a: value, below: fc.constant([]) })
    return { codec: tree, value: fc.oneof(tip, completeObject({ a: value, below: several(tip) })) }
  },
]

/** Codecs that combine two other codecs. */
const combinations: ReadonlyArray<(a: Sample, b: Sample) => Sample> = [
  ...[t.type, t.type, t.partial, t.strict].map((create) => (a: Sample, b: Sample) => ({
    codec: create({ a: a.codec, b: b.codec }),
    value:
      create === t.partial
        ? partialObject({ a: a.value, b: b.value })
        : completeObject({ a: a.value, b: b.value }),
  })),
  // not literals, because io-ts throws for unions of members whose tags have these names
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
    value: both(completeObject({ a: a.value }), partialObject({ b: b.value })),
  }),
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec, x: b.codec }), t.type({ x: b.codec })]),
    value: completeObject({ a: a.value, x: b.value }),
  }),
  ...intersections,
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }), t.UnknownRecord, t.partial({ b: b.codec })]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.intersection([t.type({ a: a.codec }), t.partial({ b: b.codec })]),
      t.partial({ x: t.number }),
    ]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.refinement(t.type({ a: a.codec }), (decoded) => decoded['a'] !== '?'),
      t.readonly(t.type({ b: b.codec })),
    ]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => {
    const tree: t.Mixed = t.recursion('tree', () => t.type({ a: a.codec, x: t.array(tree) }))
    const tip = partialObject({ b: b.value, a: a.value, x: fc.constant([]) })
    return {
      codec: t.intersection([tree, t.type({ b: b.codec })]),
      value: completeObject({ b: b.value, a: a.value, x: several(tip) }),
    }
  },
  (a, b) => {
    const ping: t.Mixed = t.recursion('ping', () => t.partial({ a: a.codec, x: pong }))
    const pong: t.Mixed = t.recursion('pong', () => t.type({ b: b.codec, y: t.array(ping) }))
    const tip = completeObject({ b: b.value, y: fc.constant([]) })
    return { codec: ping, value: partialObject({ a: a.value, x: tip }) }
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
  completeObject({ kind: fc.constant(name), it: value })

const both = (a: fc.Arbitrary<object>, b: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(a, b).map(([first, second]) => ({ ...first, ...second }))

const nested = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    { weight: 1, arbitrary: inner },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...wrappers), inner)
        .map(([wrap, sample]) => wrap(sample)),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...combinations), inner, inner)
        .map(([combine, a, b]) => combine(a, b)),
    },
  )

/** Any codec. `attempt` is outermost, as in endpoints. */
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
