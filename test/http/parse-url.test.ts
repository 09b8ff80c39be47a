import * as assert from 'uvu/assert'
import { parseUrl } from '../../src/http/parse-url.ts'
import { describe } from '../support/describe.ts'

describe('parseUrl', (test) => {
  test('parses absolute and relative URLs', () => {
    assert.is(parseUrl('http://a.example/b')?.href, 'http://a.example/b')
    assert.is(parseUrl('../c?d', 'http://a.example/b/')?.href, 'http://a.example/c?d')
  })
  test('returns undefined for an invalid URL', () => {
    assert.is(parseUrl('/b'), undefined)
    assert.is(parseUrl('http://a b/'), undefined)
    assert.is(parseUrl('c', 'no base'), undefined)
  })
  test('parses characters beyond ASCII after many calls', () => {
    for (let index = 0; index < 200_000; index++)
      if (parseUrl('http://b\u00fccher.example/\u00e9')?.hostname !== 'xn--bcher-kva.example')
        throw new Error(`call ${index} failed`)
  })
})
