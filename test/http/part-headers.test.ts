import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as PartHeaders from '../../src/http/part-headers.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

describe('PartHeaders.generateBoundary', (test) => {
  test('returns unique boundaries of 32 hexadecimal digits', () => {
    const boundaries = Array.from({ length: 1000 }, PartHeaders.generateBoundary)
    assert.is(new Set(boundaries).size, 1000)
    for (const boundary of boundaries) assert.match(boundary, /^espalier-[\da-f]{32}$/)
  })
})

describe('PartHeaders.boundaryOf', (test) => {
  table(
    test,
    [
      ['multipart/form-data; boundary=a', 'a'],
      ['multipart/form-data; boundary="a b"', 'a b'],
      ['multipart/form-data; boundary="a "', undefined], // the last character must not be a space
      [`multipart/form-data; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
      [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
      ['multipart/form-data; boundary="a\tb"', undefined],
      ['multipart/form-data; boundary=""', undefined],
      ['multipart/form-data', undefined],
    ] as const,
    (text, expected) =>
      assert.is(
        O.toUndefined(PartHeaders.boundaryOf(O.toUndefined(MediaType.parse(text)))),
        expected,
      ),
  )
  test('returns none without a media type', () =>
    assert.equal(PartHeaders.boundaryOf(undefined), O.none))
})
