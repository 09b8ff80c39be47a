import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import {
  declaredCodecs,
  isMemberOf,
  isRecordKey,
} from '../../../src/codec/structure/undeclared-members.ts'
import { strict } from '../../../src/codec/strict.ts'
import { enumOf, int, string } from '../../../src/codec/scalar.ts'
import { describe, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const A = t.type({ a: int })
const B = t.partial({ a: hex, b: hex })

const rows: ReadonlyArray<
  [title: string, codec: Codec, name: string | undefined, declared: ReadonlyArray<Codec>]
> = [
  ['a member', A, 'a', [int]],
  ['an undeclared member', A, 'b', []],
  ['an inherited name', A, 'toString', []],
  ['any member', B, undefined, [hex, hex]],
  ['a member of an intersection', t.intersection([A, B]), 'a', [int, hex]],
  ['a member of a union', t.union([A, B, string]), 'b', [hex]],
  [
    'a member of a wrapped object',
    t.readonly(t.refinement(strict(optional(A)), () => true)),
    'a',
    [int],
  ],
  ['a member of a recursive codec', t.recursion('R', (): Codec => A), 'a', [int]],
  ['a key of a record', t.record(string, hex), 'z', [hex]],
  ['a key outside of the domain', t.record(t.keyof({ a: null }), hex), 'z', []],
  ['any key of a record', t.record(t.keyof({ a: null }), hex), undefined, [hex]],
  ['an element', list(hex), '0', [hex]],
  ['an element of a set', set(hex), undefined, [hex]],
  ['an element of a tuple', t.tuple([int, hex]), undefined, [int, hex]],
  ['a member of a scalar', string, 'a', []],
  ['a member of an enum', enumOf(1), 'a', []],
  ['a member of an unknown value', t.unknown, 'a', [t.unknown]],
  ['a member of an unknown record', t.UnknownRecord, 'a', [t.UnknownRecord]],
  ['a member of an opaque codec', hex, 'a', [hex]],
]

describe('declaredCodecs', (test) => {
  table(test, rows, (_, codec, name, declared) => {
    const actual = declaredCodecs(name)(codec)
    assert.is(actual.length, declared.length)
    actual.forEach((member, index) => assert.is(member, declared[index]))
  })
})

describe('isMemberOf and isRecordKey', (test) => {
  table(
    test,
    [
      ['a', true, true],
      ['b', false, true],
      ['', false, true],
      ['constructor', false, true], // inherited
      ['__proto__', false, false],
    ] as const,
    (name, member, key) => {
      assert.is(isMemberOf(A.props)(name), member)
      assert.is(isRecordKey(string)(name), key)
    },
  )
  test('isMemberOf rejects __proto__ even if it is declared', () =>
    assert.not(isMemberOf(Object.fromEntries([['__proto__', int]]))('__proto__')))
  test('isRecordKey accepts decoded and encoded keys', () => {
    assert.ok(isRecordKey(hex)('f'))
    assert.not(isRecordKey(hex)('?'))
    assert.ok(isRecordKey(enumOf('a'))('a'))
  })
})
