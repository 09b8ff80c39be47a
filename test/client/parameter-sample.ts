/** Arbitrary parameter codecs, each with arbitrary values. Most of the values can be encoded as text. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  attempt,
  bigint,
  boolean,
  date,
  encoded,
  enumOf,
  int,
  list,
  nullable,
  nullish,
  number,
  optional,
  plainDate,
  segments,
  separated,
  set,
  string,
  uuid,
  withDefault,
} from '../../src/index.ts'
import { difference } from '../support/same-value.ts'
import type { Sample } from '../support/sample.ts'
import { hex } from '../support/sample.ts'
import { unicodeString } from '../support/unicode-string.ts'

/** Arbitrary texts, with characters that delimit or encode parts of a request. */
const anyText = fc.oneof(
  unicodeString,
  fc.string({
    unit: fc.constantFrom(
      'a',
      '/',
      '.',
      '%',
      '2',
      'F',
      '+',
      ' ',
      '&',
      '=',
      ';',
      ',',
      '?',
      '#',
      '"',
      'é',
      '€',
      '\\',
      '\r',
      '\n',
      "'",
      ':',
      '[',
      ']',
      '{',
      '}',
      '|',
    ),
  }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e',
    '%2F',
    '%',
    'true',
    '1',
    'null',
    '-0',
    ' a ',
    'a,b',
    '\u0000',
    '😀',
    '\ud800',
  ),
)

/** A value, or rarely `null`, because most codecs of strings and collections have no text for it. */
const orNull = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.option(value, { freq: 10 })

/** Dates that are encoded with a year of four digits. */
const anyDate = fc.date({ min: new Date(0), max: new Date(8e12), noInvalidDate: true })

const plain: fc.Arbitrary<Sample> = fc.constantFrom<Sample>(
  { codec: string, value: anyText },
  { codec: t.string, value: anyText },
  { codec: boolean, value: fc.boolean() },
  { codec: int, value: fc.integer() },
  { codec: number, value: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { codec: t.number, value: fc.oneof(fc.double(), fc.constantFrom(-0, NaN, Infinity)) },
  { codec: bigint, value: fc.bigInt() },
  { codec: uuid, value: fc.uuid() },
  { codec: hex, value: fc.nat() },
  { codec: plainDate, value: fc.constant(plainDate.decode('2020-01-01')).map(E.toUnion) },
  { codec: enumOf('a', 2, 'é/'), value: fc.constantFrom('a', 2, 'é/') },
  { codec: t.literal(5), value: fc.constant(5) },
  { codec: t.union([int, string]), value: fc.oneof(fc.integer(), anyText) },
  { codec: t.union([string, boolean]), value: fc.oneof(fc.boolean(), anyText) },
  { codec: nullable(int), value: fc.option(fc.integer()) },
  { codec: nullable(string), value: orNull(anyText) },
  { codec: nullish(date), value: fc.option(anyDate) },
  { codec: date, value: anyDate },
  { codec: encoded(string), value: anyText },
  { codec: t.refinement(string, (text) => text !== 'x'), value: anyText },
)

const wrappers: fc.Arbitrary<(sample: Sample) => Sample> = fc.constantFrom<
  (sample: Sample) => Sample
>(
  (sample) => sample,
  ({ codec, value }) => ({ codec: optional(codec), value: fc.option(value, { nil: undefined }) }),
  ({ codec, value }) => ({ codec: nullable(codec), value: orNull(value) }),
  ({ codec, value }) => ({ codec: withDefault(nullable(codec), null), value: fc.option(value) }),
  ({ codec, value }) => ({
    codec: withDefault(codec, fc.sample(value, { seed: 1, numRuns: 1 })[0]),
    value,
  }),
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: attempt(codec), value: value.map(E.right) }),
)

const collections: fc.Arbitrary<(sample: Sample) => Sample> = fc.constantFrom<
  (sample: Sample) => Sample
>(
  ({ codec, value }) => ({ codec: list(codec), value: fc.array(value, { maxLength: 4 }) }),
  ({ codec, value }) => ({
    codec: set(codec),
    value: fc.array(value, { maxLength: 4 }).map((values) => new Set(values)),
  }),
  ({ codec, value }) => ({
    codec: separated(',')(list(codec)),
    value: fc.array(value, { maxLength: 4 }),
  }),
  ({ codec, value }) => ({
    codec: separated(', ')(list(codec)),
    value: fc.array(value, { maxLength: 4 }),
  }),
)

const applyTo = ([wrap, sample]: readonly [(sample: Sample) => Sample, Sample]): Sample =>
  wrap(sample)

/** Codecs that encode a value as one text. */
export const single: fc.Arbitrary<Sample> = fc.tuple(wrappers, plain).map(applyTo)

/** Codecs that encode a value as one or several texts. */
export const parameter: fc.Arbitrary<Sample> = fc.oneof(
  single,
  fc.tuple(wrappers, fc.tuple(collections, plain).map(applyTo)).map(applyTo),
)

/** Codecs of path variables. */
export const variable: fc.Arbitrary<Sample> = fc.oneof(
  plain,
  plain.map(({ codec, value }) => ({
    codec: segments(codec),
    value: fc.array(value, { maxLength: 3 }),
  })),
)

/** Whether a value is an empty collection that is decoded as a missing one, because it has no text. */
export const isDecodedAsMissing = (value: unknown, codec: t.Mixed): boolean =>
  ((Array.isArray(value) && value.length === 0) || (value instanceof Set && value.size === 0)) &&
  difference(codec.decode(undefined), E.right(undefined), 'it') === undefined
