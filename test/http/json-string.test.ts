import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { quote } from '../../src/http/json-string.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

describe('quote', (test) => {
  table(
    test,
    [
      ['', '""'],
      ['plain', '"plain"'],
      ['"', '"\\""'], // RFC 8259, 7
      ['\\', '"\\\\"'],
      ['/', '"/"'],
      ['\b\f\n\r\t', '"\\b\\f\\n\\r\\t"'],
      ['\0\x1f', '"\\u0000\\u001f"'],
      ['\x7f\x80\u2028\u2029\ufeff', '"\x7f\x80\u2028\u2029\ufeff"'],
      ['\u{1f600}', '"\u{1f600}"'],
      ['\ud83d', '"\\ud83d"'], // ECMA-262, QuoteJSONString
      ['\ude00\ud83d', '"\\ude00\\ud83d"'],
    ] as const,
    (text, expected) => assert.is(quote(text), expected),
  )
  test('returns the same text as JSON.stringify for each code unit', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const char = String.fromCharCode(unit)
      assert.is(quote(char), JSON.stringify(char))
      assert.is(quote(`a${char}b`), JSON.stringify(`a${char}b`))
    }
  })
  /** Code units in any order, which include surrogate pairs, lone surrogates and reversed pairs. */
  const units = fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: 0xffff }),
        fc.integer({ min: 0xd7ff, max: 0xe000 }),
        fc.integer({ min: 0, max: 0x80 }),
      ),
    )
    .map((codes) => String.fromCharCode(...codes))
  const anyText = fc.oneof(units, fc.string(), unicodeString)
  law(test, 'returns the same text as JSON.stringify for any text', anyText, (text) =>
    assert.is(quote(text), JSON.stringify(text)),
  )
})
