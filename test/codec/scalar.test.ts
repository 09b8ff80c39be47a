import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { boolean, enumOf, int, integer, number, string } from '../../src/codec/scalar.ts'
import { describe, law, table } from '../support/describe.ts'

const rows: ReadonlyArray<[what: string, codec: t.Mixed, value: unknown, accepted: boolean]> = [
  ['string: text', string, 'a', true],
  ['string: empty text', string, '', true],
  ['string: number', string, 1, false],
  ['boolean: true', boolean, true, true],
  ['boolean: false', boolean, false, true],
  ['boolean: text', boolean, 'true', false], // text is turned into values before
  ['number: fraction', number, 0.5, true],
  ['number: negative zero', number, -0, true],
  ['number: NaN', number, Number.NaN, false],
  ['number: infinity', number, Infinity, false],
  ['number: text', number, '1', false],
  ['number: missing', number, undefined, false],
  ['int: whole', int, -7, true],
  ['int: fraction', int, 0.5, false],
  ['int: largest', int, 2 ** 53 - 1, true],
  ['int: smallest', int, -(2 ** 53 - 1), true],
  ['int: above the largest', int, 2 ** 53, false],
  ['int: below the smallest', int, -(2 ** 53), false],
  ['int: NaN', int, Number.NaN, false],
  ['int: bigint', int, 1n, false],
  ['enumOf: the first', enumOf('asc', 'desc'), 'asc', true],
  ['enumOf: the last', enumOf('asc', 'desc'), 'desc', true],
  ['enumOf: another case', enumOf('asc', 'desc'), 'ASC', false],
  ['enumOf: inherited name', enumOf('asc', 'desc'), 'toString', false],
  ['enumOf: number', enumOf(1, 2), 2, true],
  ['enumOf: number as text', enumOf(1, 2), '2', false],
]

describe('scalar codecs', (test) => {
  table(test, rows, (_, codec, value, accepted) => {
    assert.is(codec.is(value), accepted)
    assert.is(E.isRight(codec.decode(value)), accepted)
  })
  test('name what they expect', () => {
    assert.equal([number.name, int.name, enumOf('asc', 1).name], ['number', 'int', '"asc" | 1'])
    assert.is(integer, int)
  })
  law(
    test,
    'what they are, they read and write as it is',
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
  test('keeps its values, whatever becomes of those it was given', () => {
    const codec = enumOf('a', 'b')
    assert.equal(codec.values, ['a', 'b'])
    assert.ok(Object.isFrozen(codec.values))
  })
})
