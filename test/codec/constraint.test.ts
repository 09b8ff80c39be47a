import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
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
import { int, number, string } from '../../src/codec/scalar.ts'
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
      ['^[^@]+@[^@]+[.][^@]+$', false],
      ['(a)\\1', false], // refers to a capture, which is no danger
      ['\\-', false], // only without the flag u
    ] as const,
    (source, isRefused) => {
      const make = () => matching(new RegExp(source))
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

describe('isConstrained', (test) => {
  test('tells our constraints from other refinements', () => {
    assert.ok(isConstrained(atLeast(1)(int)))
    assert.not(isConstrained(int))
  })
})
