import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as AcceptLanguage from '../../src/http/accept-language.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const languages = (text: string) => AcceptLanguage.preferred(AcceptLanguage.parse(text))

// RFC 9110, 12.5.4
describe('AcceptLanguage.parse', (test) => {
  test('keeps the order of the header and members with weight 0', () =>
    assert.equal(AcceptLanguage.parse('en;q=0, da, en-gb;q=0.8'), [
      { range: 'en', quality: 0 },
      { range: 'da', quality: 1000 },
      { range: 'en-gb', quality: 800 },
    ]))
})

describe('AcceptLanguage.preferred', (test) => {
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
    (header, expected) => assert.equal(languages(header), expected),
  )
  test('reads every member of a long header', () => {
    assert.is(languages(Array(1000).fill('de').join()).length, 1000)
    assert.equal(languages(`${'?,'.repeat(1000)}en`), ['en'])
  })
  law(test, 'never throws', unicodeString, (text) =>
    assert.ok(languages(text).every((range) => text.includes(range))),
  )
})

describe('AcceptLanguage.isTag', (test) => {
  for (const tag of ['de', 'de-CH', 'zh-Hant-CN-x-private1', 'i-klingon', 'sl-IT-nedis'])
    test(`accepts ${tag}`, () => assert.ok(AcceptLanguage.isTag(tag)))
  for (const text of [
    '',
    '*',
    'de_CH',
    'de-',
    '-de',
    'toolonglanguage',
    'd e',
    'de,en',
    'de-ä',
    '7a',
  ])
    test(`rejects ${JSON.stringify(text)}`, () => assert.not.ok(AcceptLanguage.isTag(text)))
})

describe('AcceptLanguage.match', (test) => {
  table(
    test,
    [
      // the header, the tag, and the weight and the index of the range that determines it
      ['de-CH, de;q=0.5', 'de-CH', [1000, 0]],
      ['de-CH;q=0.5, de', 'de-CH', [500, 0]], // the equal range
      ['de;q=0.5, de-CH-1996, *', 'de-CH', [500, 0]], // the prefix, not a longer range
      ['de;q=0.3, de-CH;q=0.2', 'de-CH-1996', [200, 1]], // the longest prefix
      ['en-US, en-GB;q=0.5', 'en', [1000, 0]], // lookup
      ['en-US;q=0.5, en-GB', 'en', [1000, 1]], // the greatest weight among equals
      ['en-US;q=0, en-GB;q=0.1', 'en', [100, 1]],
      ['en-US;q=0', 'en', [0, 0]], // excludes only American English
      ['en-US;q=0, *', 'en', [1000, 1]],
      ['en-US, en;q=0.2', 'en', [200, 1]],
      ['en;q=0, *', 'en-US', [0, 0]], // excludes all kinds of English
      ['en;q=0, *', 'de', [1000, 1]],
      ['de, *;q=0.1', 'fr', [100, 1]],
      ['en-US, *;q=0.1', 'en', [1000, 0]],
      ['de', 'fr', [0, 0]],
      ['de', 'den', [0, 0]], // prefixes end at a hyphen
      ['den', 'de', [0, 0]],
      ['DE-ch', 'de-CH', [1000, 0]], // RFC 4647, 2.1.1
      ['', 'de', [1000, 0]],
      ['de;q=2', 'fr', [1000, 0]], // all members are malformed
      ['de', undefined, [1000, 0]],
    ] as const,
    (header, tag, expected) => {
      const { quality, position } = AcceptLanguage.match(AcceptLanguage.parse(header), tag)
      assert.equal([quality, position], expected)
    },
  )
  test('the specificity decreases from equal ranges to the wildcard', () => {
    const specificities = ['de-CH', 'de', 'de-CH-1996', '*', 'fr'].map(
      (header) => AcceptLanguage.match(AcceptLanguage.parse(header), 'de-CH').specificity,
    )
    assert.equal(specificities, [4, 3, 2, 1, 0])
  })
  law(
    test,
    'a listed tag has the weight of its range',
    fc.stringMatching(/^[a-z]{2}(-[A-Z]{2})?$/),
    (tag) =>
      assert.is(
        AcceptLanguage.match(AcceptLanguage.parse(`*;q=0.1, ${tag};q=0.4`), tag).quality,
        400,
      ),
  )
})
