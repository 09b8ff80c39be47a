/**
 * Arbitrary codecs that have a form in XML, each with arbitrary values of it. Reading what such a codec writes gives the value
 * back: what may be missing is never an empty list, and a text that is an element's own is never `null`.
 */
import * as fc from 'fast-check'
import * as t from 'io-ts'
import { optional, withDefault } from '../../src/codec/optional.ts'
import { list, set } from '../../src/codec/collection.ts'
import { between } from '../../src/codec/constraint.ts'
import { boolean, enumOf, int, number, string } from '../../src/codec/scalar.ts'
import { isCharacter } from '../../src/xml/xml-names.ts'
import {
  xmlAttribute,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../src/xml/mapping/mapping-codecs.ts'
import type { Sample } from './sample.ts'
import { every, hex, some } from './sample.ts'

/** Texts that a document can hold. */
export const xmlText: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        ']',
        ' ',
        '\t',
        '\n',
        '\r',
        'é',
        '😀',
        '\u0085',
      ),
    }),
  )
  .map((text) =>
    Array.from(text)
      .filter((one) => isCharacter(one.codePointAt(0) ?? 0))
      .join(''),
  )

const double = fc.double({ noNaN: true }).map((one) => (Object.is(one, -0) ? 0 : one))

/** Single values without white space. */
const word: fc.Arbitrary<Sample> = fc.constantFrom<Sample>(
  { codec: boolean, value: fc.boolean() },
  { codec: int, value: fc.integer() },
  { codec: t.number, value: double },
  { codec: number, value: double.filter(Number.isFinite) },
  { codec: hex, value: fc.nat() },
  { codec: between(1, 9)(int), value: fc.integer({ min: 1, max: 9 }) },
  { codec: enumOf('a', 2), value: fc.constantFrom('a', 2) },
  { codec: t.literal(true), value: fc.constant(true) },
  { codec: t.keyof({ x: null, y: null }), value: fc.constantFrom('x', 'y') },
  { codec: t.bigint, value: fc.bigInt() },
)

const single: fc.Arbitrary<Sample> = fc.oneof(
  word,
  fc.constant<Sample>({ codec: string, value: xmlText }),
  fc.constant<Sample>({
    codec: t.union([int, boolean]),
    value: fc.oneof(fc.integer(), fc.boolean()),
  }),
)

type Change = (sample: Sample) => Sample

const maybe: Change = ({ codec, value }) => ({
  codec: optional(codec),
  value: fc.option(value, { nil: undefined }),
})
const nullable: Change = ({ codec, value }) => ({
  codec: t.union([codec, t.null]),
  value: fc.option(value, { nil: null }),
})
const some3 = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.array(value, { maxLength: 3 })

const words: Change = ({ codec, value }) => ({ codec: xmlList(list(codec)), value: some3(value) })

const attribute: fc.Arbitrary<Sample> = fc
  .oneof(single, word.map(words), single.map(maybe), single.map(nullable))
  .chain(({ codec, value }) =>
    fc
      .constantFrom(xmlAttribute(), xmlAttribute(undefined, { namespace: 'urn:at', prefix: 'at' }))
      .map((mapped) => ({ codec: mapped(codec), value })),
  )

/** Wrappers that may stand around what is one element. */
const around: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  maybe,
  nullable,
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: t.refinement(codec, () => true), value }),
  ({ codec, value }) => ({ codec: t.recursion(codec.name, () => codec), value }),
  ({ codec, value }) => ({ codec: xmlElement('it', { namespace: 'urn:it' })(codec), value }),
)

/** What is several elements, or one that holds several. */
const collect: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  ({ codec, value }) => ({ codec: list(codec), value: some3(value) }),
  ({ codec, value }) => ({ codec: list(xmlElement('one')(codec)), value: some3(value) }),
  ({ codec, value }) => ({
    codec: xmlElementWrapper('all', 'one')(t.array(codec)),
    value: some3(value),
  }),
  ({ codec, value }) => ({
    codec: optional(xmlElementWrapper('all', 'one', { namespace: '' })(list(codec))),
    value: fc.option(some3(value), { nil: undefined }),
  }),
  ({ codec, value }) => ({
    codec: xmlElementWrapper('pair', 'half')(t.tuple([codec, int])),
    value: fc.tuple(value, fc.integer()),
  }),
)

