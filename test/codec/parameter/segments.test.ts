import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { segments } from '../../../src/codec/parameter/segments.ts'
import { describe, roundTrip, table } from '../../support/describe.ts'
import { hex } from '../../support/sample.ts'

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
  test('says which segment is wrong', () => {
    const result = segments(hex).decode(['a', '?'])
    assert.equal(E.isLeft(result) && result.left.map(({ context }) => context.at(-1)?.key), ['1'])
  })
  test('is told by its tag', () => {
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
