import * as assert from 'uvu/assert'
import { constantTimeEqual } from '../../src/node.ts'
import { describe, table } from '../support/describe.ts'

describe('constantTimeEqual', (test) => {
  table<[title: string, a: string | Uint8Array, b: string | Uint8Array, isEqual: boolean]>(
    test,
    [
      ['equal strings', 'plüm', 'plüm', true],
      ['a string and its UTF-8 bytes', 'plüm', Buffer.from('plüm'), true],
      ['a different last letter', 'plum', 'plus', false],
      ['a prefix', 'plum', 'plu', false],
      ['an empty string', 'plum', '', false],
      ['very different lengths', 'a', 'a'.repeat(100_000), false],
      ['different case', 'plum', 'Plum', false],
    ],
    (_, a, b, isEqual) => {
      assert.is(constantTimeEqual(a, b), isEqual)
      assert.is(constantTimeEqual(b, a), isEqual)
    },
  )
})
