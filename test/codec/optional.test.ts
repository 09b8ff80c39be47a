import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { nullable, nullish, optional, withDefault } from '../../src/codec/optional.ts'
import { int } from '../../src/codec/scalar.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { hex, instance, sample } from '../support/sample.ts'

describe('optional', (test) => {
  table(
    test,
    [
      ['a value', 'f', E.right(15)],
      ['a missing value', undefined, E.right(undefined)],
    ] as const,
    (_, input, expected) => assert.equal(optional(hex).decode(input), expected),
  )
  test('rejects invalid texts and null', () => {
    for (const input of ['?', null, '']) assert.ok(E.isLeft(optional(hex).decode(input)))
  })
  test('has a name that mentions a missing value', () =>
    assert.is(optional(hex).name, 'hex or undefined'))
  law(
    test,
    'encodes like the inner codec, except for undefined',
    instance(sample),
    ({ codec, value }) => {
      assert.equal(optional(codec).encode(value), value === undefined ? value : codec.encode(value))
    },
  )
  roundTrip(
    test,
    fc.option(fc.nat(), { nil: undefined }),
    optional(hex).encode,
    (text) => optional(hex).decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})

describe('nullable', (test) => {
  table(
    test,
    [
      ['a value', 'f', E.right(15)],
      ['null', null, E.right(null)],
    ] as const,
    (_, input, expected) => assert.equal(nullable(hex).decode(input), expected),
  )
  test('rejects invalid texts and a missing value', () => {
    for (const input of ['?', undefined, '']) assert.ok(E.isLeft(nullable(hex).decode(input)))
  })
  test('has a name that mentions null', () => assert.is(nullable(hex).name, 'hex or null'))
  roundTrip(
    test,
    fc.option(fc.nat()),
    nullable(hex).encode,
    (text) => nullable(hex).decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})

describe('nullish', (test) => {
  table(
    test,
    [
      ['a value', 'f', E.right(15)],
      ['null', null, E.right(null)],
      ['a missing value', undefined, E.right(undefined)],
    ] as const,
    (_, input, expected) => assert.equal(nullish(hex).decode(input), expected),
  )
  test('rejects invalid texts', () => {
    for (const input of ['?', '']) assert.ok(E.isLeft(nullish(hex).decode(input)))
  })
  test('has a name that mentions null and undefined', () =>
    assert.is(nullish(hex).name, 'hex, null or undefined'))
  roundTrip(
    test,
    fc.oneof(fc.nat(), fc.constantFrom(null, undefined)),
    nullish(hex).encode,
    (text) => nullish(hex).decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})

describe('withDefault', (test) => {
  table(
    test,
    [
      ['a value', 'f', E.right(15)],
      ['a missing value', undefined, E.right(7)],
    ] as const,
    (_, input, expected) => assert.equal(withDefault(hex, 7).decode(input), expected),
  )
  test('rejects invalid texts and null', () => {
    for (const input of ['?', null, '']) assert.ok(E.isLeft(withDefault(hex, 7).decode(input)))
  })
  test('has the default and the inner codec as members', () => {
    const codec = withDefault(int, 7)
    assert.is(codec.defaultValue, 7)
    assert.is(codec.codec, int)
    assert.is(codec.name, 'int')
    assert.not(codec.is(undefined))
  })
  roundTrip(
    test,
    fc.nat(),
    withDefault(hex, 7).encode,
    (text) => withDefault(hex, 7).decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})
