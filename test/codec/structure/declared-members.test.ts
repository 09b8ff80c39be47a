import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import {
  declaredCodecs,
  isMemberOf,
  isRecordKey,
} from '../../../src/codec/structure/declared-members.ts'
import { exact } from '../../../src/codec/strict.ts'
import { enumOf, int, string } from '../../../src/codec/scalar.ts'
import { describe, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const A = t.type({ a: int })
const B = t.partial({ a: hex, b: hex })

const rows: ReadonlyArray<
  [what: string, codec: Codec, name: string | undefined, declared: ReadonlyArray<Codec>]
> = [
  ['a member', A, 'a', [int]],
  ['no member', A, 'b', []],
  ['an inherited name', A, 'toString', []],
  ['any member', B, undefined, [hex, hex]],
  ['of an intersection', t.intersection([A, B]), 'a', [int, hex]],
  ['of a union', t.union([A, B, string]), 'b', [hex]],
  ['of wrappers', t.readonly(t.refinement(exact(optional(A)), () => true)), 'a', [int]],
  ['of a recursion', t.recursion('R', (): Codec => A), 'a', [int]],
  ['a key of a record', t.record(string, hex), 'z', [hex]],
  ['a key outside of the domain', t.record(t.keyof({ a: null }), hex), 'z', []],
  ['any key', t.record(t.keyof({ a: null }), hex), undefined, [hex]],
  ['an element', list(hex), '0', [hex]],
  ['an element of a set', set(hex), undefined, [hex]],
  ['an element of a tuple', t.tuple([int, hex]), undefined, [int, hex]],
  ['of a scalar', string, 'a', []],
  ['of an enumeration', enumOf(1), 'a', []],
  ['of an unknown', t.unknown, 'a', [t.unknown]],
  ['of an unknown record', t.UnknownRecord, 'a', [t.UnknownRecord]],
  ['of an opaque codec', hex, 'a', [hex]],
]

describe('declaredAt', (test) => {
  table(test, rows, (_, codec, name, declared) => {
    const found = declaredCodecs(name)(codec)
    assert.is(found.length, declared.length)
    found.forEach((one, index) => assert.is(one, declared[index]))
  })
})

describe('declared members and keys', (test) => {
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
  test('__proto__ is no member even when it is declared', () =>
    assert.not(isMemberOf(Object.fromEntries([['__proto__', int]]))('__proto__')))
  test('a key is one as it is read, and as it is written', () => {
    assert.ok(isRecordKey(hex)('f'))
    assert.not(isRecordKey(hex)('?'))
    assert.ok(isRecordKey(enumOf('a'))('a'))
  })
})
