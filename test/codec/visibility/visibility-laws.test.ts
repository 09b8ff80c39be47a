/** What is written by a projection is what is written without restrictions, but for the members that are hidden. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../../src/codec/optional.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { list, set } from '../../../src/codec/collection.ts'
import { compileCodec } from '../../../src/codec/generated/compiled-codec.ts'
import { instant } from '../../../src/codec/temporal/date-time.ts'
import { losslessCodec } from '../../../src/codec/json/lossless-codec.ts'
import { exactForm } from '../../../src/codec/structure/exact-form.ts'
import { visibilityOf } from '../../../src/codec/visibility/visibility.ts'
import { inView, secureField, view } from '../../../src/codec/visibility/restricted-member.ts'
import { backEnds } from '../../support/back-ends.ts'
import { describe, law } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

/** The same codec twice, and a value of it. */
interface Case {
  readonly restricted: Codec
  /** Without the members that are hidden, and without restrictions. */
  readonly pruned: Codec
  readonly value: unknown
}

const Public = view('Public')
const Internal = view('Internal', Public)

const chosen = (...roles: ReadonlyArray<string>): boolean => roles.includes('reader')

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

/** The same around both. */
const around =
  (wrap: (codec: Codec) => Codec, value: (inside: unknown) => unknown) =>
  (one: Case): Case => ({
    restricted: wrap(one.restricted),
    pruned: wrap(one.pruned),
    value: value(one.value),
  })

const keys = ['a', 'b', 'c', 'd', 'e', 'f']

interface Member {
  readonly of: Case
  readonly isHidden: boolean
  readonly by: number
}

const objectOf =
  (make: (props: Record<string, Codec>) => Codec) =>
  (given: ReadonlyArray<Member>, order: boolean): Case => {
    const named = given.map((member, at) => ({ ...member, key: keys[at] ?? '' }))
    const restriction = ({ isHidden, by }: Member) =>
      (isHidden ? hiding : showing)[by % (isHidden ? hiding : showing).length] ?? t.readonly
    return {
      restricted: make(
        Object.fromEntries(named.map((one) => [one.key, restriction(one)(one.of.restricted)])),
      ),
      pruned: make(
        Object.fromEntries(
          named.flatMap((one) => (one.isHidden ? [] : [[one.key, one.of.pruned]])),
        ),
      ),
      value: Object.fromEntries(
        (order ? named : named.toReversed()).map(({ key, of }) => [key, of.value]),
      ),
    }
  }

const inRecord = (codec: Codec): Codec => t.record(t.string, codec)

const { any } = fc.letrec<{ any: Case; object: Case }>((tie) => ({
  object: fc
    .tuple(
      fc.array(fc.record({ of: tie('any'), isHidden: fc.boolean(), by: fc.nat({ max: 19 }) }), {
        maxLength: 5,
      }),
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
    .map(([members, order, make]) => objectOf(make)(members, order)),
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    tie('object'),
    tie('object').map(around(list, (value) => [value, value])),
    tie('object').map(around(set, (value) => new Set([value]))),
    tie('object').map(around(inRecord, (value) => ({ k: value }))),
    tie('object').map(
      around(
        (codec) => t.tuple([t.string, codec]),
        (value) => ['', value],
      ),
    ),
    tie('any').map(
      around(
        (codec) => withDefault(codec, null),
        (value) => value,
      ),
    ),
    tie('any').map(around(optional, (value) => value)),
    tie('any').map(around(optional, () => undefined)),
    tie('object').map(
      around(
        (codec) => t.recursion('R', () => codec),
        (value) => value,
      ),
    ),
    tie('object').map(
      around(
        (codec) => t.refinement(codec, () => true),
        (value) => value,
      ),
    ),
  ),
}))

describe('projections', (test) => {
  for (const [name, backEnd] of backEnds)
    law(
      test,
      `what is written by ${name}`,
      fc.array(any, { minLength: 1, maxLength: 10 }),
      (cases) => {
        for (const { restricted, pruned, value } of cases) {
          const projection = visibilityOf(restricted, Public, (roles) => chosen(...roles))
          const expected = compileCodec(pruned, 'drop', backEnd)
          const actual = compileCodec(restricted, 'drop', backEnd, projection)
          assert.is(actual.write(value), expected.write(value))
          assert.equal(actual.encode(value), expected.encode(value))
          assert.is(actual.is(value), compileCodec(restricted, 'drop', backEnd).is(value))
          assert.equal(
            exactForm(restricted, 'drop', projection).encode(value),
            actual.encode(value),
          )
        }
      },
    )
  for (const [name, backEnd] of backEnds)
    law(
      test,
      `what is written with every digit by ${name}`,
      any,
      ({ restricted, pruned, value }) => {
        const projection = visibilityOf(restricted, Public, (roles) => chosen(...roles))
        const expected = compileCodec(losslessCodec(pruned), 'drop', backEnd)
        const actual = compileCodec(losslessCodec(restricted), 'drop', backEnd, projection)
        assert.equal(actual.encode(value), expected.encode(value))
      },
    )
  for (const [name, backEnd] of backEnds)
    test(`what is not of the type is not written by ${name} either`, () => {
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
