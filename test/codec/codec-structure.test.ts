import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../src/codec/codec.ts'
import { isSingleValue, children, isCodec, members } from '../../src/codec/codec-structure.ts'
import {
  between,
  enumOf,
  instant,
  int,
  list,
  optional,
  string,
  withDefault,
} from '../../src/index.ts'
import { describe, table, law } from '../support/describe.ts'
import * as fc from 'fast-check'
import { attempt, encoded, segments } from '../../src/codec/structure/parameter-codecs.ts'
import { separated, set } from '../../src/codec/collection.ts'
import { strict } from '../../src/codec/strict.ts'
import { hex, sample } from '../support/sample.ts'

interface Even {
  readonly Even: unique symbol
}
const Even = t.brand(t.number, (value): value is t.Branded<number, Even> => value % 2 === 0, 'Even')

describe('isSingleValue', (test) => {
  table<readonly [string, Codec, boolean]>(
    test,
    [
      ['string', string, true],
      ['t.boolean', t.boolean, true],
      ['t.bigint', t.bigint, true],
      ['int', int, true],
      ['constrained', between(1, 9)(int), true],
      ['branded', Even, true],
      ['literal', t.literal(5), true],
      ['keys', t.keyof({ a: null, b: null }), true],
      ['enumOf', enumOf('a', 'b'), true],
      ['union of single values', t.union([t.literal('a'), t.number]), true],
      ['optional', optional(int), true],
      ['withDefault', withDefault(int, 1), true],
      ['object', t.type({}), false],
      ['list', list(string), false],
      ['union with an object', t.union([t.string, t.type({})]), false],
      ['undefined', t.undefined, false],
      ['null', t.null, false],
      ['unknown', t.unknown, false],
      ['opaque codec with a text form', instant, false],
    ],
    (_, codec, expected) => assert.is(isSingleValue(codec), expected),
  )
})

const A = t.type({ a: int })
const commas = list(int)

const rows: ReadonlyArray<[name: string, codec: Codec, children: ReadonlyArray<Codec>]> = [
  ['scalar', hex, []],
  ['object', A, []],
  ['record', t.record(string, int), []],
  ['refinement', t.refinement(A, () => true), [A]],
  ['readonly', t.readonly(A), [A]],
  ['t.exact', t.exact(A), [A]],
  ['recursion', t.recursion('R', (): Codec => A), [A]],
  ['array', t.array(int), [int]],
  ['list', list(int), [int]],
  ['set', set(int), [int]],
  ['separated', separated(',')(commas), [commas]],
  ['segments', segments(int), [int]],
  ['withDefault', withDefault(int, 1), [int]],
  ['encoded', encoded(int), [int]],
  ['attempt', attempt(int), [int]],
  ['strict', strict(A), [A]],
  ['optional', optional(int), [int, t.undefined]],
  ['union', t.union([int, string]), [int, string]],
  ['intersection', t.intersection([A, t.partial({})]), [A, t.partial({})]],
  ['tuple', t.tuple([int, string]), [int, string]],
]

describe('children', (test) => {
  table(test, rows, (_, codec, expected) =>
    assert.equal(
      children(codec).map(({ name }) => name),
      expected.map(({ name }) => name),
    ),
  )
  law(test, 'returns codecs', sample, ({ codec }) => assert.ok(children(codec).every(isCodec)))
})

describe('members', (test) => {
  table(
    test,
    [
      ['type', A, ['a']],
      ['partial', t.partial({ a: int, b: int }), ['a', 'b']],
      ['empty object', t.type({}), []],
      ['exact', t.exact(A), undefined],
      ['record', t.record(string, int), undefined],
      ['scalar', int, undefined],
    ] as ReadonlyArray<[string, Codec, ReadonlyArray<string> | undefined]>,
    (_, codec, expected) => {
      const props = members(codec)
      assert.equal(props && Object.keys(props), expected)
    },
  )
})

const functions = {
  name: 'string',
  decode: (value: unknown) => t.string.decode(value),
  validate: t.string.validate,
  encode: t.string.encode,
}

describe('isCodec', (test) => {
  test('accepts any object with the functions of a codec', () => {
    assert.ok(isCodec(int))
    assert.ok(isCodec({ ...functions, is: t.string.is }))
    assert.not(isCodec(functions))
  })
  law(test, 'rejects other values', fc.anything(), (value) => assert.not(isCodec(value)))
})