const sets: Change = ({ codec, value }) => ({
  codec: xmlElementWrapper('all', 'one')(set(codec)),
  value: fc.uniqueArray(value, { maxLength: 3 }).map((values) => new Set(values)),
})

/** Members with names of their own, so that nothing that was said of one meets another. */
const member = (name: string, { codec, value }: Sample): Sample => ({
  codec: xmlElement(name)(codec),
  value,
})

const objectOf = (a: Sample, b: Sample, at: Sample): ReadonlyArray<Sample> => {
  const [one, two] = [member('a', a), member('b', b)]
  return [
    {
      codec: t.type({ one: one.codec, two: two.codec, at: at.codec }),
      value: every({ one: one.value, two: two.value, at: at.value }),
    },
    {
      codec: t.partial({ one: one.codec, two: two.codec }),
      value: some({ one: one.value, two: two.value }),
    },
    {
      codec: t.intersection([
        t.strict({ one: one.codec, at: at.codec }),
        t.partial({ two: two.codec }),
      ]),
      value: fc
        .tuple(every({ one: one.value, at: at.value }), some({ two: two.value }))
        .map(([required, others]) => ({ ...required, ...others })),
    },
    {
      codec: t.union([
        t.type({ kind: t.literal('a'), one: one.codec }),
        t.type({ kind: xmlAttribute()(t.literal('b')), one: two.codec }),
      ]),
      value: fc.oneof(
        every({ kind: fc.constant('a'), one: one.value }),
        every({ kind: fc.constant('b'), one: two.value }),
      ),
    },
    {
      codec: t.type({
        one: t.union([
          // what may be missing alone would take the other one too
          xmlElement('first')(t.type({ x: one.codec, n: int })),
          xmlElement('second')(t.type({ y: two.codec })),
        ]),
      }),
      value: fc
        .oneof(every({ x: one.value, n: fc.integer() }), every({ y: two.value }))
        .map((inside) => ({ one: inside })),
    },
  ]
}

const element = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    inner,
    fc.tuple(around, inner).map(([change, sample]) => change(sample)),
    fc
      .tuple(inner, inner, attribute, fc.nat({ max: 4 }))
      .map(([a, b, at, kind]) => objectOf(a, b, at)[kind] ?? a),
    fc.tuple(single, attribute).map(([text, at]) => ({
      codec: t.type({ text: xmlValue(text.codec), at: at.codec }),
      value: every({ text: text.value, at: at.value }),
    })),
  )

/** Names of members; made once, which takes longer than many values. */
const memberName = fc.stringMatching(/^[a-zé][a-z0-9_.-]{0,2}$/)

/** What a member may be: also what is several elements. */
const anyMember = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    inner,
    fc.tuple(collect, inner).map(([change, sample]) => change(sample)),
    word.map(sets),
    word.map(words),
    word
      .map(({ codec }) => codec)
      .chain((codec) =>
        fc.constant<Sample>({
          codec: withDefault(t.union([codec, string]), ''),
          value: xmlText.map((text) => `_${text}`),
        }),
      ),
    inner.map(({ codec, value }) => ({
      codec: t.record(t.string, codec),
      value: fc.dictionary(memberName, value, {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    })),
  )

const object = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(anyMember(inner), anyMember(inner), attribute).map(([a, b, at]) => ({
    codec: t.type({ p: t.type({ x: a.codec }), q: t.type({ y: b.codec, at: at.codec }) }, 'Sample'),
    value: every({
      p: every({ x: a.value }),
      q: every({ y: b.value, at: at.value }),
    }),
  }))

const inside = element(element(single))

/** Any codec of documents. */
export const xmlSample: fc.Arbitrary<Sample> = fc
  .tuple(
    object(inside),
    fc.constantFrom<Change>(
      (sample) => sample,
      ({ codec, value }) => ({
        codec: xmlRootElement('root', { namespace: 'urn:root' })(codec),
        value,
      }),
      ({ codec, value }) => ({
        codec: xmlRootElement('root', { namespace: 'urn:root', prefix: 'r' })(codec),
        value,
      }),
      ({ codec, value }) => ({
        codec: xmlElementWrapper('samples', 'sample')(list(codec)),
        value: some3(value),
      }),
    ),
  )
  .map(([sample, change]) => change(sample))

/** What is `undefined` is as good as missing, and in a list as `null`. */
export const there = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => there(one) ?? null)
  if (value instanceof Set) return new Set([...value].map(there))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => [key, there(one)]),
  )
}
