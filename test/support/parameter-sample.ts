/** Arbitrary codecs of parameters, each with arbitrary values of it, most of which some text stands for. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  attempt,
  bigint,
  boolean,
  encoded,
  enumOf,
  int,
  list,
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
import { difference } from './same-value.ts'
import type { Sample } from './sample.ts'
import { hex } from './sample.ts'

/** Texts with everything that has a meaning somewhere in a request, and with what has none. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
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
  { codec: t.union([int, t.null]), value: fc.option(fc.integer()) },
  { codec: encoded(string), value: anyText },
  { codec: t.refinement(string, (text) => text !== 'x'), value: anyText },
)

const wrapped: fc.Arbitrary<(sample: Sample) => Sample> = fc.constantFrom<
  (sample: Sample) => Sample
>(
  (one) => one,
  ({ codec, value }) => ({ codec: optional(codec), value: fc.option(value, { nil: undefined }) }),
  ({ codec, value }) => ({ codec: withDefault(codec, 0), value }),
  ({ codec, value }) => ({ codec: t.readonly(codec), value }),
  ({ codec, value }) => ({ codec: attempt(codec), value: value.map(E.right) }),
)

const collected: fc.Arbitrary<(sample: Sample) => Sample> = fc.constantFrom<
  (sample: Sample) => Sample
>(
  ({ codec, value }) => ({ codec: list(codec), value: fc.array(value, { maxLength: 4 }) }),
  ({ codec, value }) => ({
    codec: set(codec),
    value: fc.array(value, { maxLength: 4 }).map((all) => new Set(all)),
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

const put = ([around, sample]: readonly [(sample: Sample) => Sample, Sample]): Sample =>
  around(sample)

/** Of one text. */
export const single: fc.Arbitrary<Sample> = fc.tuple(wrapped, plain).map(put)

/** Of one text or several. */
export const parameter: fc.Arbitrary<Sample> = fc.oneof(
  single,
  fc.tuple(wrapped, fc.tuple(collected, plain).map(put)).map(put),
)

/** Of a variable in a path. */
export const variable: fc.Arbitrary<Sample> = fc.oneof(
  plain,
  plain.map(({ codec, value }) => ({
    codec: segments(codec),
    value: fc.array(value, { maxLength: 3 }),
  })),
)

/** An empty collection that may be missing is not told from a missing one: neither has a text. */
export const isNothing = (value: unknown, codec: t.Mixed): boolean =>
  ((Array.isArray(value) && value.length === 0) || (value instanceof Set && value.size === 0)) &&
  difference(codec.decode(undefined), E.right(undefined), 'it') === undefined
