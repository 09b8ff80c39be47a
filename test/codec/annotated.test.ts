import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  annotate,
  described,
  isAnnotated,
  named,
  withoutAnnotations,
} from '../../src/codec/annotated.ts'
import type { Codec } from '../../src/codec/codec.ts'
import { isCollection, list, separated, set, sortedSet } from '../../src/codec/collection.ts'
import { atLeast, pattern } from '../../src/codec/constraint.ts'
import { bigint, decimal } from '../../src/codec/decimal.ts'
import { eventDataFormat } from '../../src/codec/event-data.ts'
import { compileCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../src/codec/compiled/interpreted-back-end.ts'
import { exactNumbers } from '../../src/codec/json/lossless.ts'
import { nullable, optional, withDefault } from '../../src/codec/optional.ts'
import { combined, encoded } from '../../src/codec/structure/parameter-codecs.ts'
import { parameterShape } from '../../src/codec/schema/parameter-shape.ts'
import { enumOf, int, uuid } from '../../src/codec/scalar.ts'
import { strict } from '../../src/codec/strict.ts'
import { isSingleValue } from '../../src/codec/codec-structure.ts'
import { textValues } from '../../src/endpoint/tree/text-values.ts'
import { plainDate } from '../../src/codec/temporal/date-time.ts'
import { secureField } from '../../src/codec/structure/restricted-member.ts'
import { restrictedMembers } from '../../src/codec/visibility/restrictions.ts'
import { unrestricted } from '../../src/codec/unrestricted.ts'
import { fullVisibility, partialView } from '../../src/codec/visibility/visibility.ts'
import { membersOf, shapeOf } from '../../src/compiler/links/entity.ts'
import { readSchema } from '../../src/codec/schema/read-schema.ts'
import { deriveSchema } from '../../src/xml/mapping/derive-schema.ts'
import { withFallback } from '../support/unusual-codecs.ts'
import { describe, law, table } from '../support/describe.ts'
import { assertSame } from '../support/same-value.ts'
import { backEnds } from './back-ends.ts'

/** Builds a codec. `note` is applied to each codec that it contains, and either adds annotations or returns the codec. */
type Build = (note: (codec: t.Mixed) => t.Mixed) => t.Mixed

const leaves: ReadonlyArray<t.Mixed> = [
  t.string,
  t.number,
  t.boolean,
  t.null,
  t.unknown,
  t.UnknownRecord,
  t.keyof({ a: null, b: null }),
  t.literal('a'),
  t.literal(1),
  int,
  t.Int,
  uuid,
  bigint,
  decimal,
  plainDate,
  enumOf('a', 1),
  atLeast(1)(int),
  pattern(/^a/)(t.string),
  t.undefined,
]

/** Codecs that contain one other codec. */
const wrappers: ReadonlyArray<(codec: t.Mixed) => t.Mixed> = [
  optional,
  nullable,
  strict,
  list,
  set,
  sortedSet,
  encoded,
  combined,
  (codec) => separated(',')(list(codec)),
  (codec) => withDefault(codec, 'default'),
  (codec) => t.readonly(codec),
  (codec) => t.array(codec),
  (codec) => t.refinement(codec, (value) => value !== 'b'),
  (codec) => t.record(t.string, codec),
  (codec) => t.tuple([codec]),
  (codec) => withFallback(codec, 'fallback'),
]

const builds: fc.Arbitrary<Build> = fc.letrec<{ readonly build: Build }>((tie) => ({
  build: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...leaves).map(
      (codec): Build =>
        (note) =>
          note(codec),
    ),
    fc.tuple(fc.constantFrom(...wrappers), tie('build')).map(
      ([wrap, inner]): Build =>
        (note) =>
          note(wrap(inner(note))),
    ),
    fc.tuple(fc.nat(), tie('build'), tie('build')).map(
      ([choice, first, second]): Build =>
        (note) =>
          combine(note, choice, first(note), second(note)),
    ),
  ),
})).build

/** Codecs that combine two other codecs. */
const combinations = (
  note: (codec: t.Mixed) => t.Mixed,
): ReadonlyArray<(a: t.Mixed, b: t.Mixed) => t.Mixed> => [
  (a, b) => t.type({ a, b }),
  (a, b) => t.partial({ a, b }),
  (a, b) => t.exact(t.type({ a, b })),
  (a, b) => t.union([a, b]),
  (a, b) => t.intersection([t.type({ a }), note(t.partial({ b }))]),
  (a, b) => t.type({ a: note(secureField('chief')(a)), b }),
  (a, b) => t.record(note(t.keyof({ a: null, b: null })), t.union([a, b])),
  (a, b) =>
    t.union([
      note(t.type({ kind: note(t.literal('a')), a })),
      note(t.strict({ kind: note(t.literal('b')), b })),
    ]),
  (a, b) => {
    const tree: t.Mixed = t.recursion('Tree', () =>
      note(t.type({ a, b, of: note(list(note(tree))) })),
    )
    return tree
  },
]

const combine = (
  note: (codec: t.Mixed) => t.Mixed,
  choice: number,
  a: t.Mixed,
  b: t.Mixed,
): t.Mixed => {
  const all = combinations(note)
  const combination = all[choice % all.length]
  return note(combination === undefined ? a : combination(a, b))
}

const input: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(0, 1, 1.5, 'a', 'b', 'a,b', '1', '2024-01-31', true, null, undefined),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'of', 'z'), tie('value'), { noNullPrototype: true }),
    fc.record(
      { kind: fc.constantFrom('a', 'b', 'z'), a: tie('value'), b: tie('value') },
      { noNullPrototype: true },
    ),
  ),
})).value

