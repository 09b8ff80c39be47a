import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Constraint } from '../../src/codec/constraint.ts'
import {
  atLeast,
  atMost,
  between,
  constrained,
  isConstrained,
  length,
  maxLength,
  minLength,
  pattern,
} from '../../src/codec/constraint.ts'
import { bigint, decimal } from '../../src/codec/decimal.ts'
import { fromString } from '../../src/codec/from-string.ts'
import { interpretedBackEnd } from '../../src/codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { fastestBackEnd } from '../../src/codec/compiled/select-back-end.ts'
import { enumOf, int, number, string } from '../../src/codec/scalar.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, law, table } from '../support/describe.ts'
import { hex } from '../support/sample.ts'
import { character } from '../support/unicode-string.ts'

const rows: ReadonlyArray<
  [name: string, codec: t.Mixed, accepted: ReadonlyArray<unknown>, rejected: ReadonlyArray<unknown>]
> = [
  ['int from 1 to 9', between(1, 9)(int), [1, 5, 9], [0, 10, 1.5, '5', undefined]],
  ['number from 0.5 to 0.5', between(0.5, 0.5)(number), [0.5], [0.4, 0.6, Number.NaN]],
  ['int that is at least 1', atLeast(1)(int), [1, 2 ** 40], [0, -1]],
  ['int that is at most 1', atMost(1)(int), [1, -1], [2, Infinity]],
  [
    'string with 1 to 2 characters',
    length(1, 2)(string),
    ['a', 'ab', '\u{1f600}', 'a\u{1f600}'],
    ['', 'abc', 'ab\u{1f600}'],
  ], // code points
  [
    'string with at least 2 characters',
    minLength(2)(string),
    ['ab', '\u{1f600}a'],
    ['', 'a', '\u{1f600}'],
  ],
  [
    'string with at most 1 character',
    maxLength(1)(string),
    ['', 'a', '\u{1f600}'],
    ['ab', '\u{1f600}a'],
  ],
  ['string matching ^a+$', pattern(/^a+$/)(string), ['a', 'aa'], ['', 'b', 'ab', 'A']],
  ['string matching a', pattern(/a/i)(string), ['bab', 'A'], ['b']], // anywhere
  ['hex from 1 to 9', between(1, 9)(hex), ['1', '9'], ['0', 'f', '?']], // the value is constrained, not the text
  ['decimal that is at least 0', atLeast(0)(decimal), ['0.00', '1e9'], ['-0.01', '-1e-9999', 0]],
  ['decimal that is at most 0.1', atMost(0.1)(decimal), ['0.10', '-1e9999'], ['0.1000000001']],
  [
    'decimal from -1.5 to 1e+21',
    between(-1.5, 1e21)(decimal),
    ['-1.50', '1e21'],
    ['-1.51', '2e21'],
  ],
  ['decimal that is at most Infinity', atMost(Infinity)(decimal), ['1e9999'], ['a']],
  ['decimal that is at least Infinity', atLeast(Infinity)(decimal), [], ['1e9999', '-1e9999']],
  ['bigint from 0 to 9007199254740992', between(0, 2 ** 53)(bigint), ['0'], ['9007199254740993']],
  [
    'an even integer',
    constrained('an even integer', (n: number) => n % 2 === 0)(int),
    [2],
    [1, 0.5],
  ],
  ['int that is at least 1 and at most 3', atMost(3)(atLeast(1)(int)), [1, 3], [0, 4]],
]

describe('constraints', (test) => {
  table(test, rows, (name, codec, accepted, rejected) => {
    assert.is(codec.name, name)
    for (const value of accepted) assert.ok(E.isRight(codec.decode(value)), String(value))
    for (const value of rejected) assert.ok(E.isLeft(codec.decode(value)), String(value))
  })
  table(
    test,
    [
      [{ minimum: 1, maximum: 9 }, between(1, 9)(int)],
      [{ minimum: 1 }, atLeast(1)(int)],
      [{ maximum: 1 }, atMost(1)(int)],
      [{ minLength: 1, maxLength: 2 }, length(1, 2)(string)],
      [{ minLength: 2 }, minLength(2)(string)],
      [{ maxLength: 2 }, maxLength(2)(string)],
      [{}, constrained('a', (text: string) => text === 'a')(string)],
      [{ pattern: '^a+$', flags: '' }, pattern(/^a+$/g)(string)],
    ] as ReadonlyArray<[Constraint, { readonly constraint: Constraint }]>,
    (keywords, codec) => assert.equal(codec.constraint, keywords),
  )
  test('an invalid value results in one error with the value and the name of the constraint', () => {
    const result = between(1, 9)(hex).decode('f')
    assert.equal(
      E.isLeft(result) &&
        result.left.map(({ value, context }) => [value, context.at(-1)?.type.name]),
      [['f', 'hex from 1 to 9']],
    )
  })
  law(
    test,
    'lengths count code points',
    fc.tuple(fc.array(character, { maxLength: 8 }), fc.nat({ max: 4 }), fc.nat({ max: 8 })),
    ([characters, minimum, maximum]) => {
      const [text, points] = [characters.join(''), characters.length]
      if (minimum <= maximum)
        assert.is(length(minimum, maximum)(string).is(text), points >= minimum && points <= maximum)
      assert.is(minLength(minimum)(string).is(text), points >= minimum)
      assert.is(maxLength(maximum)(string).is(text), points <= maximum)
    },
  )
  test('bounds that no value meets are errors', () => {
    assert.throws(() => between(5, 1), /^between: invalid bounds 5 and 1: the first/)
    assert.throws(() => between(NaN, 1), RangeError)
    assert.throws(() => length(3, 2), /^length: invalid bounds 3 and 2: the first/)
    assert.not.throws(() => between(5, 5))
    assert.not.throws(() => length(0, Infinity))
  })
  test('a surrogate without a pair counts as one character', () => {
    assert.ok(length(2, 2)(string).is('\udc00\ud800'))
    assert.ok(length(1, 1)(string).is('\ud83c\udf50'))
  })
  law(test, 'is agrees with decode', fc.anything(), (value) => {
    const codec = between(1, 9)(int)
    assert.is(codec.is(value), E.isRight(codec.decode(value)))
  })
})

