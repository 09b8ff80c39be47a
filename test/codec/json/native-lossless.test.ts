import * as assert from 'uvu/assert'
import { nativeLossless, lossless } from '../../../src/codec/json/lossless.ts'
import { describe, law } from '../../support/describe.ts'
import { jsonText } from './json-text.ts'

const hasRawJson = 'rawJSON' in JSON

describe('nativeLossless', (test) => {
  if (!hasRawJson)
    test('throws on a platform without JSON.rawJSON', () =>
      assert.throws(() => nativeLossless(), /lossless JSON requires JSON\.rawJSON/))
  else {
    const { parse, stringify } = nativeLossless()
    law(test, 'parses the same values as the package', jsonText, (text) =>
      assert.equal(parse(text), lossless.parse(text)),
    )
    law(test, 'stringify returns the text that was parsed', jsonText, (text) =>
      assert.is(stringify(parse(text)), text),
    )
    test('writes bigints as numbers', () =>
      assert.is(stringify({ a: [12345678901234567890n] }), '{"a":[12345678901234567890]}'))
    test('stringify returns undefined for undefined', () =>
      assert.is(stringify(undefined), undefined))
    test('rejects malformed JSON', () => assert.throws(() => parse('{'), /JSON/))
  }
})
