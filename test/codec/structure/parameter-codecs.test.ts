import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { CombinedType, EncodedType } from '../../../src/codec/structure/parameter-codecs.ts'
import {
  attempt,
  combined,
  encoded,
  segments,
} from '../../../src/codec/structure/parameter-codecs.ts'
import { describe, law, roundTrip, table } from '../../support/describe.ts'
import { hex, sample, instance } from '../../support/sample.ts'

const attemptHex = attempt(hex)

describe('attempt', (test) => {
  test('decodes a value to a Right', () =>
    assert.equal(attemptHex.decode('f'), E.right(E.right(15))))
  test('decodes an invalid value to a Left with errors and their contexts', () => {
    const result = attemptHex.validate('?', [{ key: 'page', type: hex }])
    assert.ok(E.isRight(result) && E.isLeft(result.right))
    assert.equal(
      result.right.left.map(({ value, context }) => [value, context[0]?.key]),
      [['?', 'page']],
    )
  })
  test('decodes a missing value to a Left', () => {
    const result = attemptHex.decode(undefined)
    assert.ok(E.isRight(result) && E.isLeft(result.right))
  })
  test('encodes a Left as undefined', () => assert.is(attemptHex.encode(E.left([])), undefined))
  table(
    test,
    [
      ['a Right with a value', E.right(15), true],
      ['a Left with errors', E.left([]), true],
      ['a Right with an invalid value', E.right('f'), false],
      ['a Left without errors', E.left('f'), false],
      ['an object without a tag', { right: 15 }, false],
      ['a value', 15, false],
      ['null', null, false],
    ] as const,
    (_, value, expected) => assert.is(attemptHex.is(value), expected),
  )
  law(test, 'never fails', fc.tuple(sample, fc.anything()), ([{ codec }, input]) =>
    assert.ok(E.isRight(attempt(codec).decode(input))),
  )
  roundTrip(
    test,
    fc.nat().map(E.right),
    attemptHex.encode,
    (text) => attemptHex.decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})

type Wrap = <C extends t.Mixed>(codec: C) => CombinedType<C> | EncodedType<C>
const wrappers: ReadonlyArray<readonly [tag: string, wrap: Wrap]> = [
  ['EncodedType', encoded],
  ['CombinedType', combined],
]
for (const [tag, wrap] of wrappers)
  describe(wrap.name, (test) => {
    test('has a tag and the inner codec', () => {
      assert.is(wrap(hex)._tag, tag)
      assert.is(wrap(hex).codec, hex)
    })
    test('rejects a value that the inner codec rejects', () =>
      assert.ok(E.isLeft(wrap(hex).decode('%66'))))
    law(
      test,
      'decodes, encodes and is named like the inner codec',
      instance(sample),
      ({ codec, value }) => {
        const text: unknown = codec.encode(value)
        assert.equal(wrap(codec).encode(value), text)
        assert.equal(wrap(codec).decode(text), codec.decode(text))
        assert.is(wrap(codec).is(value), codec.is(value))
        assert.is(wrap(codec).name, codec.name)
      },
    )
  })

describe('segments', (test) => {
  table(
    test,
    [
      [
        ['a', 'b'],
        [10, 11],
      ],
      [['a'], [10]],
      [[], []],
    ] as const,
    (texts, values) => assert.equal(segments(hex).decode(texts), E.right(values)),
  )
  test('reports the index of an invalid segment', () => {
    const result = segments(hex).decode(['a', '?'])
    assert.equal(E.isLeft(result) && result.left.map(({ context }) => context.at(-1)?.key), ['1'])
  })
  test('has a tag, the inner codec and a name', () => {
    assert.is(segments(hex)._tag, 'SegmentsType')
    assert.is(segments(hex).codec, hex)
    assert.is(segments(hex).name, 'segments of hex')
    assert.ok(segments(hex).is([1]))
    assert.not(segments(hex).is(['a']))
  })
  roundTrip(
    test,
    fc.array(fc.nat()),
    segments(hex).encode,
    (texts) => segments(hex).decode(texts),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})
