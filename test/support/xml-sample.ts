/**
 * Arbitrary codecs with an XML mapping and arbitrary values for property tests. Each value survives encoding and decoding:
 * optional lists are never empty, and the text of an element is never `null`.
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
import { completeObject, hex, partialObject } from './sample.ts'
import { unicodeString } from './unicode-string.ts'

/** Strings that an XML document can contain. */
export const xmlText: fc.Arbitrary<string> = fc
  .oneof(
    unicodeString,
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
      .filter((char) => isCharacter(char.codePointAt(0) ?? 0))
      .join(''),
  )

const double = fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))

/** Scalars without white space. */
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

const makeOptional: Change = ({ codec, value }) => ({
  codec: optional(codec),
  value: fc.option(value, { nil: undefined }),
})
const nullable: Change = ({ codec, value }) => ({
  codec: t.union([codec, t.null]),
  value: fc.option(value, { nil: null }),
})
const upToThree = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.array(value, { maxLength: 3 })

const words: Change = ({ codec, value }) => ({
  codec: xmlList(list(codec)),
  value: upToThree(value),
})

const attribute: fc.Arbitrary<Sample> = fc
  .oneof(single, word.map(words), single.map(makeOptional), single.map(nullable))
  .chain(({ codec, value }) =>
    fc
      .constantFrom(xmlAttribute(), xmlAttribute(undefined, { namespace: 'urn:at', prefix: 'at' }))
      .map((mapped) => ({ codec: mapped(codec), value })),
  )

/** Wrappers of a codec that is written as one element. */
const wrap: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  makeOptional,
  nullable,
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: t.refinement(codec, () => true), value }),
  ({ codec, value }) => ({ codec: t.recursion(codec.name, () => codec), value }),
  ({ codec, value }) => ({ codec: xmlElement('it', { namespace: 'urn:it' })(codec), value }),
)

/** Collections: repeated elements, or an element that contains them. */
const collect: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  ({ codec, value }) => ({ codec: list(codec), value: upToThree(value) }),
  ({ codec, value }) => ({ codec: list(xmlElement('one')(codec)), value: upToThree(value) }),
  ({ codec, value }) => ({
    codec: xmlElementWrapper('all', 'one')(t.array(codec)),
    value: upToThree(value),
  }),
  ({ codec, value }) => ({
    codec: optional(xmlElementWrapper('all', 'one', { namespace: '' })(list(codec))),
    value: fc.option(upToThree(value), { nil: undefined }),
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

/** Gives a member an element name of its own, so that the mappings of members do not collide. */
const member = (name: string, { codec, value }: Sample): Sample => ({
  codec: xmlElement(name)(codec),
  value,
})

const objectOf = (a: Sample, b: Sample, at: Sample): ReadonlyArray<Sample> => {
  const [first, second] = [member('a', a), member('b', b)]
  return [
    {
      codec: t.type({ one: first.codec, two: second.codec, at: at.codec }),
      value: completeObject({ one: first.value, two: second.value, at: at.value }),
    },
    {
      codec: t.partial({ one: first.codec, two: second.codec }),
      value: partialObject({ one: first.value, two: second.value }),
    },
    {
      codec: t.intersection([
        t.strict({ one: first.codec, at: at.codec }),
        t.partial({ two: second.codec }),
      ]),
      value: fc
        .tuple(
          completeObject({ one: first.value, at: at.value }),
          partialObject({ two: second.value }),
        )
        .map(([required, others]) => ({ ...required, ...others })),
    },
    {
      codec: t.union([
        t.type({ kind: t.literal('a'), one: first.codec }),
        t.type({ kind: xmlAttribute()(t.literal('b')), one: second.codec }),
      ]),
      value: fc.oneof(
        completeObject({ kind: fc.constant('a'), one: first.value }),
        completeObject({ kind: fc.constant('b'), one: second.value }),
      ),
    },
    {
      codec: t.type({
        one: t.union([
          // a union member with only optional members would match the other one too
          xmlElement('first')(t.type({ x: first.codec, n: int })),
          xmlElement('second')(t.type({ y: second.codec })),
        ]),
      }),
      value: fc
        .oneof(
          completeObject({ x: first.value, n: fc.integer() }),
          completeObject({ y: second.value }),
        )
        .map((value) => ({ one: value })),
    },
  ]
}

const element = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    inner,
    fc.tuple(wrap, inner).map(([change, sample]) => change(sample)),
    fc
      .tuple(inner, inner, attribute, fc.nat({ max: 4 }))
      .map(([a, b, at, kind]) => objectOf(a, b, at)[kind] ?? a),
    fc.tuple(single, attribute).map(([text, at]) => ({
      codec: t.type({ text: xmlValue(text.codec), at: at.codec }),
      value: completeObject({ text: text.value, at: at.value }),
    })),
  )

/** Member names. Created once, because compiling the pattern is slow. */
const memberName = fc.stringMatching(/^[a-zé][a-z0-9_.-]{0,2}$/)

/** Codecs of a member, including those written as several elements. */
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
    value: completeObject({
      p: completeObject({ x: a.value }),
      q: completeObject({ y: b.value, at: at.value }),
    }),
  }))

const inside = element(element(single))

/** Any codec of a document. */
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
        value: upToThree(value),
      }),
    ),
  )
  .map(([sample, change]) => change(sample))

/** Removes undefined members, and replaces undefined elements with `null`, as encoding does. */
export const normalizeAbsent = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => normalizeAbsent(item) ?? null)
  if (value instanceof Set) return new Set([...value].map(normalizeAbsent))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, normalizeAbsent(item)]),
  )
}
