import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as LanguageRange from '../../src/http/accept-language.ts'
import { describe, law, table } from '../support/describe.ts'

describe('LanguageRange.preferred', (test) => {
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
    (field, expected) => assert.equal(LanguageRange.preferred(field), expected),
  )
  test('reads every member of a long header', () => {
    assert.is(LanguageRange.preferred(Array(1000).fill('de').join()).length, 1000)
    assert.equal(LanguageRange.preferred(`${'?,'.repeat(1000)}en`), ['en'])
  })
  law(test, 'never throws', fc.string({ unit: 'binary' }), (text) =>
    assert.ok(LanguageRange.preferred(text).every((range) => text.includes(range))),
  )
})
