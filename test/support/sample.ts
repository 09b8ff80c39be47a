/**
 * Arbitrary codecs, each with arbitrary values of it. Reading what such a codec writes gives the value back: unions are
 * tagged, the members of an intersection have no member in common, sets hold scalars, and only scalars have a default.
 */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { optional, withDefault } from '../../src/codec/optional.ts'
import { attempt } from '../../src/codec/parameter/attempt.ts'
import { list, separated, set } from '../../src/codec/collection.ts'
import { between } from '../../src/codec/constraint.ts'
import { encoded } from '../../src/codec/parameter/encoded.ts'
import { exact } from '../../src/codec/strict.ts'
import { fromString } from '../../src/codec/from-string.ts'
import { boolean, enumOf, int, number, string } from '../../src/codec/scalar.ts'

export interface Sample {
  readonly codec: t.Mixed
  readonly value: fc.Arbitrary<unknown>
}

/** A codec whose values are of another type than what is on the wire. */
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

export const every = (
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> => fc.record(fields, { noNullPrototype: true })

export const some = (
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> => fc.record(fields, { requiredKeys: [], noNullPrototype: true })

/** Wrappers that may stand around any codec. */
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

/** Codecs of objects, with two members or kinds to choose from. */
const combine: fc.Arbitrary<(a: Sample, b: Sample) => Sample> = fc.constantFrom<
  (a: Sample, b: Sample) => Sample
>(
  (a, b) => ({
    codec: t.type({ a: a.codec, b: b.codec }),
    value: every({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.strict({ a: a.codec, b: b.codec }),
    value: every({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.partial({ a: a.codec, b: b.codec }),
    value: some({ a: a.value, b: b.value }),
  }),
  (a, b) => ({
    codec: t.intersection([t.type({ a: a.codec }), t.partial({ b: b.codec })]),
    value: fc
      .tuple(every({ a: a.value }), some({ b: b.value }))
      .map(([required, others]) => ({ ...required, ...others })),
  }),
  (a, b) => ({
    codec: t.union([
      t.type({ kind: t.literal('a'), it: a.codec }),
      t.type({ kind: t.literal('b'), it: b.codec }),
    ]),
    value: fc.oneof(
      every({ kind: fc.constant('a'), it: a.value }),
      every({ kind: fc.constant('b'), it: b.value }),
    ),
  }),
  (a, b) => ({ codec: t.tuple([a.codec, b.codec]), value: fc.tuple(a.value, b.value) }),
)

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  scalar,
  scalar.map(({ codec, value }) => ({ codec: withDefault(codec, 0), value })),
  scalar.map(({ codec, value }) => ({
    codec: set(codec),
    value: fc.array(value, { maxLength: 3 }).map((values) => new Set(values)),
  })),
)

const nested = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    inner,
    fc.tuple(wrap, inner).map(([around, sample]) => around(sample)),
    fc.tuple(combine, inner, inner).map(([together, a, b]) => together(a, b)),
  )

/** Codecs that drop what they do not declare at any depth: no records, no attempts, nothing refused. */
export const closed: fc.Arbitrary<Sample> = nested(nested(nested(leaf)))

/** Names of members; made once, which takes longer than many values. */
const key = fc.stringMatching(/^[a-z]{1,3}$/)
const record: fc.Arbitrary<Sample> = nested(leaf).map(({ codec, value }) => ({
  codec: t.record(t.string, codec),
  value: fc.dictionary(key, value, {
    maxKeys: 3,
    noNullPrototype: true,
  }),
}))

const marked: fc.Arbitrary<Sample> = nested(leaf).map(({ codec, value }) => ({
  codec: exact(codec),
  value,
}))

const anywhere: fc.Arbitrary<Sample> = nested(fc.oneof(closed, record, marked))

/** Any codec. An attempt is outermost: as a member it would be given what is missing, and hand over an error. */
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

/** A codec together with one of its values; reported by name, because a codec prints at length. */
export interface Instance {
  readonly codec: t.Mixed
  readonly value: unknown
}

export const instance = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Instance> =>
  samples.chain(({ codec, value }) =>
    value.map((one) => ({
      codec,
      value: one,
      [fc.toStringMethod]: () => `${fc.stringify(one)} of ${codec.name}`,
    })),
  )
