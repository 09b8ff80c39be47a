import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ValidationError } from '../../src/http/failure.ts'
import { between, int, list, optional, withDefault } from '../../src/index.ts'
import { expectedTypes } from '../../src/codec/expected-types.ts'
import * as JsonPointer from '../../src/http/json-pointer.ts'
import * as Faults from '../../src/body/decode-errors.ts'
import { describe, law, table } from '../support/describe.ts'

const errors = (codec: t.Mixed, input: unknown): t.Errors => {
  const result = codec.decode(input)
  return E.isLeft(result) ? result.left : []
}

/** A codec that says by itself what is wrong. */
const spoken = (sentence: string): t.Type<string> =>
  new t.Type(
    'spoken',
    t.string.is,
    (input, context) =>
      input === 'well' ? t.success('well') : t.failure(input, context, sentence),
    t.identity,
  )

describe('ofParameter', (test) => {
  const place = { in: 'query', name: 'p' } as const
  table<readonly [string, t.Mixed, unknown, string]>(
    test,
    [
      ['what is missing is required', int, undefined, 'is required: an integer'],
      ['what is wrong has to be otherwise', int, 'x', 'must be an integer'],
      ['a bound is named', between(1, 9)(int), '10', 'must be an integer from 1 to 9'],
      ['alternatives are joined', t.union([t.number, t.null]), 'x', 'must be a number or null'],
      ['the same is said once', t.union([t.number, t.number]), 'x', 'must be a number'],
      ['that it may be missing is not said', optional(int), 'x', 'must be an integer'],
      ['nor that it has a default', withDefault(int, 1), 'x', 'must be an integer'],
      ['a list has one fault', list(int), ['x', 'y', '1'], 'must be an integer'],
      ['a sentence of the codec stands by itself', spoken('is not well'), 'x', 'is not well'],
      [
        'several sentences are told apart',
        t.union([spoken('is not well'), spoken('is bad')]),
        'x',
        'is not well; is bad',
      ],
      ['a sentence is enough', t.union([t.number, spoken('is not well')]), 'x', 'is not well'],
    ],
    (_, codec, input, detail) =>
      assert.equal(Faults.parameterErrors(place)(errors(codec, input)), { ...place, detail }),
  )
})

describe('ofParameter, asked again', (test) => {
  const ofErrors = Faults.parameterErrors({ in: 'query', name: 'p' })
  const detailOf = (codec: t.Mixed, input: unknown): string => ofErrors(errors(codec, input)).detail
  test('gives the same fault for what the same codec refuses', () => {
    assert.is(ofErrors(errors(int, 'x')), ofErrors(errors(int, 'y')))
    assert.is(ofErrors(errors(list(int), ['x'])), ofErrors(errors(int, 'x')))
  })
  test('tells codecs, what is missing, and sentences apart', () => {
    const told = [int, t.number, spoken('is bad'), spoken('is worse')].flatMap((codec) => [
      detailOf(codec, 'x'),
      detailOf(codec, undefined),
    ])
    assert.equal(told, [
      'must be an integer',
      'is required: an integer',
      'must be a number',
      'is required: a number',
      'is bad',
      'is bad',
      'is worse',
      'is worse',
    ])
  })
  test('keeps few of many', () => {
    for (let n = 0; n < 40; n++) {
      const codec = new t.Type(`${n}`, t.string.is, t.failure, t.identity)
      assert.is(detailOf(codec, 'x'), `must be ${n}`)
    }
    const late = new t.Type('late', t.string.is, t.failure, t.identity)
    assert.is.not(ofErrors(errors(late, 'x')), ofErrors(errors(late, 'x')))
  })
})

const fault = (pointer: string, detail: string): ValidationError => ({
  in: 'body',
  pointer,
  detail,
})

