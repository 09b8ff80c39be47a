import * as assert from 'uvu/assert'
import { nativeLossless } from '../../../src/codec/json/lossless.ts'
import { lossless } from '../../../src/codec/json/lossless.ts'
import { describe, law } from '../../support/describe.ts'
import { jsonText } from '../../support/json-text.ts'

const hasSources = 'rawJSON' in JSON

describe('JSON with every digit by the platform', (test) => {
  if (!hasSources)
    test('is not there on a platform that rounds', () =>
      assert.throws(() => nativeLossless(), /a platform that has JSON\.rawJSON/))
  else {
    const { parse, stringify } = nativeLossless()
    law(test, 'reads what the package reads', jsonText, (text) =>
      assert.equal(parse(text), lossless.parse(text)),
    )
    law(test, 'writes what it has read, letter by letter', jsonText, (text) =>
      assert.is(stringify(parse(text)), text),
    )
    test('writes whole numbers of any size', () =>
      assert.is(stringify({ a: [12345678901234567890n] }), '{"a":[12345678901234567890]}'))
    test('writes nothing for what has no JSON', () => assert.is(stringify(undefined), undefined))
    test('refuses what is no JSON', () => assert.throws(() => parse('{'), /JSON/))
  }
})
