import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list } from '../../../src/codec/collection.ts'
import { strict } from '../../../src/codec/strict.ts'
import { containsObjects, isKnown } from '../../../src/codec/structure/known-codec.ts'
import { secureField } from '../../../src/codec/structure/restricted-member.ts'
import { int, string } from '../../../src/codec/scalar.ts'
import { describe, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const A = t.type({ a: int })
const [ids, tree]: readonly [Codec, Codec] = [
  t.recursion('Ids', (self: t.Mixed): t.Mixed => t.union([string, t.array(self)])),
  t.recursion('Tree', (self: t.Mixed): t.Mixed => t.type({ below: t.array(self) })),
]

const rows: ReadonlyArray<[name: string, codec: Codec, known: boolean, hasObjects: boolean]> = [
  ['object', A, true, true],
  ['partial object', t.partial({}), true, true],
  ['record', t.record(string, int), true, true],
  ['unknown record', t.UnknownRecord, false, false],
  ['list of objects', list(A), true, true],
  ['list of scalars', list(int), true, false],
  ['optional object', optional(A), true, true],
  ['tuple', t.tuple([int, t.tuple([A])]), true, true],
  ['strict', strict(A), true, true],
  ['restricted object', secureField('a')(A), true, true],
  ['restricted scalar', secureField('a')(int), true, false],
  ['recursive codec with objects', tree, true, true],
  ['recursive codec without objects', ids, true, false],
  ['scalar of io-ts', t.string, false, false],
  ['opaque', hex, false, false],
]

describe('isKnown and containsObjects', (test) => {
  table(test, rows, (_, codec, known, hasObjects) => {
    assert.is(isKnown(codec), known)
    assert.is(containsObjects(codec), hasObjects)
  })
  test('the name of an inherited member is not a known tag', () =>
    assert.not(
      isKnown(
        Object.assign(new t.Type('x', t.any.is, t.any.validate, t.identity), { _tag: 'toString' }),
      ),
    ))
})
