/** Arbitrary codecs whose JSON Schema is exact, each with arbitrary values. `schema-exceptions.ts` lists what is left out. */
import * as fc from 'fast-check'
import * as t from 'io-ts'
import { described, named } from '../../../src/codec/annotated.ts'
import { list, separated, set, sortedSet } from '../../../src/codec/collection.ts'
import { length, maxLength, pattern } from '../../../src/codec/constraint.ts'
import { nullable, nullish, optional, withDefault } from '../../../src/codec/optional.ts'
import { combined, encoded } from '../../../src/codec/structure/parameter-codecs.ts'
import { enumOf } from '../../../src/codec/scalar.ts'
import { strict } from '../../../src/codec/strict.ts'
import { inView, secureField, view } from '../../../src/codec/structure/restricted-member.ts'
import { leaves } from './describable-leaf.ts'
import type { Sample } from '../../support/sample.ts'
import { completeObject, intersections, partialObject } from '../../support/sample.ts'

export const publicView = view('Public')
export const internalView = view('Internal', publicView)

const several = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.array(value, { maxLength: 3 })

const objects = (
  create: (props: t.Props) => t.Mixed,
  members: Readonly<Record<string, Sample>>,
  isPartial = false,
): Sample => {
  const values = Object.fromEntries(
    Object.entries(members).map(([name, { value }]) => [name, value] as const),
  )
  return {
    codec: create(
      Object.fromEntries(Object.entries(members).map(([name, { codec }]) => [name, codec])),
    ),
    value: isPartial ? partialObject(values) : completeObject(values),
  }
}

const records = (
  domain: t.Mixed,
  names: ReadonlyArray<string>,
  { codec, value }: Sample,
): Sample => ({
  codec: t.record(domain, codec),
  value: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3, noNullPrototype: true }),
})

/** Returns a codec for arbitrary members, unless it would encode members differently than another codec of the same intersection. */
const unknownFor = (codec: t.Mixed): t.Mixed =>
  codec.encode === t.identity ? t.UnknownRecord : t.type({})

/** Codecs that contain one other codec. */
const wrappers: ReadonlyArray<(inner: Sample) => Sample> = [
  ({ codec, value }) => ({ codec: optional(codec), value: fc.option(value, { nil: undefined }) }),
  ({ codec, value }) => ({ codec: nullable(codec), value: fc.option(value) }),
  ({ codec, value }) => ({
    codec: nullish(codec),
    value: fc.oneof(value, fc.constantFrom(null, undefined)),
  }),
  ({ codec, value }) => ({
    codec: withDefault(codec, 'default'),
    value,
  }),
  ({ codec, value }) => ({ codec: described('text', { examples: [1] })(codec), value }),
  ({ codec, value }) => ({ codec: named('Named')(codec), value }),
  ({ codec, value }) => ({ codec: encoded(codec), value }),
  ({ codec, value }) => ({ codec: combined(codec), value }),
  ({ codec, value }) => ({ codec: strict(codec), value }),
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: t.refinement(codec, () => true), value }),
  // `t.recursion` renames the codec that its definition returns
  ({ codec, value }) => ({ codec: t.recursion('It', () => t.readonly(codec)), value }),
  ({ codec, value }) => ({ codec: list(codec), value: several(value) }),
  ({ codec, value }) => ({ codec: t.array(codec, 'Items'), value: several(value) }),
  ({ codec, value }) => ({ codec: separated(',')(list(codec)), value: several(value) }),
  ...[set, sortedSet].map((create) => ({ codec, value }: Sample): Sample => ({
    codec: create(codec),
    value: several(value).map((all) => new Set(all)),
  })),
  ({ codec, value }) => ({ codec: t.tuple([codec]), value: fc.tuple(value) }),
  ({ codec, value }) => ({
    codec: t.intersection([t.type({ a: codec }), unknownFor(codec)]),
    value: completeObject({ a: value }),
  }),
  (inner) => records(t.string, ['a', 'b', 'x', 'z'], inner),
  (inner) => records(pattern(/^[ab]/)(t.string), ['a', 'b', 'ab'], inner),
  (inner) => records(length(2, 3)(t.string), ['ab'], inner),
  (inner) => records(pattern(/b/)(maxLength(2)(t.string)), ['b', 'ab'], inner),
  (inner) => records(enumOf('a', 'b'), ['a', 'b'], inner),
  ({ codec, value }) => ({
    codec: t.record(t.keyof({ a: null, b: null }), codec),
    value: completeObject({ a: value, b: value }),
  }),
  ({ codec, value }) => ({
    codec: t.record(t.union([t.literal('a'), t.literal('x')]), codec, 'Entries'),
    value: completeObject({ a: value, x: value }),
  }),
  ({ codec, value }) => {
    const tree: t.Mixed = t.recursion('Tree', () => t.type({ a: codec, below: list(tree) }, 'Tree'))
    const tip = completeObject({ a: value, below: fc.constant([]) })
    return { codec: tree, value: fc.oneof(tip, completeObject({ a: value, below: several(tip) })) }
  },
]

