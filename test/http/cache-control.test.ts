import * as assert from 'uvu/assert'
import * as CacheControl from '../../src/http/cache-control.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

describe('CacheControl.format', (test) => {
  table<readonly [string, CacheControl.CacheControl]>(
    test,
    [
      ['', {}],
      ['max-age=60', { maxAge: 60 }], // RFC 9111, 5.2.2.1
      ['must-revalidate', { mustRevalidate: true }],
      ['no-cache', { noCache: true }], // 5.2.2.4
      ['no-cache="Set-Cookie"', { noCache: ['Set-Cookie'] }],
      ['no-cache="f1", no-cache="f2"', { noCache: ['f1', 'f2'] }],
      ['no-cache', { noCache: [] }], // an empty list: the whole response
      ['no-store', { noStore: true }],
      ['no-transform', { noTransform: true }],
      ['private', { private: true }],
      ['proxy-revalidate', { proxyRevalidate: true }],
      ['public', { public: true }],
      ['s-maxage=600', { sMaxAge: 600 }], // 5.2.2.10
      ['max-age=31536000, immutable', { maxAge: 31536000, immutable: true }], // RFC 8246, 2
      ['max-age=600, stale-while-revalidate=30', { maxAge: 600, staleWhileRevalidate: 30 }], // RFC 5861, 3.1
      ['max-age=600, stale-if-error=1200', { maxAge: 600, staleIfError: 1200 }], // RFC 5861, 4.1
      ['max-age=0', { maxAge: 0 }],
      ['max-age=2147483648', { maxAge: 2147483648 }], // RFC 9111, 1.2.2
      ['', { public: false, noStore: false, noCache: false }],
      [
        'must-revalidate, no-store, max-age=100, private',
        { maxAge: 100, noStore: true, mustRevalidate: true, private: true },
      ],
      [
        'no-cache="a", no-cache="b", public, must-revalidate, no-transform, no-store, proxy-revalidate, ' +
          's-maxage=2, max-age=1, private, immutable, stale-while-revalidate=3, stale-if-error=4',
        {
          maxAge: 1,
          sMaxAge: 2,
          public: true,
          private: true,
          noStore: true,
          noTransform: true,
          mustRevalidate: true,
          proxyRevalidate: true,
          noCache: ['a', 'b'],
          immutable: true,
          staleWhileRevalidate: 3,
          staleIfError: 4,
        },
      ],
    ],
    (expected, options) => assert.is(CacheControl.format(options), expected),
  )

  for (const name of ['maxAge', 'sMaxAge', 'staleWhileRevalidate', 'staleIfError'] as const)
    table<readonly [string, number]>(
      test,
      [-1, 1.5, 2147483649, Infinity, NaN].map((value) => [`${name} of ${value}`, value] as const),
      (_, value) =>
        assert.throws(
          () => CacheControl.format({ [name]: value }),
          (error: unknown) => error instanceof RangeError,
        ),
    )

  table(test, [[''], ['a b'], ['a"'], ['a, b'], ['é'], ['a\r\nb']] as const, (name) =>
    assert.throws(
      () => CacheControl.format({ noCache: ['ok', name] }),
      (error: unknown) => error instanceof TypeError,
    ),
  )

  law(test, 'a header name in no-cache cannot add a directive', unicodeString, (name) => {
    const written = attempt(() => CacheControl.format({ noCache: [name] }))
    assert.match(written, /^(?:no-cache="[^"\\,\s]+"|TypeError)$/)
  })
})

const attempt = (write: () => string): string => {
  try {
    return write()
  } catch (error) {
    return error instanceof Error ? error.name : String(error)
  }
}
