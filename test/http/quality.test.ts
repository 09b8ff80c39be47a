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

describe('Quality.preferredLanguages', (test) => {
  table(
    test,
    [
      ['da, en-gb;q=0.8, en;q=0.7', ['da', 'en-gb', 'en']], // RFC 9110, 12.5.4
      ['en;q=0.7, da, en-gb;q=0.8', ['da', 'en-gb', 'en']],
      ['de, fr, it', ['de', 'fr', 'it']], // the order of the header among equals
      ['fr;q=0.5, de;q=0.5', ['fr', 'de']],
      ['*', ['*']], // RFC 4647, 2.1
      ['de, *;q=0.1', ['de', '*']],
      ['zh-Hant-CN-x-private1', ['zh-Hant-CN-x-private1']],
      ['de-1996', ['de-1996']],
      ['de;q=0, en', ['en']], // RFC 9110, 12.4.2: not acceptable
      ['de;q=0.001, en;q=1.000', ['en', 'de']],
      ['de ; q=0.2 ,en\t;\tq=0.3', ['en', 'de']],
      ['de;Q=0.2, en', ['en', 'de']], // parameter names are case-insensitive
      ['', []],
      [', ,', []],
      ['de;q=1.1, en', ['en']],
      ['de;q=0.1234, en', ['en']],
      ['de;q=, en', ['en']],
      ['de;q=x, en', ['en']],
      ['de;level=1, en', ['en']],
      ['toolonglanguage, en', ['en']], // 1*8ALPHA
      ['en-, de', ['de']],
      ['e n, de', ['de']],
      ['*-CH, de', ['de']], // HTTP does not use extended ranges (RFC 4647, 2.2)
      ['7a, de', ['de']],
    ] as const,
    (header, expected) => assert.equal(Quality.preferredLanguages(header), expected),
  )
  test('reads every member of a long header', () => {
    assert.is(Quality.preferredLanguages(Array(1000).fill('de').join()).length, 1000)
    assert.equal(Quality.preferredLanguages(`${'?,'.repeat(1000)}en`), ['en'])
  })
  law(test, 'never throws', unicodeString, (text) =>
    assert.ok(Quality.preferredLanguages(text).every((range) => text.includes(range))),
  )
})
