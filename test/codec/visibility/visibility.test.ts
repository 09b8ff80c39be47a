import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list } from '../../../src/codec/collection.ts'
import { strict } from '../../../src/codec/strict.ts'
import {
  opaqueRestrictionsIn,
  restrictedMembers,
  restrictionsIn,
} from '../../../src/codec/visibility/restrictions.ts'
import {
  hidesMember,
  isRestrictedOutsideObject,
  visibilityOf,
  hiddenRequiredMembers,
  fullVisibility,
} from '../../../src/codec/visibility/visibility.ts'
import { inView, secureField, view } from '../../../src/codec/structure/restricted-member.ts'
import { describe, table } from '../../support/describe.ts'
import { withValidate, mistagged } from '../../support/unusual-codecs.ts'
import { hex } from '../../support/sample.ts'

const Public = view('Public')
const Internal = view('Internal', Public)
const secured = secureField('chief')
const A = t.type({ a: secured(t.string), b: inView(Internal)(t.string), c: t.string })
const none = (): boolean => false
const every = (): boolean => true
/** Makes its members anew at each level, two of them. */
const endless = (): Codec =>
  t.recursion('Endless', () =>
    t.type({
      a: inView(Internal)(t.string),
      left: list(endless()),
      right: list(endless()),
    }),
  )

const tree: Codec = t.recursion('Tree', (self: t.Mixed) =>
  t.type({ a: secured(t.string), children: list(self) }),
)

const chain: Codec = t.recursion('Chain', (self: t.Mixed) =>
  t.type({ a: secured(t.string), next: withDefault(t.union([self, t.null]), null) }),
)

describe('projectionOf', (test) => {
  test('is whole where nothing is hidden', () => {
    assert.is(visibilityOf(A, undefined, every), fullVisibility)
    assert.is(visibilityOf(A, Internal, every), fullVisibility)
    assert.is(visibilityOf(t.string, Public, none), fullVisibility)
  })
  test('is one for all that show the same', () => {
    const hidden = visibilityOf(A, undefined, none)
    assert.is(visibilityOf(A, undefined, none), hidden)
    assert.is(visibilityOf(t.type({ x: secureField('chief')(t.string) }), undefined, none), hidden)
    assert.is.not(visibilityOf(A, Public, none), hidden)
    assert.is.not(visibilityOf(A, Public, every), visibilityOf(A, Public, none))
  })
  test('hides what says the same, whichever object says it', () => {
    const { hides } = visibilityOf(A, undefined, none)
    assert.ok(hides({ _tag: 'Roles', roles: ['chief'] }))
    assert.ok(hides({ _tag: 'Roles', roles: ['unheard of'] }))
    assert.not(hides({ _tag: 'View', view: Internal }))
  })
  test('two names of a role are not one name', () => {
    const codec = t.type({ a: secureField('x', 'y')(t.string), b: secureField('x,y')(t.string) })
    const { hides } = visibilityOf(codec, undefined, (roles) => roles.length === 1)
    assert.equal(
      [hides({ _tag: 'Roles', roles: ['x', 'y'] }), hides({ _tag: 'Roles', roles: ['x,y'] })],
      [true, false],
    )
  })
  test('finds restrictions at any depth', () => {
    assert.is(restrictionsIn(A).length, 2)
    assert.is(restrictionsIn(tree).length, 1)
    assert.is(restrictionsIn(t.record(t.string, strict(t.tuple([A])))).length, 2)
    assert.is(restrictionsIn(hex).length, 0)
    assert.is(restrictionsIn(chain).length, 1)
  })
})

describe('hidesMember', (test) => {
  const hidden = visibilityOf(A, Public, none)
  table(
    test,
    [
      ['of an object', A, ['a', 'b']],
      ['of a refinement', t.refinement(A, () => true), ['a', 'b']],
      ['of a recursive codec', tree, ['a']],
      ['through optional', t.type({ a: optional(secured(t.string)) }), ['a']],
      ['through a list', t.type({ b: list(secured(t.string)) }), ['b']],
      ['through a record', t.type({ b: t.record(t.string, secured(t.string)) }), ['b']],
      ['not through another object', t.type({ a: A }), []],
      ['not through objects in a list', t.type({ a: list(A) }), []],
      ['of one in an intersection', t.intersection([A, t.type({ a: t.string })]), ['a', 'b']],
    ] as ReadonlyArray<[string, Codec, ReadonlyArray<string>]>,
    (_, codec, expected) =>
      assert.equal(['a', 'b', 'c'].filter(hidesMember([codec], hidden)), expected),
  )
})

