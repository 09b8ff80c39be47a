import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Quality from '../../src/http/quality.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

// RFC 9110, 12.4.2
describe('Quality.parse', (test) => {
  table(
    test,
    [
      ['0', O.some(0)], // "0" [ "." 0*3DIGIT ]
      ['0.', O.some(0)],
      ['0.5', O.some(500)],
      ['0.25', O.some(250)],
      ['0.001', O.some(1)],
      ['0.999', O.some(999)],
      ['0.000', O.some(0)],
      ['1', O.some(1000)], // "1" [ "." 0*3("0") ]
      ['1.', O.some(1000)],
      ['1.0', O.some(1000)],
      ['1.000', O.some(1000)],
      ['', O.none],
      ['.5', O.none],
      ['0.1234', O.none],
      ['1.0000', O.none],
      ['1.001', O.none],
      ['1.5', O.none],
      ['2', O.none],
      ['00', O.none],
      ['-1', O.none],
      ['+1', O.none],
      ['1e0', O.none],
      ['0x1', O.none],
      ['0,5', O.none],
      [' 1', O.none],
      ['1\n', O.none],
      ['NaN', O.none],
    ] as const,
    (text, expected) => assert.equal(Quality.parse(text), expected),
  )

  law(test, 'returns none or an integer from 0 to 1000', fc.string(), (text) => {
    const quality = Quality.parse(text)
    if (O.isSome(quality))
      assert.ok(Number.isInteger(quality.value) && quality.value >= 0 && quality.value <= 1000)
  })
})

describe('Quality.format', (test) => {
  table(
    test,
    [
      [Quality.mostPreferred, '1'],
      [999, '0.999'],
      [500, '0.5'],
      [10, '0.01'],
      [1, '0.001'],
      [Quality.notAcceptable, '0'],
    ] as const,
    (quality, expected) => assert.is(Quality.format(quality), expected),
  )
})

describe('Quality', (test) => {
  roundTrip(
    test,
    fc.integer({ min: 0, max: 1000 }),
    Quality.format,
    Quality.parse,
    (actual, expected) => assert.equal(actual, O.some(expected)),
  )
})

const offered = ['gzip', 'deflate', 'br'] as const

describe('Quality.chooseCoding', (test) => {
  table(
    test,
    [
      ['compress, gzip', 'gzip'], // the first five are from RFC 9110, 12.5.3
      ['', undefined],
      ['*', 'gzip'],
      ['compress;q=0.5, gzip;q=1.0', 'gzip'],
      ['gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
      ['gzip, deflate, br, zstd', 'gzip'], // the first offered among equals
      ['br, gzip', 'gzip'],
      ['gzip;q=0.5, br', 'br'],
      ['gzip;q=0.5, br;q=0.501', 'br'],
      ['gzip;q=0, *', 'deflate'],
      ['gzip;q=0', undefined],
      ['*;q=0', undefined],
      ['identity', undefined],
      ['identity;q=0', undefined], // no other coding is listed
      ['identity, gzip;q=0.9', undefined], // identity is preferred
      ['identity, gzip', 'gzip'],
      ['identity;q=0.5, gzip;q=0.5', 'gzip'],
      ['GZip', 'gzip'], // 8.4.1: case-insensitive
      ['x-gzip', 'gzip'], // 8.4.1.3
      ['gzip;Q=0.5', 'gzip'],
      ['gzip ; q=0.5 ,\tbr', 'br'],
      ['gzip;q=2, br;q=0.1', 'br'], // malformed members
      ['gzip;q=, br;q=0.1', 'br'],
      ['gzip;level=9, br;q=0.1', 'br'],
      ['g zip, br', 'br'],
      ['gzip;q=0, gzip', undefined], // the first weight counts
      ['zstd', undefined],
      [', ,', undefined],
    ] as const,
    (header, expected) =>
      assert.equal(Quality.chooseCoding(header, offered), O.fromNullable(expected)),
  )
  test('reads every member of a long header', () => {
    const others = Array<string>(5000).fill('a').join()
    assert.equal(Quality.chooseCoding(`${others},gzip`, offered), O.some('gzip'))
    assert.equal(Quality.chooseCoding(`gzip,${others},gzip;q=0`, offered), O.some('gzip'))
  })
  test('returns none without offers', () => assert.equal(Quality.chooseCoding('*', []), O.none))
  law(test, 'never throws', unicodeString, (text) => assert.ok(Quality.chooseCoding(text, offered)))
})

describe('Quality.codingQuality', (test) => {
  table(
    test,
    [
      ['gzip, br;q=0.5', 'gzip', 1000],
      ['gzip, br;q=0.5', 'br', 500],
      ['gzip, br;q=0.5', 'deflate', 0],
      ['gzip, br;q=0.5', undefined, 1], // acceptable by default
      ['gzip, *;q=0.3', 'br', 300],
      ['gzip, *;q=0.3', undefined, 300],
      ['identity;q=0.7, *;q=0', undefined, 700],
      ['identity;q=0', undefined, 0],
      ['*;q=0', undefined, 0],
      ['', 'gzip', 0],
      ['', undefined, 1],
      [undefined, undefined, 1000],
      [undefined, 'gzip', 1], // clients without support may not send the header
      ['gzip', 'GZIP', 1000],
      ['gzip', 'x-gzip', 1000],
      ['x-gzip', 'gzip', 1000],
    ] as const,
    (header, coding, expected) => assert.is(Quality.codingQuality(header, coding), expected),
  )
})
