/** Codecs of single values, by their structure. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import { isSingleValue } from '../../../src/codec/structure/single-value.ts'
import {
  between,
  enumOf,
  instant,
  int,
  list,
  optional,
  string,
  withDefault,
} from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'

interface Odd {
  readonly Odd: unique symbol
}
const Odd = t.brand(t.number, (value): value is t.Branded<number, Odd> => value % 2 === 1, 'Odd')

describe('isSingleValue', (test) => {
  table<readonly [string, Codec, boolean]>(
    test,
    [
      ['string', string, true],
      ['t.boolean', t.boolean, true],
      ['t.bigint', t.bigint, true],
      ['int', int, true],
      ['constrained', between(1, 9)(int), true],
      ['branded', Odd, true],
      ['literal', t.literal(5), true],
      ['keys', t.keyof({ a: null, b: null }), true],
      ['enumOf', enumOf('a', 'b'), true],
      ['union of them', t.union([t.literal('a'), t.number]), true],
      ['optional', optional(int), true],
      ['withDefault', withDefault(int, 1), true],
      ['object', t.type({}), false],
      ['list', list(string), false],
      ['union with an object', t.union([t.string, t.type({})]), false],
      ['undefined alone', t.undefined, false],
      ['null', t.null, false],
      ['unknown', t.unknown, false],
      ['with a text form of its own', instant, false],
    ],
    (_, codec, expected) => assert.is(isSingleValue(codec), expected),
  )
})
