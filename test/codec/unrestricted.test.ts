import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { encoded, strict, list, optional, separated, withDefault } from '../../src/index.ts'
import { xmlAttribute } from '../../src/xml.ts'
import { inView, secureField, view } from '../../src/codec/structure/restricted-member.ts'
import { unrestricted } from '../../src/codec/unrestricted.ts'
import { partialViewOf } from '../../src/codec/visibility/visibility.ts'
import { compileCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../src/codec/compiled/interpreted-back-end.ts'
import { isXmlType } from '../../src/codec/structure/known-codec.ts'
import { describe, table } from '../support/describe.ts'

const Internal = view('Internal')
const pay = secureField('chief')(t.number)
const Member = t.type({ name: t.string, pay, note: inView(Internal)(t.string) })
interface Tree {
  readonly pay: number
  readonly below: ReadonlyArray<Tree>
}
const Tree: t.Type<Tree, unknown> = t.recursion('Tree', () =>
  t.type({ pay, below: t.readonlyArray(Tree) }),
)

const sampleObject = t.type({ name: t.string })

const decodePartial = (codec: t.Mixed, value: unknown): t.Validation<unknown> =>
  compileCodec(codec, 'drop', interpretedBackEnd, partialViewOf(codec)).decode(value)

describe('partialView', (test) => {
  table<readonly [name: string, codec: t.Mixed, value: unknown]>(
    test,
    [
      ['all members', Member, { name: 'ann', pay: 1, note: 'n' }],
      ['some restricted members', Member, { name: 'ann', note: 'n' }],
      ['only unrestricted members', Member, { name: 'ann' }],
      ['objects in a list', list(Member), [{ name: 'ann' }, { name: 'bob', pay: 1 }]],
      ['objects in a record', t.record(t.string, Member), { a: { name: 'ann' } }],
      [
        'objects in an intersection',
        t.intersection([Member, t.type({ more: pay })]),
        { name: 'ann' },
      ],
      ['objects in a union', t.union([t.type({ a: pay }), Member]), { name: 'ann' }],
      ['an object in an optional member', t.type({ a: optional(Member) }), { a: { name: 'ann' } }],
      ['a missing list of restricted values', t.type({ all: list(pay) }), {}],
      ['objects in a recursive codec', Tree, { below: [{ below: [], pay: 1 }] }],
      ['a refined object', t.refinement(Member, ({ name }) => name !== ''), { name: 'ann' }],
      ['an object in a tuple', t.tuple([Member, t.number]), [{ name: 'ann' }, 1]],
      [
        'a restricted member with a default',
        t.type({ pay: withDefault(pay, 1), a: t.string }),
        { a: '' },
      ],
    ],
    (_, codec, value) => assert.ok(E.isRight(decodePartial(codec, value))),
  )
  table<readonly [name: string, value: unknown]>(
    test,
    [
      ['a missing unrestricted member', { pay: 1 }],
      ['an invalid restricted member', { name: 'ann', pay: '1' }],
    ],
    (_, value) => assert.ok(E.isLeft(decodePartial(Member, value))),
  )
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
      ['a strict codec', strict(Member), ann],
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
