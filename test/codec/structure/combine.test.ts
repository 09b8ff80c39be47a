import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { intersection, tuple, union } from '../../../src/codec/structure/combine.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { boolean, int, string } from '../../../src/codec/scalar.ts'
import { describe, law } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

const A = t.type({ a: hex })
const B = t.partial({ b: hex })

const pairs: ReadonlyArray<readonly [ours: Codec, theirs: Codec]> = [
  [union('u', int, [string, boolean]), t.union([int, string, boolean], 'u')],
  [tuple('p', [hex, int]), t.tuple([hex, int], 'p')],
  [intersection('i', [A, B]), t.intersection([A, B], 'i')],
]

const input = fc.oneof(
  fc.anything(),
  fc.tuple(fc.constantFrom('f', '?'), fc.constantFrom(1, '1')),
  fc.array(fc.constantFrom('f', 1), { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('f', '?', 15), {
    noNullPrototype: true,
  }),
)

describe('assembled codecs', (test) => {
  law(
    test,
    'are those of io-ts',
    fc.tuple(fc.constantFrom(...pairs), input),
    ([[ours, theirs], value]) => {
      assert.equal([ours.name, ours._tag], [theirs.name, theirs._tag])
      assert.is(ours.is(value), theirs.is(value))
      const [actual, expected] = [ours.decode(value), theirs.decode(value)]
      assert.equal(places(actual), places(expected))
      if (E.isRight(expected)) assert.equal(actual, expected)
      if (theirs.is(value)) assert.equal(ours.encode(value), theirs.encode(value))
    },
  )
  test('one codec needs no union', () => assert.is(union('u', int, []), int))
  test('an intersection loses nothing that two of its codecs read below one member', () => {
    const codec = intersection('i', [t.type({ x: A }), t.type({ x: t.type({ b: hex }) })])
    const value = { x: { a: 15, b: 14 } }
    assert.equal(codec.decode({ x: { a: 'f', b: 'e' } }), E.right(value))
    assert.equal(codec.encode(value), { x: { a: 'f', b: 'e' } })
  })
})

const places = (result: t.Validation<unknown>): unknown =>
  E.isLeft(result)
    ? result.left.map(({ value, context }) => [
        value,
        context.map(({ key, type }) => [key, type.name]),
      ])
    : []