const kind = (name: unknown): Sample => ({
  codec: t.literal(String(name)),
  value: fc.constant(name),
})

const createCase =
  (name: string) =>
  (props: t.Props): t.Mixed =>
    name === '' ? t.type(props) : t.type(props, `${name}${Object.keys(props).join('')}`)

const restricted = ({ codec, value }: Sample): ReadonlyArray<Sample> => [
  { codec: secureField('chief', 'payroll')(codec), value },
  { codec: inView(internalView)(codec), value },
  { codec: optional(inView(publicView)(codec)), value: fc.option(value, { nil: undefined }) },
]

const merged = (...values: ReadonlyArray<fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc.tuple(...values).map((all) => Object.assign({}, ...all))

/** Codecs that combine two other codecs. */
const combinations: ReadonlyArray<(a: Sample, b: Sample) => Sample> = [
  (a, b) => objects((props) => t.type(props), { a, b }),
  (a, b) => objects((props) => t.type(props, 'Both'), { a, b }),
  (a, b) => objects((props) => t.partial(props), { a, b }, true),
  (a, b) => objects((props) => t.strict(props), { a, x: b }),
  (a, b) => ({ codec: t.tuple([a.codec, b.codec]), value: fc.tuple(a.value, b.value) }),
  (a, b) => ({ codec: t.union([a.codec, b.codec]), value: fc.oneof(a.value, b.value) }),
  (a, b) => {
    const [first, second] = [objects(t.type, { a }), objects(t.partial, { b }, true)]
    return {
      codec: t.intersection([first.codec, second.codec], 'Intersection'),
      value: merged(first.value, second.value),
    }
  },
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }, 'First'), t.type({ b: b.codec }, 'Second')]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  ...intersections,
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }), unknownFor(a.codec), t.partial({ b: b.codec })]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([
      strict(t.type({ a: a.codec })),
      t.intersection([t.type({ b: b.codec }), t.partial({ x: t.number })]),
    ]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => {
    const tree: t.Mixed = t.recursion('Ring', () => t.type({ a: a.codec, x: t.array(tree) }))
    const tip = completeObject({ a: a.value, x: fc.constant([]) })
    return {
      codec: t.intersection([tree, t.type({ b: b.codec })]),
      value: completeObject({ b: b.value, a: a.value, x: several(tip) }),
    }
  },
  (a, b) => {
    const ping: t.Mixed = t.recursion('Ping', () => t.partial({ a: a.codec, x: pong }))
    const pong: t.Mixed = t.recursion('Pong', () => t.type({ b: b.codec, y: t.array(ping) }))
    const tip = completeObject({ b: b.value, y: fc.constant([]) })
    return { codec: ping, value: partialObject({ a: a.value, x: tip }) }
  },
  ...['', 'Case'].map((name) => (a: Sample, b: Sample): Sample => {
    const first = objects(createCase(name), { kind: kind('a'), it: a })
    const second = objects(createCase(name), { kind: kind('b'), b })
    return {
      codec: t.union([first.codec, second.codec]),
      value: fc.oneof(first.value, second.value),
    }
  }),
  ...[0, 1, 2].flatMap((index) => [
    (a: Sample, b: Sample): Sample =>
      objects((props) => t.type(props, 'Restricted'), { a: restricted(a)[index] ?? a, b }),
    (a: Sample, b: Sample): Sample => {
      const first = objects(t.partial, { a: restricted(a)[index] ?? a }, true)
      const second = objects(t.type, { a, b })
      return {
        codec: t.union([first.codec, second.codec]),
        value: fc.oneof(first.value, second.value),
      }
    },
    (a: Sample, b: Sample): Sample => {
      const first = objects(t.type, { a: restricted(a)[index] ?? a })
      const second = objects(t.type, { b })
      return {
        codec: t.intersection([first.codec, second.codec]),
        value: merged(first.value, second.value),
      }
    },
  ]),
]

const leaf: fc.Arbitrary<Sample> = fc.constantFrom(...leaves)

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

/** Any codec whose schema is exact. */
export const describableSample: fc.Arbitrary<Sample> = nested(nested(leaf))