const notes: fc.Arbitrary<ReadonlyArray<number>> = fc.array(fc.nat(3), {
  minLength: 1,
  maxLength: 20,
})

/** Returns a function that annotates codecs according to a list of choices. */
const annotator = (choices: ReadonlyArray<number>): ((codec: t.Mixed) => t.Mixed) => {
  let at = 0
  return (codec) => {
    switch (choices[at++ % choices.length]) {
      case 0:
        return codec
      case 1:
        return described('text')(codec)
      case 2:
        return named('Name')(codec)
      default:
        return described('text')(named('Name')(codec))
    }
  }
}

const resultOf = (run: () => unknown): unknown => {
  try {
    return { returned: run() }
  } catch (error) {
    return { threw: String(error) }
  }
}

/** Converts errors to plain values with the names of their types. */
const decoded = (result: t.Validation<unknown>): unknown =>
  E.isRight(result)
    ? result
    : result.left.map(({ value, message, context }) => ({
        value,
        message,
        context: context.map(({ key, type, actual }) => ({ key, type: type.name, actual })),
      }))

type Functions = Pick<Codec, 'decode' | 'encode'> & { readonly is: (value: unknown) => boolean }

const behaviour = (codec: Functions, value: unknown): unknown => ({
  decode: resultOf(() => decoded(codec.decode(value))),
  encode: resultOf(() => codec.encode(value)),
  encodeDecoded: resultOf(() => E.map(codec.encode)(codec.decode(value))),
  is: resultOf(() => codec.is(value)),
})

/** Returns everything that the package derives from a codec and that does not depend on annotations. */
const properties = (codec: t.Mixed, value: unknown): unknown => ({
  itself: behaviour(codec, value),
  drop: behaviour(compileCodec(codec, 'drop', interpretedBackEnd), value),
  reject: behaviour(compileCodec(codec, 'reject', interpretedBackEnd), value),
  compiled: backEnds.map(([, backEnd]) => behaviour(compileCodec(codec, 'drop', backEnd), value)),
  lossless: behaviour(
    compileCodec(codec, 'drop', interpretedBackEnd, fullVisibility, exactNumbers),
    value,
  ),
  unrestricted: behaviour(unrestricted<Codec>(codec), value),
  partial: behaviour(compileCodec(codec, 'drop', interpretedBackEnd, partialView), value),
  shape: resultOf(() => {
    const { convert, ...shape } = parameterShape(codec)
    return { ...shape, texts: ['', 'a', '1', '1.0', 'true', 'null'].map(convert) }
  }),
  isCollection: resultOf(() => isCollection(codec)),
  isSingleValue: resultOf(() => isSingleValue(codec)),
  textValues: resultOf(() => textValues(codec)),
  eventData: resultOf(() => eventDataFormat(codec)),
  restricted: resultOf(() => restrictedMembers(codec).map(([path]) => path)),
  xml: resultOf(() => {
    const { root, errors, models } = deriveSchema(readSchema(codec, 'drop'))
    return { name: root.name, errors, models: models.length }
  }),
  entity: resultOf(() => {
    const { entity, isCollection: isMultiple } = shapeOf(codec) ?? {}
    return [isMultiple, entity === undefined ? [] : [...(membersOf(entity)?.keys() ?? [])]]
  }),
  tag: 'tag' in codec ? codec.tag : undefined,
})

describe('annotations', (test) => {
  law(
    test,
    'do not change behaviour',
    fc.tuple(builds, notes, fc.array(input, { minLength: 1, maxLength: 5 })),
    ([build, choices, inputs]) => {
      const [original, annotated] = [build((codec) => codec), build(annotator(choices))]
      for (const value of inputs)
        assertSame(properties(annotated, value), properties(original, value))
    },
  )
  test('keep the tags of a tagged union', () => {
    const Shape = t.union([
      described('A circle.')(
        t.type({ kind: described('The kind.')(t.literal('circle')), radius: int }),
      ),
      named('Square')(t.type({ kind: t.literal('square'), side: int })),
    ])
    assert.is('tag' in Shape && Shape.tag, 'kind')
    const result = Shape.decode({ kind: 'circle', radius: 'x' })
    assert.is(E.isLeft(result) && result.left.length, 1)
  })
  test('keep the members that a codec declares', () =>
    assert.equal(Object.keys(described('A book.')(t.type({ title: t.string })).props), ['title']))
  test('keep the entity that links describe', () => {
    const Book = t.type({ id: int }, 'Book')
    for (const codec of [
      described('A book.')(Book),
      list(named('Novel')(Book)),
      optional(described('')(strict(Book))),
    ])
      assert.is(shapeOf(codec)?.entity, Book)
  })
  test('can be nested, outermost first', () => {
    const codec = described('text')(named('Name')(t.string))
    assert.ok(isAnnotated(codec) && isAnnotated(codec.annotatedCodec))
    assert.equal(codec.annotations, { description: 'text' })
    assert.equal(codec.annotatedCodec.annotations, { name: 'Name' })
    assert.not(isAnnotated(t.string))
  })
})

describe('withoutAnnotations', (test) => {
  const replaced = withFallback(named('Name')(t.string), 'a')
  table(
    test,
    [
      ['a codec without annotations', t.string, t.string],
      ['nested annotations', described('text')(annotate({})(t.string)), t.string],
      ['an annotated codec whose functions were replaced', replaced, replaced],
    ] as const,
    (_, codec, expected) => assert.is(withoutAnnotations(codec), expected),
  )
})
