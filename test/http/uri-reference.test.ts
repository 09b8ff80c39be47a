import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { escape, relative, uri } from '../../src/http/uri-reference.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

describe('UriReference.escape', (test) => {
  table(
    test,
    [
      ['/books/1', '/books/1'],
      ['https://example.com:8080/a?b=c#d', 'https://example.com:8080/a?b=c#d'],
      ['/a%20b', '/a%20b'], // a valid escape is kept
      ['/100%', '/100%25'],
      ['/a b', '/a%20b'],
      ['/tags/日本', '/tags/%E6%97%A5%E6%9C%AC'],
      ['/a\r\nSet-Cookie: b', '/a%0D%0ASet-Cookie:%20b'],
      ['/<script>', '/%3Cscript%3E'],
      ['/\ud800', '/%EF%BF%BD'],
    ] as const,
    (text, expected) => assert.is(escape(text), expected),
  )

  law(test, 'escaping is idempotent', unicodeString, (text) => {
    assert.is(escape(escape(text)), escape(text))
  })

  law(
    test,
    'the result contains no characters that are invalid in headers',
    unicodeString,
    (text) => {
      assert.match(escape(text), /^[\x21-\x7e]*$/)
    },
  )
})

describe('UriReference.uri', (test) => {
  test('encodes each value completely', () => {
    assert.is(uri`/lang/${'en/us'}`, '/lang/en%2Fus')
    assert.is(uri`/search?q=${'a&b=c'}&page=${2}`, '/search?q=a%26b%3Dc&page=2')
  })

  law(
    test,
    'decoding a path segment returns its value',
    fc.string({ unit: 'grapheme' }),
    (text) => {
      assert.is(decodeURIComponent(uri`/x/${text}`.slice(3)), text)
    },
  )
})

describe('UriReference.relative', (test) => {
  const from = new URL('http://a/b/c/d?q')
  table(
    test,
    [
      ['http://a/b/c/e', 'e'],
      ['http://a/b/c/e?f#g', 'e?f#g'],
      ['http://a/b/c/e/f', 'e/f'],
      ['http://a/b/c/d/e', 'd/e'],
      ['http://a/b/c/d?q', ''], // RFC 3986, 4.4: the same document
      ['http://a/b/c/d?q#g', '#g'],
      ['http://a/b/c/d?r', '?r'],
      ['http://a/b/c/d', 'd'], // without the query
      ['http://a/b/c/', './'],
      ['http://a/b/c', '../c'],
      ['http://a/b/', '../'],
      ['http://a/b', '../../b'],
      ['http://a/', '../../'],
      ['http://a/x', '../../x'],
      ['http://a/b/c/x:y', './x:y'], // 4.2: a colon would start a scheme
      ['http://a/b/c//x', './/x'], // a slash would start an absolute path
      ['http://a//b', '../..//b'],
      ['https://a/b/c/d?q', 'https://a/b/c/d?q'],
      ['http://b/b/c/d?q', 'http://b/b/c/d?q'],
      ['http://u@a/b/c/d?q', 'http://u@a/b/c/d?q'],
      ['mailto:a@b', 'mailto:a@b'],
    ] as const,
    (to, expected) => {
      assert.is(relative(from, new URL(to)), expected)
      assert.is(new URL(expected, from).href, to)
    },
  )

  const path = fc.array(fc.constantFrom('', 'a', 'b', 'c:d', 'é'), { maxLength: 5 })
  const part = fc.record({
    path,
    query: fc.constantFrom('', '?q', '?r'),
    hash: fc.constantFrom('', '#h'),
  })
  const url = part.map(
    (parts) => new URL(`http://a/${parts.path.join('/')}${parts.query}${parts.hash}`),
  )
  law(test, 'resolving the reference returns the target', fc.tuple(url, url), ([base, target]) =>
    assert.is(new URL(relative(base, target), base).href, target.href),
  )
})
