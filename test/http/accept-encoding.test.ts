import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as AcceptEncoding from '../../src/http/accept-encoding.ts'
import { describe, law, table } from '../support/describe.ts'

const offered = ['gzip', 'deflate', 'br'] as const

describe('AcceptEncoding.choose', (test) => {
  table(
    test,
    [
      ['compress, gzip', 'gzip'], // RFC 9110, 12.5.3, the five
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
      assert.equal(AcceptEncoding.choose(header, offered), O.fromNullable(expected)),
  )
  test('reads every member of a long header', () => {
    const others = Array<string>(5000).fill('a').join()
    assert.equal(AcceptEncoding.choose(`${others},gzip`, offered), O.some('gzip'))
    assert.equal(AcceptEncoding.choose(`gzip,${others},gzip;q=0`, offered), O.some('gzip'))
  })
  test('returns none without offers', () => assert.equal(AcceptEncoding.choose('*', []), O.none))
  law(test, 'never throws', fc.string({ unit: 'binary' }), (text) =>
    assert.ok(AcceptEncoding.choose(text, offered)),
  )
})
