import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import { findTag } from '../../../src/codec/schema/union-tag.ts'
import { strict } from '../../../src/codec/strict.ts'
import { secureField } from '../../../src/codec/structure/restricted-member.ts'
import { xmlElement } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const a = t.type({ kind: t.literal('a'), n: t.literal(1) })
const b = t.type({ kind: t.literal('b'), n: t.literal(1) })
const secret = t.type({ kind: secureField('chief')(t.literal('c')) })

type Row = [title: string, codecs: ReadonlyArray<Codec>, tag: string | undefined]

describe('findTag', (test) => {
  table<Row>(
    test,
    [
      ['literals that differ', [a, b], 'kind: a | b'],
      ['equal literals', [a, a], undefined],
      ['strict codecs', [strict(a), strict(b)], 'kind: a | b'],
      ['mapped members', [t.type({ kind: xmlElement('k')(t.literal('c')) }), a], 'kind: c | a'],
      ['a restricted member', [secret, a], 'kind: c | a'],
      ['a nested union', [t.union([a, b]), t.type({ kind: t.literal('c') })], 'kind: a,b | c'],
      ['an intersection', [t.intersection([a, t.type({ x: hex })]), b], 'kind: a | b'],
      ['a strict member that is no literal', [t.type({ kind: strict(hex) }), a], undefined],
      ['an optional member', [t.partial({ kind: t.literal('c') }), a], undefined],
    ],
    (_, codecs, expected) => {
      const tag = findTag(codecs, () => false)
      assert.is(tag && `${tag.key}: ${tag.values.map(String).join(' | ')}`, expected)
    },
  )
  test('ignores the tags inside of codecs that are opaque', () =>
    assert.is(
      findTag([secret, a], ({ _tag }) => _tag === 'RestrictedType'),
      undefined,
    ))
})
