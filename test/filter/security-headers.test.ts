import * as assert from 'uvu/assert'
import type { SecurityHeadersOptions, ResponseContext } from '../../src/index.ts'
import { ok, securityHeaders } from '../../src/index.ts'
import type { AnyFilter } from '../../src/endpoint/filter.ts'
import { testContext } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

/** What a filter makes of a reply, over TLS or not. */
const sent = (filter: AnyFilter, secure: boolean): ReadonlyArray<string> => {
  if (filter._tag !== 'ResponseFilter') throw new Error(`no response filter: ${filter._tag}`)
  const context: ResponseContext = testContext({ security: { secure } })
  return (filter.run(ok(''), context, undefined) as { headers: ReadonlyArray<string> }).headers
}

const nosniff = ['X-Content-Type-Options', 'nosniff']

describe('securityHeaders, over TLS', (test) => {
  table<readonly [string, SecurityHeadersOptions['strictTransportSecurity'], string]>(
    test,
    [
      ['true', true, 'max-age=31536000; includeSubDomains'],
      ['seconds', { maxAge: 60 }, 'max-age=60'],
      ['taken back', { maxAge: 0 }, 'max-age=0'],
      [
        'all of it',
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
  test('nothing that was not asked for', () => assert.equal(sent(securityHeaders(), true), nosniff))
})

describe('securityHeaders, what cannot be meant', (test) => {
  test('a text that cannot be sent', () =>
    assert.throws(() => securityHeaders({ contentSecurityPolicy: 'a\r\nb' }), /Content-Security/))
  test('part of a second', () =>
    assert.throws(
      () => securityHeaders({ strictTransportSecurity: { maxAge: 1.5 } }),
      /seconds, not 1.5/,
    ))
})
