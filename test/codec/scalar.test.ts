import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { boolean, enumOf, int, integer, number, string, uuid } from '../../src/codec/scalar.ts'
import { describe, law, table, roundTrip } from '../support/describe.ts'

const rows: ReadonlyArray<[name: string, codec: t.Mixed, value: unknown, accepted: boolean]> = [
  ['string: a text', string, 'a', true],
  ['string: an empty text', string, '', true],
  ['string: a number', string, 1, false],
  ['boolean: true', boolean, true, true],
  ['boolean: false', boolean, false, true],
  ['boolean: a text', boolean, 'true', false], // parameters are converted before
  ['number: a fraction', number, 0.5, true],
  ['number: negative zero', number, -0, true],
  ['number: NaN', number, Number.NaN, false],
  ['number: infinity', number, Infinity, false],
  ['number: a text', number, '1', false],
  ['number: undefined', number, undefined, false],
  ['int: an integer', int, -7, true],
  ['int: a fraction', int, 0.5, false],
  ['int: the largest value', int, 2 ** 53 - 1, true],
  ['int: the smallest value', int, -(2 ** 53 - 1), true],
  ['int: a value above the largest', int, 2 ** 53, false],
  ['int: a value below the smallest', int, -(2 ** 53), false],
  ['int: NaN', int, Number.NaN, false],
  ['int: a bigint', int, 1n, false],
  ['enumOf: the first value', enumOf('asc', 'desc'), 'asc', true],
  ['enumOf: the last value', enumOf('asc', 'desc'), 'desc', true],
  ['enumOf: a value in another case', enumOf('asc', 'desc'), 'ASC', false],
  ['enumOf: the name of an inherited member', enumOf('asc', 'desc'), 'toString', false],
  ['enumOf: a number', enumOf(1, 2), 2, true],
  ['enumOf: a number as text', enumOf(1, 2), '2', false],
]

describe('scalar codecs', (test) => {
  table(test, rows, (_, codec, value, accepted) => {
    assert.is(codec.is(value), accepted)
    assert.is(E.isRight(codec.decode(value)), accepted)
  })
  test('have names that describe the expected values', () => {
    assert.equal([number.name, int.name, enumOf('asc', 1).name], ['number', 'int', '"asc" | 1'])
    assert.is(integer, int)
  })
  law(
    test,
    'decode and encode accepted values unchanged',
    fc.tuple(
      fc.constantFrom<t.Mixed>(string, boolean, number, int, enumOf('a', 'b')),
      fc.anything(),
    ),
    ([codec, value]) => {
      const result = codec.decode(value)
      assert.is(E.isRight(result), codec.is(value))
      if (E.isRight(result)) {
        assert.ok(Object.is(result.right, value))
        assert.ok(Object.is(codec.encode(value), value))
      } else assert.is(result.left.length, 1)
    },
  )
})

describe('enumOf', (test) => {
  test('has a frozen copy of its values', () => {
    const codec = enumOf('a', 'b')
    assert.equal(codec.values, ['a', 'b'])
    assert.ok(Object.isFrozen(codec.values))
  })
})

describe('uuid', (test) => {
  table(
    test,
    [
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', E.right('f81d4fae-7dec-11d0-a765-00a0c91e6bf6')], // RFC 9562, 4
      ['00000000-0000-0000-0000-000000000000', E.right('00000000-0000-0000-0000-000000000000')], // 5.9, nil
      ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', E.right('ffffffff-ffff-ffff-ffff-ffffffffffff')], // 5.10, max
      ['C232AB00-9414-11EC-B3C8-9F6BDECED846', E.right('c232ab00-9414-11ec-b3c8-9f6bdeced846')], // A.1, version 1
      ['017F22E2-79B0-7CC3-98C4-DC0C0C07398F', E.right('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')], // A.6, version 7
    ] as const,
    (text, expected) => assert.equal(uuid.decode(text), expected),
  )
  table(
    test,
    [
      ['f81d4fae7dec11d0a76500a0c91e6bf6'],
      ['{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}'],
      ['urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6'], // a URN, not the text form
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf'],
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf66'],
      ['f81d4fae-7dec-11d0-a7650-0a0c91e6bf6'],
      ['g81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
      ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n'],
      [' f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
      ['1-1-1-1-1'],
      [''],
    ] as const,
    (text) => assert.ok(E.isLeft(uuid.decode(text))),
  )
  test('is encoded in lower case', () =>
    assert.is(
      uuid.encode('C232AB00-9414-11EC-B3C8-9F6BDECED846'),
      'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    ))
  roundTrip(
    test,
    fc.uuid(),
    uuid.encode,
    (text) => uuid.decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
  law(test, 'is agrees with decode', fc.anything(), (value) =>
    assert.is(uuid.is(value), E.isRight(uuid.decode(value))),
  )
})
