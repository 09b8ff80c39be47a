import * as fc from 'fast-check'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import { attempt } from '../../../src/codec/parameter/attempt.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, separated, set } from '../../../src/codec/collection.ts'
import { encoded } from '../../../src/codec/parameter/encoded.ts'
import { exact } from '../../../src/codec/strict.ts'
import { int, string } from '../../../src/codec/scalar.ts'
import { segments } from '../../../src/codec/parameter/segments.ts'
import { children, isCodec, members } from '../../../src/codec/structure/codec-structure.ts'
import { describe, law, table } from '../../support/describe.ts'
import { hex, sample } from '../../support/sample.ts'

const A = t.type({ a: int })
const commas = list(int)

const rows: ReadonlyArray<[what: string, codec: Codec, children: ReadonlyArray<Codec>]> = [
  ['scalar', hex, []],
  ['object', A, []],
  ['record', t.record(string, int), []],
  ['refinement', t.refinement(A, () => true), [A]],
  ['readonly', t.readonly(A), [A]],
  ['exact of io-ts', t.exact(A), [A]],
  ['recursion', t.recursion('R', (): Codec => A), [A]],
  ['array', t.array(int), [int]],
  ['list', list(int), [int]],
  ['set', set(int), [int]],
  ['separated', separated(',')(commas), [commas]],
  ['segments', segments(int), [int]],
  ['withDefault', withDefault(int, 1), [int]],
  ['encoded', encoded(int), [int]],
  ['attempt', attempt(int), [int]],
  ['exact', exact(A), [A]],
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
  law(test, 'are codecs', sample, ({ codec }) => assert.ok(children(codec).every(isCodec)))
})

describe('members', (test) => {
  table(
    test,
    [
      ['type', A, ['a']],
      ['partial', t.partial({ a: int, b: int }), ['a', 'b']],
      ['none', t.type({}), []],
      ['exact', t.exact(A), undefined],
      ['record', t.record(string, int), undefined],
      ['scalar', int, undefined],
    ] as ReadonlyArray<[string, Codec, ReadonlyArray<string> | undefined]>,
    (_, codec, expected) => {
      const found = members(codec)
      assert.equal(found && Object.keys(found), expected)
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
  test('any with the functions of one, of whatever class', () => {
    assert.ok(isCodec(int))
    assert.ok(isCodec({ ...functions, is: t.string.is }))
    assert.not(isCodec(functions))
  })
  law(test, 'nothing else', fc.anything(), (value) => assert.not(isCodec(value)))
})
