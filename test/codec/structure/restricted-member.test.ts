import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  RestrictedEncodingError,
  includesView,
  inView,
  isRestricted,
  secureField,
  view,
} from '../../../src/codec/structure/restricted-member.ts'
import { describe, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const secured = secureField('chief')
const User = t.type({ name: t.string, grade: secured(hex) })

describe('RestrictedType', (test) => {
  test('decodes like the inner codec', () => {
    const codec = secured(hex)
    assert.equal(codec.decode('f'), E.right(15))
    assert.ok(E.isLeft(codec.decode('x')))
    assert.equal([codec.is(15), codec.is('f'), codec.name], [true, false, hex.name])
  })
  test('encode throws, because it does not know the principal', () =>
    assert.throws(
      () => User.encode({ name: 'Ann', grade: 15 }),
      (error: unknown) => error instanceof RestrictedEncodingError && error instanceof TypeError,
    ))
  test('is recognized by its tag', () => {
    assert.equal([isRestricted(inView(view('A'))(hex)), isRestricted(hex)], [true, false])
  })
})

const Public = view('Public')
const Internal = view('Internal', Public)
const Both = view('Both', view('Other'), Internal)

describe('includesView', (test) => {
  table(
    test,
    [
      ['the same view', Public, Public, true],
      ['a view that extends the other', Internal, Public, true],
      ['a view that the other extends', Public, Internal, false],
      ['a view that extends the other indirectly', Both, Public, true],
      ['another view with the same name', view('Public'), Public, false],
    ] as const,
    (_, outer, inner, expected) => assert.is(includesView(outer, inner), expected),
  )
})