describe('ofBody', (test) => {
  const Book = t.type({ title: t.string, pages: t.number })
  table<readonly [string, t.Mixed, unknown, ReadonlyArray<ValidationError>]>(
    test,
    [
      ['the whole', t.string, 1, [fault('#', 'must be a string')]],
      [
        'members, in the order of the codec',
        Book,
        { pages: 'x' },
        [fault('#/title', 'is required: a string'), fault('#/pages', 'must be a number')],
      ],
      [
        'positions in arrays',
        t.array(Book),
        [
          { title: 'a', pages: 1 },
          { title: 2, pages: 3 },
        ],
        [fault('#/1/title', 'must be a string')],
      ],
      [
        'names with characters of the pointer', // RFC 6901, 3 and 6
        t.type({ 'a/b~c d': t.string }),
        { 'a/b~c d': 1 },
        [fault('#/a~1b~0c%20d', 'must be a string')],
      ],
      [
        'a union in one place',
        t.type({ a: t.union([t.string, t.number]) }),
        { a: true },
        [fault('#/a', 'must be a string or a number')],
      ],
      [
        'what may be missing and is wrong',
        t.type({ a: t.union([t.string, t.undefined]) }),
        { a: 1 },
        [fault('#/a', 'must be a string')],
      ],
      [
        'members of an intersection without its positions',
        t.intersection([t.type({ a: t.string }), t.type({ b: t.type({ c: t.string }) })]),
        { b: {} },
        [fault('#/a', 'is required: a string'), fault('#/b/c', 'is required: a string')],
      ],
      [
        'alternatives of a union, each by its members',
        t.union([t.type({ a: t.string }), t.type({ b: t.string })]),
        {},
        [fault('#/a', 'is required: a string'), fault('#/b', 'is required: a string')],
      ],
    ],
    (_, codec, input, expected) => assert.equal(Faults.bodyErrors(errors(codec, input)), expected),
  )

  test('there is an end to them', () => {
    const many = Array.from({ length: 5000 }, () => 'x')
    assert.is(Faults.bodyErrors(errors(t.array(t.number), many)).length, 1000)
  })
  law(
    test,
    'the refused value is not repeated',
    fc.array(fc.oneof(fc.constant('hunter2'), fc.constant({ title: ['hunter2'] }), fc.nat()), {
      minLength: 1,
    }),
    (input) => {
      const told = JSON.stringify([
        Faults.bodyErrors(errors(t.array(Book), input)),
        Faults.parameterErrors({ in: 'form', name: 'p' })(errors(list(int), input)),
      ])
      assert.not.match(told, 'hunter2')
      assert.match(told, /"#\/0[/"]/)
    },
  )
})

const notesPositions = new Set<t.Mixed>([
  t.union([t.string, t.number]),
  t.intersection([t.type({ a: t.string }), t.type({ b: t.string })]),
])
const keys = ['a', 'b', '', '0', '1:a', 'a/b', '~', '\ud800', '\ufffd'] as const
const entry = fc.record(
  {
    key: fc.constantFrom(...keys),
    type: fc.constantFrom<t.Mixed>(
      t.string,
      t.number,
      t.undefined,
      t.array(t.string),
      ...notesPositions,
    ),
  },
  { noNullPrototype: true },
)
const anyErrors: fc.Arbitrary<t.Errors> = fc
  .array(
    fc.record(
      {
        context: fc.array(entry, { maxLength: 4 }),
        value: fc.constantFrom(undefined, 'x'),
        message: fc.constantFrom(undefined, undefined, 'is not well', 'is bad', ''),
      },
      { noNullPrototype: true },
    ),
    { maxLength: 6 },
  )
  .map((all) =>
    all.map(({ message, ...rest }) => (message === undefined ? rest : { ...rest, message })),
  )

/** The keys that are no positions, by the book. */
const pathOf = (context: t.Context): ReadonlyArray<string> =>
  context.flatMap(({ key }, index) => {
    const parent = index === 0 ? undefined : context[index - 1]?.type
    return [...notesPositions, undefined].some((one) => one === parent) ? [] : [key]
  })

/** Places in the order of their first errors, with all their errors, however far apart. */
const placesOf = (all: t.Errors): ReadonlyArray<t.Errors> => {
  const paths = all.map(({ context }) => JSON.stringify(pathOf(context)))
  return [...new Set(paths)].map((path) => all.filter((_, index) => paths[index] === path))
}

/** Sentences by themselves, or the names; what is missing has no value in the last error of any place. */
const words = (places: ReadonlyArray<t.Errors>): string => {
  const all = places.flat()
  const sentences = all.flatMap(({ message }) => (message === undefined ? [] : [message]))
  if (sentences.length > 0) return [...new Set(sentences)].join('; ')
  const names = all.map(({ context }) => context.at(-1)?.type.name ?? '')
  const isMissing = places.every((here) => here.at(-1)?.value === undefined)
  return expectedTypes(names, isMissing)
}

describe('Faults', (test) => {
  law(test, 'a parameter gathers what all its errors say', anyErrors, (all) =>
    assert.equal(Faults.parameterErrors({ in: 'path', name: 'p' })([...all]), {
      in: 'path',
      name: 'p',
      detail: words(placesOf(all)),
    }),
  )
  law(test, 'a body gathers them by place', anyErrors, (all) =>
    assert.equal(
      Faults.bodyErrors([...all]),
      placesOf(all).map((here) =>
        fault(JsonPointer.format(pathOf(here[0]?.context ?? [])), words([here])),
      ),
    ),
  )
})
