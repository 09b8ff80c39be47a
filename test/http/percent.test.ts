import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Percent from '../../src/http/percent.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

/** Generates texts that include lone surrogates and incomplete escapes. */
const anyText = fc.oneof(
  unicodeString,
  fc.string({ unit: fc.constantFrom('%', '2', 'F', 'c', '3', 'a', '9', '+', '\ud83d', '\ude00') }),
)

describe('Percent.decode', (test) => {
  table(
    test,
    [
      ['', ''],
      ['plain', 'plain'],
      ['%20', ' '], // RFC 3986, 2.1
      ['%c3%A9', 'é'], // digits in either case
      ['%E3%82%A2', 'ア'], // RFC 3986, 2.5
      ['%F0%9F%98%80', '😀'],
      ['%2525', '%25'], // RFC 3986, 2.4: not decoded twice
      ['%2F%3b%3D', '/;='], // delimiters are decoded
      ['a+b', 'a+b'], // a plus sign is a space only in forms
      ['%00', '\0'],
      ['é', 'é'],
      ['%', '%'], // URL Standard, 1.3: a percent sign that begins no escape
      ['100%', '100%'],
      ['%4', '%4'],
      ['%4G', '%4G'],
      ['%-1', '%-1'],
      ['%u0041', '%u0041'],
      ['%%41%', '%A%'],
      ['%zz%C3%A9', '%zzé'],
      ['%zz%FF', undefined],
      ['%FF', undefined], // RFC 3629, 3: invalid UTF-8
      ['%C3', undefined],
      ['%C3é', undefined],
      ['%A9', undefined],
      ['%C0%AF', undefined], // overlong
      ['%ED%A0%80', undefined], // a lone surrogate
      ['%F4%90%80%80', undefined], // beyond U+10FFFF
    ] as const,
    (text, expected) => assert.is(Percent.decode(text), expected),
  )
  law(test, 'never throws', anyText, (text) => {
    const decoded = Percent.decode(text)
    assert.ok(decoded === undefined || typeof decoded === 'string')
  })
})

describe('Percent.slice', (test) => {
  table(
    test,
    [
      ['abc', 1, 2, 'b'],
      ['a%20b', 1, 3, '%20b'],
      ['%E3%82%A2%C3%A9x', 1, 2, '%C3%A9'],
      ['%F0%9F%98%80%2F', 2, 3, '%2F'],
      ['%F0%9F%98%80%2F', 0, 2, '%F0%9F%98%80'],
      ['a', 1, 1, ''],
      ['5%/a', 1, 3, '%/'],
      ['%%41b', 1, 2, '%41'],
      ['%4gb', 1, 2, '4'],
    ] as const,
    (encoded, from, to, expected) => assert.is(Percent.slice(encoded, from, to), expected),
  )
  const parts = fc
    .tuple(anyText, anyText, anyText)
    .map((all) => all.map((text) => text.toWellFormed()))
  law(
    test,
    'the result decodes to the slice of the decoded text',
    parts,
    ([a = '', b = '', c = '']) => {
      const encoded = [a, b, c].map(Percent.encode).join('')
      assert.is(Percent.slice(encoded, a.length, a.length + b.length), Percent.encode(b))
    },
  )
})

describe('Percent.encode', (test) => {
  table(
    test,
    [
      ['', ''],
      ['AZaz09-._~', 'AZaz09-._~'], // RFC 3986, 2.3: unreserved
      [':/?#[]@', '%3A%2F%3F%23%5B%5D%40'], // 2.2: gen-delims
      ["!$&'()*+,;=", '%21%24%26%27%28%29%2A%2B%2C%3B%3D'], // 2.2: sub-delims
      ['%', '%25'],
      ['a b', 'a%20b'],
      ['ア', '%E3%82%A2'], // 2.5
      ['\ud83d', '%EF%BF%BD'], // a lone surrogate is replaced
    ] as const,
    (text, expected) => assert.is(Percent.encode(text), expected),
  )
  law(test, 'the result contains only unreserved characters and escapes', anyText, (text) =>
    assert.match(Percent.encode(text), /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/),
  )
})

describe('Percent', (test) => {
  roundTrip(test, anyText, Percent.encode, Percent.decode, (actual, text) =>
    assert.is(actual, text.toWellFormed()),
  )
})

describe('Percent.decodeForm', (test) => {
  table(
    test,
    [
      ['a+b', 'a b'],
      ['a%20b', 'a b'],
      ['a%2Bb', 'a+b'], // plus signs are replaced before decoding
      ['%C3%A9', 'é'],
      ['%+', '% '],
      ['+%FF', undefined],
    ] as const,
    (text, expected) => assert.is(Percent.decodeForm(text), expected),
  )
})
