import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { escape, uri } from '../../src/http/uri-reference.ts'
import { describe, law, table } from '../support/describe.ts'

describe('UriReference.escape', (test) => {
  table(
    test,
    [
      ['/books/1', '/books/1'],
      ['https://example.com:8080/a?b=c#d', 'https://example.com:8080/a?b=c#d'],
      ['/a%20b', '/a%20b'], // an escape stays
      ['/100%', '/100%25'],
      ['/a b', '/a%20b'],
      ['/tags/日本', '/tags/%E6%97%A5%E6%9C%AC'],
      ['/a\r\nSet-Cookie: b', '/a%0D%0ASet-Cookie:%20b'],
      ['/<script>', '/%3Cscript%3E'],
      ['/\ud800', '/%EF%BF%BD'],
    ] as const,
    (text, expected) => assert.is(escape(text), expected),
  )

  law(test, 'escaping twice is escaping once', fc.string({ unit: 'binary' }), (text) => {
    assert.is(escape(escape(text)), escape(text))
  })

  law(test, 'leaves nothing that ends a header field', fc.string({ unit: 'binary' }), (text) => {
    assert.match(escape(text), /^[\x21-\x7e]*$/)
  })
})

describe('UriReference.uri', (test) => {
  test('R-059 a value is encoded as a whole', () => {
    assert.is(uri`/lang/${'en/us'}`, '/lang/en%2Fus')
    assert.is(uri`/search?q=${'a&b=c'}&page=${2}`, '/search?q=a%26b%3Dc&page=2')
  })

  law(test, 'a path segment gives its value back', fc.string({ unit: 'grapheme' }), (text) => {
    assert.is(decodeURIComponent(uri`/x/${text}`.slice(3)), text)
  })
})
