import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Fault } from '../../src/http/failure.ts'
import { between, int, list, optional, withDefault } from '../../src/index.ts'
import * as Faults from '../../src/interpreter/fault.ts'
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
      ['what is missing is required', int, undefined, 'is required: int'],
      ['what is wrong has to be otherwise', int, 'x', 'has to be: int'],
      ['a bound is named', between(1, 9)(int), '10', 'has to be: int from 1 to 9'],
      ['alternatives are joined', t.union([t.number, t.null]), 'x', 'has to be: number or null'],
      ['the same is said once', t.union([t.number, t.number]), 'x', 'has to be: number'],
      ['that it may be missing is not said', optional(int), 'x', 'has to be: int'],
      ['nor that it has a default', withDefault(int, 1), 'x', 'has to be: int'],
      ['a list has one fault', list(int), ['x', 'y', '1'], 'has to be: int'],
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
      assert.equal(Faults.ofParameter(place, errors(codec, input)), { ...place, detail }),
  )
})

const fault = (pointer: string, detail: string): Fault => ({ in: 'body', pointer, detail })

describe('ofBody', (test) => {
  const Book = t.type({ title: t.string, pages: t.number })
  table<readonly [string, t.Mixed, unknown, ReadonlyArray<Fault>]>(
    test,
    [
      ['the whole', t.string, 1, [fault('#', 'has to be: string')]],
      [
        'members, in the order of the codec',
        Book,
        { pages: 'x' },
        [fault('#/title', 'is required: string'), fault('#/pages', 'has to be: number')],
      ],
      [
        'positions in arrays',
        t.array(Book),
        [
          { title: 'a', pages: 1 },
          { title: 2, pages: 3 },
        ],
        [fault('#/1/title', 'has to be: string')],
      ],
      [
        'names with characters of the pointer', // RFC 6901, 3 and 6
        t.type({ 'a/b~c d': t.string }),
        { 'a/b~c d': 1 },
        [fault('#/a~1b~0c%20d', 'has to be: string')],
      ],
      [
        'a union in one place',
        t.type({ a: t.union([t.string, t.number]) }),
        { a: true },
        [fault('#/a', 'has to be: string or number')],
      ],
      [
        'what may be missing and is wrong',
        t.type({ a: t.union([t.string, t.undefined]) }),
        { a: 1 },
        [fault('#/a', 'has to be: string')],
      ],
      [
        'members of an intersection without its positions',
        t.intersection([t.type({ a: t.string }), t.type({ b: t.type({ c: t.string }) })]),
        { b: {} },
        [fault('#/a', 'is required: string'), fault('#/b/c', 'is required: string')],
      ],
      [
        'alternatives of a union, each by its members',
        t.union([t.type({ a: t.string }), t.type({ b: t.string })]),
        {},
        [fault('#/a', 'is required: string'), fault('#/b', 'is required: string')],
      ],
    ],
    (_, codec, input, expected) => assert.equal(Faults.ofBody(errors(codec, input)), expected),
  )

  test('there is an end to them', () => {
    const many = Array.from({ length: 5000 }, () => 'x')
    assert.is(Faults.ofBody(errors(t.array(t.number), many)).length, 1000)
  })
  law(
    test,
    'the refused value is not repeated',
    fc.array(fc.oneof(fc.constant('hunter2'), fc.constant({ title: ['hunter2'] }), fc.nat()), {
      minLength: 1,
    }),
    (input) => {
      const told = JSON.stringify([
        Faults.ofBody(errors(t.array(Book), input)),
        Faults.ofParameter({ in: 'form', name: 'p' }, errors(list(int), input)),
      ])
      assert.not.match(told, 'hunter2')
      assert.match(told, /"#\/0[/"]/)
    },
  )
})