describe('isRestrictedAlone', (test) => {
  table(
    test,
    [
      ['an object with members', A, false],
      ['a list of such objects', list(A), false],
      ['a restricted object', secured(A), true],
      ['a list of restricted values', list(secured(t.string)), true],
      ['one member of a union', t.union([t.string, secured(A)]), true],
      ['a value of a record', t.record(t.string, secured(t.string)), true],
    ] as ReadonlyArray<[string, Codec, boolean]>,
    (_, codec, alone) => assert.is(isRestrictedOutsideObject(codec), alone),
  )
})

const opaqueOf = (inner: t.Mixed): t.Mixed =>
  new t.Type('Opaque', inner.is, inner.validate, (value: unknown): unknown => inner.encode(value))

describe('opaqueRestrictionsIn', (test) => {
  table(
    test,
    [
      ['an io-ts codec', t.string, []],
      ['an object with restricted members', A, []],
      ['collections of restricted members', t.type({ a: list(t.record(t.string, A)) }), []],
      ['an opaque codec without restrictions', list(t.type({ a: withDefault(hex, 1) })), []],
      ['a copy of a restricted codec', withValidate(secured(t.string), t.string.validate), []],
      ['an opaque codec of an object', opaqueOf(A), ['Opaque']],
      ['an opaque codec of a list', t.type({ all: opaqueOf(list(A)) }), ['Opaque']],
      ['a pipeline', list(t.unknown.pipe(A, 'Piped')), ['Piped']],
      ['an unknown tag with an inner codec', mistagged('OwnType', { codec: A }), ['false OwnType']],
    ] as ReadonlyArray<[string, Codec, ReadonlyArray<string>]>,
    (_, codec, names) =>
      assert.equal(
        opaqueRestrictionsIn(codec).map(({ name }) => name),
        names,
      ),
  )
})

describe('codecs without an end', (test) => {
  const codec = endless()
  test('are looked through as far as they say something new', () => {
    assert.ok(restrictionsIn(codec).every((one) => one._tag === 'View' && one.view === Internal))
    assert.equal(opaqueRestrictionsIn(codec), [])
    assert.is(isRestrictedOutsideObject(codec), false)
    assert.ok(
      hiddenRequiredMembers(codec, visibilityOf(codec, Public, every)).every((key) => key === 'a'),
    )
    assert.ok(hidesMember([codec], visibilityOf(codec, Public, every))('a'))
  })
  test('may have no object in them', () => {
    const nothing = (): Codec => t.recursion('Nothing', () => list(nothing()))
    assert.equal([isRestrictedOutsideObject(nothing()), restrictionsIn(nothing())], [false, []])
  })
})

describe('requiredHidden', (test) => {
  const hidden = (codec: Codec) => hiddenRequiredMembers(codec, visibilityOf(codec, Public, every))
  const internal = inView(Internal)
  table(
    test,
    [
      ['required', t.type({ a: internal(t.string), b: t.string }), ['a']],
      ['nested', t.type({ x: list(t.type({ a: internal(t.string) })) }), ['a']],
      ['optional inside', t.type({ a: internal(optional(t.string)) }), []],
      ['optional outside', t.type({ a: optional(internal(t.string)) }), []],
      ['with a default', t.type({ a: internal(withDefault(t.string, '')) }), []],
      ['partial', t.partial({ a: internal(t.string) }), []],
      ['inside of one that is ignored', t.type({ x: internal(optional(A)) }), []],
      ['in the view', t.type({ a: inView(Public)(t.string) }), []],
    ] as ReadonlyArray<[string, Codec, ReadonlyArray<string>]>,
    (_, codec, expected) => assert.equal(hidden(codec), expected),
  )
})

describe('restrictedMembers', (test) => {
  test('names each by its path', () =>
    assert.equal(
      restrictedMembers(t.type({ of: list(A), x: secured(inView(Public)(t.string)) })).map(
        ([path, { _tag }]) => [path, _tag],
      ),
      [
        ['of.a', 'Roles'],
        ['of.b', 'View'],
        ['x', 'Roles'],
        ['x', 'View'],
      ],
    ))
  test('comes to an end', () =>
    assert.equal(
      restrictedMembers(tree).map(([path]) => path),
      ['a'],
    ))
})
