import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Boundary from '../../src/http/boundary.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

describe('Boundary.make', (test) => {
  test('makes a delimiter of 128 random bits', () => {
    const boundaries = Array.from({ length: 1000 }, Boundary.generate)
    assert.is(new Set(boundaries).size, 1000)
    for (const one of boundaries) assert.match(one, /^espalier-[\da-f]{32}$/)
  })
})

describe('Boundary.ofMediaType', (test) => {
  table(
    test,
    [
      ['multipart/form-data; boundary=a', 'a'],
      ['multipart/form-data; boundary="a b"', 'a b'],
      ['multipart/form-data; boundary="a "', undefined], // a space may not be the last
      [`multipart/form-data; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
      [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
      ['multipart/form-data; boundary="a\tb"', undefined],
      ['multipart/form-data; boundary=""', undefined],
      ['multipart/form-data', undefined],
    ] as const,
    (text, expected) =>
      assert.is(
        O.toUndefined(Boundary.ofMediaType(O.toUndefined(MediaType.parse(text)))),
        expected,
      ),
  )
  test('has none without a media type', () => assert.equal(Boundary.ofMediaType(undefined), O.none))
})
