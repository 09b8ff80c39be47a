import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Constraint } from '../../src/codec/constraint.ts'
import {
  atLeast,
  atMost,
  between,
  isConstrained,
  lengthBetween,
  matching,
} from '../../src/codec/constraint.ts'
import { fromString } from '../../src/codec/from-string.ts'
import { interpretedBackEnd } from '../../src/codec/generated/interpreted/interpreted-back-end.ts'
import { compileCodec } from '../../src/codec/generated/compiled-codec.ts'
import { fastestBackEnd } from '../../src/codec/generated/select-back-end.ts'
import { enumOf, int, number, string } from '../../src/codec/scalar.ts'
import { computed } from '../support/process-cpu-time.ts'
import { describe, law, table } from '../support/describe.ts'
import { hex } from '../support/sample.ts'

const rows: ReadonlyArray<
  [name: string, codec: t.Mixed, accepted: ReadonlyArray<unknown>, refused: ReadonlyArray<unknown>]
> = [
  ['int from 1 to 9', between(1, 9)(int), [1, 5, 9], [0, 10, 1.5, '5', undefined]],
  ['number from 0.5 to 0.5', between(0.5, 0.5)(number), [0.5], [0.4, 0.6, Number.NaN]],
  ['int of at least 1', atLeast(1)(int), [1, 2 ** 40], [0, -1]],
  ['int of at most 1', atMost(1)(int), [1, -1], [2, Infinity]],
  [
    'string of 1 to 2 characters',
    lengthBetween(1, 2)(string),
    ['a', 'ab', '\u{1f600}'],
    ['', 'abc', 'a\u{1f600}'],
  ], // UTF-16 code units
  ['string like ^a+$', matching(/^a+$/)(string), ['a', 'aa'], ['', 'b', 'ab', 'A']],
  ['string like a', matching(/a/i)(string), ['bab', 'A'], ['b']], // anywhere
  ['hex from 1 to 9', between(1, 9)(hex), ['1', '9'], ['0', 'f', '?']], // the value is constrained, not the text
  ['int of at least 1 of at most 3', atMost(3)(atLeast(1)(int)), [1, 3], [0, 4]],
]

describe('constraints', (test) => {
  table(test, rows, (name, codec, accepted, refused) => {
    assert.is(codec.name, name)
    for (const value of accepted) assert.ok(E.isRight(codec.decode(value)), String(value))
    for (const value of refused) assert.ok(E.isLeft(codec.decode(value)), String(value))
  })
  table(
    test,
    [
      [{ minimum: 1, maximum: 9 }, between(1, 9)(int)],
      [{ minimum: 1 }, atLeast(1)(int)],
      [{ maximum: 1 }, atMost(1)(int)],
      [{ minLength: 1, maxLength: 2 }, lengthBetween(1, 2)(string)],
      [{ pattern: '^a+$' }, matching(/^a+$/g)(string)],
    ] as ReadonlyArray<[Constraint, { readonly constraint: Constraint }]>,
    (keywords, codec) => assert.equal(codec.constraint, keywords),
  )
  test('one error, of the value that came, under the name of the constraint', () => {
    const result = between(1, 9)(hex).decode('f')
    assert.equal(
      E.isLeft(result) &&
        result.left.map(({ value, context }) => [value, context.at(-1)?.type.name]),
      [['f', 'hex from 1 to 9']],
    )
  })
  law(test, 'is what it reads', fc.anything(), (value) => {
    const codec = between(1, 9)(int)
    assert.is(codec.is(value), E.isRight(codec.decode(value)))
  })
})

describe('matching', (test) => {
  for (const flags of ['g', 'y', 'gy'])
    test(`has no memory with the flags ${flags}`, () => {
      const codec = matching(new RegExp('^a', flags))(string)
      for (const _ of [1, 2, 3]) assert.ok(codec.is('aa'))
    })
  test('searches everywhere in spite of the flag y', () =>
    assert.ok(matching(/b/y)(string).is('ab')))
  table(
    test,
    [
      ['^(a+)+$', true],
      ['^([\\w-]+.?)+@', true],
      ['^\\w+@\\w+$', false],
      ['^[^@]+@[^@]+$', false],
      ['^[^@]+@[^@]+[.][^@]+$', true], // the square of the length
      ['^\\d+\\d+\\d+x$', true],
      ['\\s+$', true], // tried from every position
      ['(\\-+)+x', true], // valid only without the flag u
      ['(a)\\1', false], // refers to a capture, which is no danger
      ['\\-', false], // only without the flag u
    ] as const,
    (source, isRefused) => {
      const make = () => matching(new RegExp(source))(string)
      if (isRefused) assert.throws(make, (error: unknown) => error instanceof TypeError)
      else make()
    },
  )
  test('writes as the codec does', () => {
    const upper = fromString(
      'upper',
      (text) => text.toUpperCase(),
      (value) => value.toLowerCase(),
    )
    assert.is(matching(/^[A-Z]+$/)(upper).encode('AB'), 'ab')
  })
})