describe('pattern', (test) => {
  for (const flags of ['g', 'y', 'gy'])
    test(`ignores the state of an expression with the flags ${flags}`, () => {
      const codec = pattern(new RegExp('^a', flags))(string)
      for (const _ of [1, 2, 3]) assert.ok(codec.is('aa'))
    })
  test('searches the whole text despite the flag y', () =>
    assert.ok(pattern(/b/y)(string).is('ab')))
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
      ['(a)\\1', false], // a backreference
      ['\\-', false], // only without the flag u
    ] as const,
    (source, isRejected) => {
      const create = () => pattern(new RegExp(source))(string)
      if (isRejected) assert.throws(create, (error: unknown) => error instanceof TypeError)
      else create()
    },
  )
  test('encodes like the inner codec', () => {
    const upper = fromString(
      'upper',
      (text) => text.toUpperCase(),
      (value) => value.toLowerCase(),
    )
    assert.is(pattern(/^[A-Z]+$/)(upper).encode('AB'), 'ab')
  })
})

const cubic = /^\d+\d+\d+x$/
const errorMessage = (create: () => unknown): string => {
  try {
    create()
  } catch (error) {
    return error instanceof TypeError ? error.message : ''
  }
  return 'accepted'
}

describe('pattern with a limited length', (test) => {
  const anyDigits = t.keyof({ '1x': null, '12x': null })
  table<readonly [string, t.Mixed, boolean]>(
    test,
    [
      ['no limit', string, false],
      ['a limit that is too high', length(0, 1000)(string), false],
      ['a minimum and no maximum', length(10, Infinity)(string), false],
      ['a low limit', maxLength(80)(string), true],
      ['only a minimum', minLength(10)(string), false],
      ['a limit of an inner codec', pattern(/^\d/)(length(1, 80)(string)), true],
      ['a brand of limited texts', t.refinement(length(0, 9)(string), () => true), true],
      ['an enum of texts', enumOf('1x', '12x'), true],
      ['a keyof codec', anyDigits, true],
      ['a literal', t.literal('12x'), true],
      ['a union of limited texts', t.union([t.literal('1x'), length(0, 9)(string)]), true],
      ['a union with an unlimited text', t.union([t.literal('1x'), string]), false],
      ['an intersection with a limited text', t.intersection([string, length(0, 9)(string)]), true],
      ['an opaque codec', fromString('text', String, String, string.is), false],
    ],
    (_, codec, isAccepted) =>
      assert.is(
        errorMessage(() => pattern(cubic)(codec as t.Type<string, unknown>)) === 'accepted',
        isAccepted,
      ),
  )
  test('the error message contains a remedy', () => {
    const text = errorMessage(() => pattern(cubic)(string))
    const [, maximum = ''] = /maxLength\((\d+)\)/.exec(text) ?? []
    assert.match(text, /^\/\^\\d\+\\d\+\\d\+x\$\/: limit the length first/)
    assert.match(text, /adjacent quantifiers cannot match the same text/)
    assert.match(text, /to the power of 3$/)
    assert.is(
      errorMessage(() => pattern(cubic)(length(0, Number(maximum))(string))),
      'accepted',
    )
    assert.is.not(
      errorMessage(() => pattern(cubic)(length(0, Number(maximum) + 1)(string))),
      'accepted',
    )
  })
  test('a limit that wraps the constraint is ignored', () =>
    assert.throws(() => length(0, 80)(pattern(cubic)(string)), TypeError))
  const bounded = pattern(cubic)(length(0, 80)(string))
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
        'the fastest back end',
        (value) => E.isRight(compileCodec(bounded, 'drop', fastestBackEnd()).decode(value)),
      ],
      [
        'the interpreted back end',
        (value) => E.isRight(compileCodec(bounded, 'drop', interpretedBackEnd).decode(value)),
      ],
      [
        'a codec with replaced functions',
        (value) => E.isRight(pattern(cubic)(altered).decode(value)),
      ],
    ],
    (_, accepts) => {
      const start = cpuTime()
      assert.not(accepts(long))
      assert.ok(cpuTime() - start < 100, 'the long text was matched')
      assert.ok(accepts('1234x'))
      assert.not(accepts('1234'))
    },
  )
})

describe('isConstrained', (test) => {
  test('distinguishes constraints from other refinements', () => {
    assert.ok(isConstrained(atLeast(1)(int)))
    assert.not(isConstrained(int))
  })
})
