import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Modify } from '../../src/endpoint/reply.ts'
import {
  allow,
  cacheControl,
  contentLocation,
  etag,
  expires,
  language,
  lastModified,
  link,
  mediaType,
  ok,
  variants,
  vary,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const newYear = new Date('2021-01-01T00:00:00.999Z')

describe('reply headers: values', (test) => {
  table<readonly [string, Modify, ReadonlyArray<string>]>(
    test,
    [
      ['mediaType', mediaType('text/stef'), ['Content-Type', 'text/stef']],
      ['expires', expires(newYear), ['Expires', 'Fri, 01 Jan 2021 00:00:00 GMT']],
      [
        'cacheControl',
        cacheControl({ maxAge: 60, private: true }),
        ['Cache-Control', 'max-age=60, private'],
      ],
      ['allow', allow('BAR', 'FOO'), ['Allow', 'BAR, FOO']],
      ['allow nothing', allow(), ['Allow', '']], // RFC 9110, 10.2.1: an empty list
      ['etag', etag('yourit'), ['ETag', '"yourit"']],
      ['etag, weak', etag({ weak: true, opaque: 'yourit' }), ['ETag', 'W/"yourit"']],
      ['etag, strong', etag({ weak: false, opaque: 'yourit' }), ['ETag', '"yourit"']],
      [
        'link',
        link({ target: 'http://example.com/stef', rel: 'stef' }),
        ['Link', '<http://example.com/stef>; rel="stef"'],
      ],
      ['language', language('fr'), ['Content-Language', 'fr']],
      ['languages', language('en', 'fr-CA'), ['Content-Language', 'en, fr-CA']],
      ['variants: language', variants({ language: true }), ['Vary', 'Accept-Language']],
      ['variants: encoding', variants({ encoding: true }), ['Vary', 'Accept-Encoding']],
      ['variants: mediaType', variants({ mediaType: true }), ['Vary', 'Accept']],
      [
        'variants: all',
        variants({ encoding: true, language: true, mediaType: true }),
        ['Vary', 'Accept, Accept-Language, Accept-Encoding'],
      ],
      ['variants: none', variants({ language: false }), []],
      ['lastModified', lastModified(newYear), ['Last-Modified', 'Fri, 01 Jan 2021 00:00:00 GMT']],
      ['vary', vary('Origin', 'X-A'), ['Vary', 'Origin, X-A']],
      ['contentLocation', contentLocation('../b?c'), ['Content-Location', '../b?c']],
    ],
    (_, modify, headers) => assert.equal(modify(ok('a')), { ...ok('a'), headers }),
  )
})

const twice = (first: Modify, second: Modify): ReadonlyArray<string> =>
  pipe(ok('a'), first, second).headers

describe('reply headers: set twice', (test) => {
  table<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]>(
    test,
    [
      ['mediaType', twice(mediaType('a/a'), mediaType('b/b')), ['Content-Type', 'b/b']],
      [
        'expires',
        twice(expires(new Date(0)), expires(newYear)),
        ['Expires', 'Fri, 01 Jan 2021 00:00:00 GMT'],
      ],
      [
        'lastModified',
        twice(lastModified(new Date(0)), lastModified(newYear)),
        ['Last-Modified', 'Fri, 01 Jan 2021 00:00:00 GMT'],
      ],
      ['etag', twice(etag('a'), etag('b')), ['ETag', '"b"']],
      [
        'cacheControl',
        twice(cacheControl({ maxAge: 1 }), cacheControl({ noStore: true })),
        ['Cache-Control', 'no-store'],
      ],
      ['language', twice(language('a'), language('b')), ['Content-Language', 'b']],
      [
        'contentLocation',
        twice(contentLocation('a'), contentLocation('b')),
        ['Content-Location', 'b'],
      ],
      ['allow', twice(allow('GET'), allow('PUT')), ['Allow', 'PUT']],
      ['vary accumulates', twice(vary('A'), vary('B')), ['Vary', 'A', 'Vary', 'B']],
      [
        'link accumulates',
        twice(link({ target: 'a', rel: 'b' }), link({ target: 'c', rel: 'd' })),
        ['Link', '<a>; rel="b"', 'Link', '<c>; rel="d"'],
      ],
    ],
    (_, actual, expected) => assert.equal(actual, expected),
  )
})

describe('reply headers: invalid values', (test) => {
  const never = new Date(NaN)
  table<readonly [string, () => unknown, typeof RangeError | typeof TypeError]>(
    test,
    [
      ['expires with an invalid date', () => expires(never), RangeError],
      ['lastModified with an invalid date', () => lastModified(never), RangeError],
      ['a negative duration', () => cacheControl({ maxAge: -1 }), RangeError],
      ['a link without a relation', () => link({ target: '/', rel: [] }), TypeError],
      ['an ETag with a line break', () => etag('a\nb')(ok('a')), TypeError],
      ['a language with a line break', () => language('a\nb')(ok('a')), TypeError],
    ],
    (_, make, kind) => assert.throws(make, (error: unknown) => error instanceof kind),
  )
})