const cubic = /^\d+\d+\d+x$/
const message = (make: () => unknown): string => {
  try {
    make()
  } catch (error) {
    return error instanceof TypeError ? error.message : ''
  }
  return 'accepted'
}

describe('matching, with a bounded length', (test) => {
  const anyDigits = t.keyof({ '1x': null, '12x': null })
  table<readonly [string, t.Mixed, boolean]>(
    test,
    [
      ['no bound', string, false],
      ['a bound that is too high', lengthBetween(0, 1000)(string), false],
      ['no upper bound', lengthBetween(10, Infinity)(string), false],
      ['a low bound', lengthBetween(0, 100)(string), true],
      ['a bound further inside', matching(/^\d/)(lengthBetween(1, 100)(string)), true],
      ['a brand of bounded texts', t.refinement(lengthBetween(0, 9)(string), () => true), true],
      ['one of a few texts', enumOf('1x', '12x'), true],
      ['a few keys', anyDigits, true],
      ['a literal', t.literal('12x'), true],
      ['a union of bounded texts', t.union([t.literal('1x'), lengthBetween(0, 9)(string)]), true],
      ['a union with an unbounded text', t.union([t.literal('1x'), string]), false],
      [
        'an intersection with a bounded text',
        t.intersection([string, lengthBetween(0, 9)(string)]),
        true,
      ],
      ['an opaque codec', fromString('text', String, String, string.is), false],
    ],
    (_, codec, isAccepted) =>
      assert.is(
        message(() => matching(cubic)(codec as t.Type<string, unknown>)) === 'accepted',
        isAccepted,
      ),
  )
  test('a rejection says how to repair the expression', () => {
    const text = message(() => matching(cubic)(string))
    const [, most = ''] = /lengthBetween\(0, (\d+)\)/.exec(text) ?? []
    assert.match(text, /^\/\^\\d\+\\d\+\\d\+x\$\/: limit the length first/)
    assert.match(text, /make adjacent ones distinguishable/)
    assert.match(text, /power 3 of its length$/)
    assert.is(
      message(() => matching(cubic)(lengthBetween(0, Number(most))(string))),
      'accepted',
    )
    assert.is.not(
      message(() => matching(cubic)(lengthBetween(0, Number(most) + 1)(string))),
      'accepted',
    )
  })
  test('a bound around the constraint comes too late', () =>
    assert.throws(() => lengthBetween(0, 100)(matching(cubic)(string)), TypeError))
  const bounded = matching(cubic)(lengthBetween(0, 100)(string))
  const long = '1'.repeat(100_000)
  const altered = Object.assign(Object.create(bounded.type), {
    validate: string.validate,
    is: string.is,
  })
  table<readonly [string, (value: unknown) => boolean]>(
    test,
    [
      ['io-ts', (value) => E.isRight(bounded.decode(value))],
      ['is', bounded.is],
      [
        'generated source, where it is allowed',
        (value) => E.isRight(compileCodec(bounded, 'drop', fastestBackEnd()).decode(value)),
      ],
      [
        'closures',
        (value) => E.isRight(compileCodec(bounded, 'drop', interpretedBackEnd).decode(value)),
      ],
      [
        'a codec whose functions were replaced',
        (value) => E.isRight(matching(cubic)(altered).decode(value)),
      ],
    ],
    (_, accepts) => {
      const start = computed()
      assert.not(accepts(long))
      assert.ok(computed() - start < 100, 'a long text is matched')
      assert.ok(accepts('1234x'))
      assert.not(accepts('1234'))
    },
  )
})

describe('isConstrained', (test) => {
  test('tells our constraints from other refinements', () => {
    assert.ok(isConstrained(atLeast(1)(int)))
    assert.not(isConstrained(int))
  })
})
