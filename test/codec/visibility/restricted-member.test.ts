import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type * as Restricted from '../../../src/codec/visibility/restricted-member.ts'
import {
  hasMembersOf,
  hiding,
  inView,
  isAnyRestricted,
  isRestricted,
  secureField,
  view,
  watched,
  writtenFor,
} from '../../../src/codec/visibility/restricted-member.ts'
import { describe, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const secured = secureField('chief')
const User = t.type({ name: t.string, grade: secured(hex) })
const ann = { name: 'Ann', grade: 15 }

const fail = (): never => {
  throw new Error('no')
}
const inner = (): unknown => writtenFor(() => false, User.encode, ann).grade

describe('RestrictedType', (test) => {
  test('is the codec inside', () => {
    const codec = secured(hex)
    assert.equal(codec.decode('f'), E.right(15))
    assert.ok(E.isLeft(codec.decode('x')))
    assert.equal([codec.is(15), codec.is('f'), codec.name], [true, false, hex.name])
  })
  test('R-357: writes everything where no engine writes', () =>
    assert.equal(User.encode(ann), { name: 'Ann', grade: 'f' }))
  test('writes nothing for whom it is hidden, and everything afterwards', () => {
    const written = writtenFor(
      () => true,
      () => User.encode(ann),
      undefined,
    )
    assert.equal([written.grade, User.encode(ann).grade], [undefined, 'f'])
  })
  test('writes everything after a writer has failed', () => {
    assert.throws(() => writtenFor(() => true, fail, undefined), /no/)
    assert.is(User.encode(ann).grade, 'f')
  })
  test('one writer inside another has its own say', () => {
    const both = writtenFor(
      () => true,
      () => [inner(), User.encode(ann).grade],
      undefined,
    )
    assert.equal(both, ['f', undefined])
  })
  test('is told by its tag', () => {
    assert.equal([isRestricted(inView(view('A'))(hex)), isRestricted(hex)], [true, false])
  })
})

const nested = (): unknown => [User.encode(ann), watched(String, 1).isOpen]

describe('watched', (test) => {
  table(
    test,
    [
      ['nothing restricted', () => hex.encode(15), true],
      ['a restricted codec', () => User.encode(ann), false],
      ['one before a look at something else', nested, false],
      ['who asks what is hidden', () => hiding(), false],
      ['nothing afterwards', () => 'f', true],
    ] as ReadonlyArray<[string, () => unknown, boolean]>,
    (_, write, isOpen) => assert.is(watched(write, undefined).isOpen, isOpen),
  )
})

/** The module once more, as if the package were there twice. */
const second = async (): Promise<typeof Restricted> =>
  import(new URL('../../../src/codec/visibility/restricted-member.js?second', import.meta.url).href)

const twice = async () => {
  const other = await second()
  assert.is.not(other.secureField, secureField)
  return { other, codec: t.type({ grade: other.secureField('chief')(hex) }) }
}

describe('restricted codecs of another copy', (test) => {
  test('hide what is written here', async () => {
    const { codec } = await twice()
    assert.ok(isAnyRestricted())
    assert.is(writtenFor(() => true, codec.encode, ann).grade, undefined)
  })
  test('are hidden by what is written there', async () => {
    const { other } = await twice()
    assert.is(other.writtenFor(() => true, User.encode, ann).grade, undefined)
  })
  test('are seen by who watches here', async () => {
    const { codec } = await twice()
    assert.is(watched(codec.encode, ann).isOpen, false)
  })
})

const Public = view('Public')
const Internal = view('Internal', Public)
const Both = view('Both', view('Other'), Internal)

describe('hasMembersOf', (test) => {
  table(
    test,
    [
      ['itself', Public, Public, true],
      ['what it extends', Internal, Public, true],
      ['what extends it', Public, Internal, false],
      ['what one that it extends extends', Both, Public, true],
      ['another of the same name', view('Public'), Public, false],
    ] as const,
    (_, one, other, has) => assert.is(hasMembersOf(one, other), has),
  )
})
