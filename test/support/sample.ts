/**
 * Arbitrary codecs with arbitrary values for property tests. Each value survives encoding and decoding: unions are tagged,
 * intersections have disjoint members, sets contain scalars, and only scalars have defaults.
 */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { optional, withDefault } from '../../src/codec/optional.ts'
import { attempt, encoded } from '../../src/codec/structure/parameter-codecs.ts'
import { list, separated, set } from '../../src/codec/collection.ts'
import { between, pattern } from '../../src/codec/constraint.ts'
import { strict } from '../../src/codec/strict.ts'
import { fromString } from '../../src/codec/from-string.ts'
import { boolean, enumOf, int, number, string } from '../../src/codec/scalar.ts'

export interface Sample {
  readonly codec: t.Mixed
  readonly value: fc.Arbitrary<unknown>
}

/** A codec whose values and encoded values have different types. */
export const hex: t.Type<number, string> = fromString(
  'hex',
  (text) => (/^[0-9a-f]+$/.test(text) ? Number.parseInt(text, 16) : undefined),
  (value) => value.toString(16),
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
)

const scalar: fc.Arbitrary<Sample> = fc.constantFrom<Sample>(
  { codec: string, value: fc.string() },
  { codec: boolean, value: fc.boolean() },
  { codec: int, value: fc.integer() },
  { codec: number, value: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { codec: hex, value: fc.nat() },
  { codec: between(1, 9)(int), value: fc.integer({ min: 1, max: 9 }) },
  { codec: enumOf('a', 2), value: fc.constantFrom('a', 2) },
  { codec: t.null, value: fc.constant(null) },
)

/** Objects with all members. */
export const completeObject = (
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> => fc.record(members, { noNullPrototype: true })

/** Objects in which each member may be missing. */
export const partialObject = (
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> => fc.record(members, { requiredKeys: [], noNullPrototype: true })

/** Wrappers of any codec. */
const wrap: fc.Arbitrary<(sample: Sample) => Sample> = fc.constantFrom<(sample: Sample) => Sample>(
  ({ codec, value }) => ({ codec: optional(codec), value: fc.option(value, { nil: undefined }) }),
  ({ codec, value }) => ({ codec: encoded(codec), value }),
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: t.refinement(codec, () => true), value }),
  ({ codec, value }) => ({ codec: t.recursion(codec.name, () => codec), value }),
  ({ codec, value }) => ({ codec: list(codec), value: fc.array(value, { maxLength: 3 }) }),
  ({ codec, value }) => ({
    codec: separated(',')(list(codec)),
    value: fc.array(value, { maxLength: 3 }),
  }),
  ({ codec, value }) => ({ codec: t.array(codec), value: fc.array(value, { maxLength: 3 }) }),
)

/** Combinations of two codecs: objects, unions and tuples. */
const combine: fc.Arbitrary<(a: Sample, b: Sample) => Sample> = fc.constantFrom<
  (a: Sample, b: Sample) => Sample
>(
  (a, b) => ({
    codec: t.type({ a: a.codec, b: b.codec }),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.strict({ a: a.codec, b: b.codec }),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.partial({ a: a.codec, b: b.codec }),
    value: partialObject({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }), t.partial({ b: b.codec })]),
    value: fc
      .tuple(completeObject({ a: a.value }), partialObject({ b: b.value }))
      .map(([required, others]) => ({ ...required, ...others })),
  }),
  (a, b) => ({
    codec: t.union([
      t.type({ kind: t.literal('a'), it: a.codec }),
      t.type({ kind: t.literal('b'), it: b.codec }),
    ]),
    value: fc.oneof(
      completeObject({ kind: fc.constant('a'), it: a.value }),
      completeObject({ kind: fc.constant('b'), it: b.value }),
    ),
  }),
  (a, b) => ({ codec: t.tuple([a.codec, b.codec]), value: fc.tuple(a.value, b.value) }),
)

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  scalar,
  scalar.chain(({ codec, value }) =>
    value.map((initial) => ({ codec: withDefault(codec, initial), value })),
  ),
  scalar.map(({ codec, value }) => ({
    codec: set(codec),
    value: fc.array(value, { maxLength: 3 }).map((values) => new Set(values)),
  })),
)

const nested = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    inner,
    fc.tuple(wrap, inner).map(([wrapper, sample]) => wrapper(sample)),
    fc.tuple(combine, inner, inner).map(([combinator, a, b]) => combinator(a, b)),
  )

/** Codecs that strip undeclared members at any depth: no records, no attempts and no strict codecs. */
export const closedSample: fc.Arbitrary<Sample> = nested(nested(nested(leaf)))

/** Member names. Created once, because compiling the pattern is slow. */
const key = fc.stringMatching(/^[a-z]{1,3}$/)
const record: fc.Arbitrary<Sample> = nested(leaf).map(({ codec, value }) => ({
  codec: t.record(t.string, codec),
  value: fc.dictionary(key, value, {
    maxKeys: 3,
    noNullPrototype: true,
  }),
}))

const marked: fc.Arbitrary<Sample> = nested(leaf).map(({ codec, value }) => ({
  codec: strict(codec),
  value,
}))

const anywhere: fc.Arbitrary<Sample> = nested(fc.oneof(closedSample, record, marked))

/** Any codec. `attempt` occurs only at the top: as a member it would decode a missing value to an error. */
export const sample: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 9, arbitrary: anywhere },
  {
    weight: 1,
    arbitrary: anywhere.map(({ codec, value }) => ({
      codec: attempt(codec),
      value: value.map(E.right),
    })),
  },
)

/** A codec with one of its values. */
export interface Instance {
  readonly codec: t.Mixed
  readonly value: unknown
}

/** Chooses a codec and one of its values. Counterexamples show the name of the codec, because a codec prints at length. */
export const instance = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Instance> =>
  samples.chain(({ codec, value }) =>
    value.map((chosen) => ({
      codec,
      value: chosen,
      [fc.toStringMethod]: () => `${fc.stringify(chosen)} of ${codec.name}`,
    })),
  )

/** Intersections of two codecs that share a member, or of which one accepts several shapes or names. */
export const intersections: ReadonlyArray<(a: Sample, b: Sample) => Sample> = [
  (a, b) => ({
    codec: t.intersection([
      t.type({ x: t.type({ a: a.codec }) }),
      t.type({ x: t.type({ b: b.codec }) }),
    ]),
    value: completeObject({ x: completeObject({ a: a.value, b: b.value }) }),
  }),
  (a, b) => ({
    codec: t.intersection([
      t.type({ a: a.codec }),
      t.union([t.strict({ b: b.codec }), t.type({ z: t.null })]),
    ]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }), t.record(pattern(/^[^a]$/)(t.string), b.codec)]),
    value: completeObject({ a: a.value, b: b.value }),
  }),
]
