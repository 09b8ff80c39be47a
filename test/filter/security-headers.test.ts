import * as assert from 'uvu/assert'
import type { SecurityHeadersOptions, ResponseContext } from '../../src/index.ts'
import { ok, securityHeaders } from '../../src/index.ts'
import type { AnyFilter } from '../../src/endpoint/filter.ts'
import { testContext } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

/** Returns the headers that a filter adds, with or without TLS. */
const sent = (filter: AnyFilter, secure: boolean): ReadonlyArray<string> => {
  if (filter._tag !== 'ResponseFilter') throw new Error(`not a response filter: ${filter._tag}`)
  const context: ResponseContext = testContext({ security: { secure } })
  return (filter.run(ok(''), context, undefined) as { headers: ReadonlyArray<string> }).headers
}

const nosniff = ['X-Content-Type-Options', 'nosniff']

describe('securityHeaders, Strict-Transport-Security over TLS', (test) => {
  table<readonly [string, SecurityHeadersOptions['strictTransportSecurity'], string]>(
    test,
    [
      ['true', true, 'max-age=31536000; includeSubDomains'],
      ['seconds', { maxAge: 60 }, 'max-age=60'],
      ['a maxAge of 0', { maxAge: 0 }, 'max-age=0'],
      [
        'all options',
        { maxAge: 63_072_000, includeSubDomains: true, preload: true },
        'max-age=63072000; includeSubDomains; preload',
      ],
    ],
    (_, strictTransportSecurity, value) => {
      const filter = securityHeaders({
        ...(strictTransportSecurity && { strictTransportSecurity }),
      })
      assert.equal(sent(filter, true), [...nosniff, 'Strict-Transport-Security', value])
      assert.equal(sent(filter, false), nosniff)
    },
  )
  test('without options, only nosniff is sent', () =>
    assert.equal(sent(securityHeaders(), true), nosniff))
})

describe('securityHeaders, invalid options', (test) => {
  test('a value with a line break throws', () =>
    assert.throws(() => securityHeaders({ contentSecurityPolicy: 'a\r\nb' }), /Content-Security/))
  test('a fractional maxAge throws', () =>
    assert.throws(
      () => securityHeaders({ strictTransportSecurity: { maxAge: 1.5 } }),
      /seconds, got 1.5/,
    ))
})
