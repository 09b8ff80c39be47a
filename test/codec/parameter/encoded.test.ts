import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { encoded } from '../../../src/codec/parameter/encoded.ts'
import { describe, law } from '../../support/describe.ts'
import { hex, instance, sample } from '../../support/sample.ts'

describe('encoded', (test) => {
  test('is told by its tag', () => {
    assert.is(encoded(hex)._tag, 'EncodedType')
    assert.is(encoded(hex).codec, hex)
  })
  test('refuses what the codec refuses', () => assert.ok(E.isLeft(encoded(hex).decode('%66'))))
  law(test, 'reads, writes and is called as the codec', instance(sample), ({ codec, value }) => {
    const wire: unknown = codec.encode(value)
    assert.equal(encoded(codec).encode(value), wire)
    assert.equal(encoded(codec).decode(wire), codec.decode(wire))
    assert.is(encoded(codec).is(value), codec.is(value))
    assert.is(encoded(codec).name, codec.name)
  })
})
