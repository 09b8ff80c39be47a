/** Compares the output of restricted codecs with that of codecs without the hidden members. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { instant } from '../../../src/codec/temporal/date-time.ts'
import { exactNumbers } from '../../../src/codec/json/lossless.ts'
import { exactForm } from '../compiled/exact-form.ts'
import { fullVisibility, visibilityOf } from '../../../src/codec/visibility/visibility.ts'
import { inView, secureField, view } from '../../../src/codec/structure/restricted-member.ts'
import { backEnds } from '../back-ends.ts'
import { describe, law } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

/** A codec with and without restrictions, and a value. */
interface Case {
  readonly restricted: Codec
  /** The codec without hidden members and without restrictions. */
  readonly pruned: Codec
  readonly value: unknown
}

const Public = view('Public')
const Internal = view('Internal', Public)

const hasReaderRole = (...roles: ReadonlyArray<string>): boolean => roles.includes('reader')

const hiding: ReadonlyArray<(codec: Codec) => Codec> = [
  secureField('chief'),
  inView(Internal),
  (codec) => secureField('reader')(secureField('chief')(codec)),
  (codec) => optional(inView(Internal)(codec)),
  (codec) => t.readonly(secureField('chief')(codec)),
]
const showing: ReadonlyArray<(codec: Codec) => Codec> = [
  (codec) => codec,
  secureField('reader', 'chief'),
  inView(Public),
  (codec) => inView(Public)(secureField('reader')(codec)),
]

const date = instant.decode('2020-01-01T00:00:00Z')
const leaf: fc.Arbitrary<Case> = fc
  .constantFrom<readonly [Codec, unknown]>(
    [t.string, 'text'],
    [t.number, 1.5],
    [t.boolean, true],
    [t.null, null],
    [hex, 15],
    [instant, E.isRight(date) ? date.right : undefined],
    [list(t.string), ['a', 'b']],
    [t.UnknownRecord, { z: 1 }],
  )
  .map(([codec, value]) => ({ restricted: codec, pruned: codec, value }))

/** Wraps both codecs and the value. */
const wrapCase =
  (wrap: (codec: Codec) => Codec, wrapValue: (value: unknown) => unknown) =>
  ({ restricted, pruned, value }: Case): Case => ({
    restricted: wrap(restricted),
    pruned: wrap(pruned),
    value: wrapValue(value),
  })

const keys = ['a', 'b', 'c', 'd', 'e', 'f']

interface Member {
  readonly case: Case
  readonly isHidden: boolean
  /** The index of the restriction. */
  readonly index: number
}

const objectOf =
  (create: (props: Record<string, Codec>) => Codec) =>
  (members: ReadonlyArray<Member>, isOrdered: boolean): Case => {
    const named = members.map((member, at) => ({ ...member, key: keys[at] ?? '' }))
    const restriction = ({ isHidden, index }: Member) =>
      (isHidden ? hiding : showing)[index % (isHidden ? hiding : showing).length] ?? t.readonly
    return {
      restricted: create(
        Object.fromEntries(
          named.map((member) => [member.key, restriction(member)(member.case.restricted)]),
        ),
      ),
      pruned: create(
        Object.fromEntries(
          named.flatMap((member) => (member.isHidden ? [] : [[member.key, member.case.pruned]])),
        ),
      ),
      value: Object.fromEntries(
        (isOrdered ? named : named.toReversed()).map((member) => [member.key, member.case.value]),
      ),
    }
  }

const inRecord = (codec: Codec): Codec => t.record(t.string, codec)

const { any } = fc.letrec<{ any: Case; object: Case }>((tie) => ({
  object: fc
    .tuple(
      fc.array(
        fc.record({ case: tie('any'), isHidden: fc.boolean(), index: fc.nat({ max: 19 }) }),
        {
          maxLength: 5,
        },
      ),
      fc.boolean(),
      fc.constantFrom<(props: Record<string, Codec>) => Codec>(
        (props) => t.type(props),
        (props) => t.partial(props),
        (props) => t.strict(props),
        (props) =>
          t.intersection([
            t.partial(Object.fromEntries(Object.entries(props).slice(0, 1))),
            t.type(Object.fromEntries(Object.entries(props).slice(1))),
          ]),
      ),
    )
    .map(([members, isOrdered, create]) => objectOf(create)(members, isOrdered)),
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    tie('object'),
    tie('object').map(wrapCase(list, (value) => [value, value])),
    tie('object').map(wrapCase(set, (value) => new Set([value]))),
    tie('object').map(wrapCase(inRecord, (value) => ({ k: value }))),
    tie('object').map(
      wrapCase(
        (codec) => t.tuple([t.string, codec]),
        (value) => ['', value],
      ),
    ),
    tie('any').map(
      wrapCase(
        (codec) => withDefault(codec, null),
        (value) => value,
      ),
    ),
    tie('any').map(wrapCase(optional, (value) => value)),
    tie('any').map(wrapCase(optional, () => undefined)),
    tie('object').map(
      wrapCase(
        (codec) => t.recursion('R', () => codec),
        (value) => value,
      ),
    ),
    tie('object').map(
      wrapCase(
        (codec) => t.refinement(codec, () => true),
        (value) => value,
      ),
    ),
  ),
}))

describe('compileCodec with a visibility', (test) => {
  for (const [name, backEnd] of backEnds)
    law(
      test,
      `encodes like a codec without the hidden members, ${name} back end`,
      fc.array(any, { minLength: 1, maxLength: 10 }),
      (cases) => {
        for (const { restricted, pruned, value } of cases) {
          const visibility = visibilityOf(restricted, Public, (roles) => hasReaderRole(...roles))
          const expected = compileCodec(pruned, 'drop', backEnd)
          const actual = compileCodec(restricted, 'drop', backEnd, visibility)
          assert.is(actual.write(value), expected.write(value))
          assert.equal(actual.encode(value), expected.encode(value))
          assert.is(actual.is(value), compileCodec(restricted, 'drop', backEnd).is(value))
          assert.equal(
            exactForm(restricted, 'drop', visibility).encode(value),
            actual.encode(value),
          )
        }
      },
    )
  for (const [name, backEnd] of backEnds)
    law(
      test,
      `encodes lossless numbers like a codec without the hidden members, ${name} back end`,
      any,
      ({ restricted, pruned, value }) => {
        const visibility = visibilityOf(restricted, Public, (roles) => hasReaderRole(...roles))
        const expected = compileCodec(pruned, 'drop', backEnd, fullVisibility, exactNumbers)
        const actual = compileCodec(restricted, 'drop', backEnd, visibility, exactNumbers)
        assert.equal(actual.encode(value), expected.encode(value))
      },
    )
  for (const [name, backEnd] of backEnds)
    test(`does not write hidden members of values of another type, ${name} back end`, () => {
      const codec = t.type({ a: t.string, b: secureField('chief')(t.string) })
      const { write } = compileCodec(
        codec,
        'drop',
        backEnd,
        visibilityOf(codec, undefined, () => false),
      )
      const secret = { a: 'a', b: 'secret' }
      assert.throws(() => write([secret]), TypeError)
      assert.is(write(null), 'null')
      assert.is(write(Object.assign(Object.create(null), secret)), '{"a":"a"}')
      assert.is(write({ ...secret, toJSON: () => 'secret' }), '{"a":"a"}')
    })
})
