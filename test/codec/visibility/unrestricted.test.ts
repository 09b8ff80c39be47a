import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { encoded, exact, list, optional, separated, withDefault } from '../../../src/index.ts'
import { xmlAttribute } from '../../../src/xml.ts'
import { inView, secureField, view } from '../../../src/codec/visibility/restricted-member.ts'
import { partialViewCodec, unrestricted } from '../../../src/codec/visibility/unrestricted.ts'
import { isXmlType } from '../../../src/codec/structure/xml-type.ts'
import { describe, law, table } from '../../support/describe.ts'
import { instance, sample } from '../../support/sample.ts'

const Own = view('Own')
const pay = secureField('chief')(t.number)
const Member = t.type({ name: t.string, pay, note: inView(Own)(t.string) })
interface Tree {
  readonly pay: number
  readonly below: ReadonlyArray<Tree>
}
const Tree: t.Type<Tree, unknown> = t.recursion('Tree', () =>
  t.type({ pay, below: t.readonlyArray(Tree) }),
)

const sampleObject = t.type({ name: t.string })

describe('seen', (test) => {
  table<readonly [name: string, codec: t.Mixed, value: unknown]>(
    test,
    [
      ['all of it', Member, { name: 'ann', pay: 1, note: 'n' }],
      ['some of it', Member, { name: 'ann', note: 'n' }],
      ['what is not restricted', Member, { name: 'ann' }],
      ['in lists', list(Member), [{ name: 'ann' }, { name: 'bob', pay: 1 }]],
      ['in records', t.record(t.string, Member), { a: { name: 'ann' } }],
      ['in intersections', t.intersection([Member, t.type({ more: pay })]), { name: 'ann' }],
      ['in unions', t.union([t.type({ a: pay }), Member]), { name: 'ann' }],
      ['in optional members', t.type({ a: optional(Member) }), { a: { name: 'ann' } }],
      ['a collection of what is restricted', t.type({ all: list(pay) }), {}],
      ['in recursive codecs', Tree, { below: [{ below: [], pay: 1 }] }],
      ['in refinements', t.refinement(Member, ({ name }) => name !== ''), { name: 'ann' }],
      ['in tuples', t.tuple([Member, t.number]), [{ name: 'ann' }, 1]],
      ['behind defaults', t.type({ pay: withDefault(pay, 1), a: t.string }), { a: '' }],
    ],
    (_, codec, value) => assert.ok(E.isRight(partialViewCodec(codec).decode(value))),
  )
  table<readonly [name: string, value: unknown]>(
    test,
    [
      ['what is not restricted is required', { pay: 1 }],
      ['what is there has to be of its codec', { name: 'ann', pay: '1' }],
    ],
    (_, value) => assert.ok(E.isLeft(partialViewCodec(Member).decode(value))),
  )
  law(test, 'a codec without restrictions is what it was', instance(sample), ({ codec }) =>
    assert.is(partialViewCodec(codec), codec),
  )
  test('it is made once', () => assert.is(partialViewCodec(Member), partialViewCodec(Member)))
})

describe('unrestricted', (test) => {
  const ann = { name: 'ann', pay: 1, note: 'n' }
  const tree = { pay: 1, below: [{ pay: 2, below: [] }] }
  table<readonly [name: string, codec: t.Mixed, value: unknown]>(
    test,
    [
      ['an object', Member, ann],
      ['a list', list(Member), [ann]],
      ['a recursive codec', Tree, tree],
      ['a strict codec', exact(Member), ann],
      ['a member with XML mapping', t.type({ pay: xmlAttribute()(pay) }), { pay: 1 }],
      ['a separated parameter', separated(',')(list(pay)), [1, 2]],
      ['an encoded parameter', encoded(pay), 1],
    ],
    (_, codec, value) => {
      assert.equal(unrestricted(codec).encode(value), value)
      assert.equal(unrestricted(codec).decode(value), E.right(value))
    },
  )
  test('returns a codec without restrictions unchanged', () =>
    assert.is(unrestricted(sampleObject), sampleObject))
  test('keeps XML mappings', () => assert.ok(isXmlType(unrestricted(xmlAttribute()(pay)))))
})
