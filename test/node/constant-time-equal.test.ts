import * as assert from 'uvu/assert'
import { sameSecret } from '../../src/node.ts'
import { describe, table } from '../support/describe.ts'

describe('sameSecret', (test) => {
  table<[name: string, a: string | Uint8Array, b: string | Uint8Array, same: boolean]>(
    test,
    [
      ['the same', 'plüm', 'plüm', true],
      ['text and its octets', 'plüm', Buffer.from('plüm'), true],
      ['the last letter', 'plum', 'plus', false],
      ['a beginning', 'plum', 'plu', false],
      ['nothing', 'plum', '', false],
      ['lengths that differ much', 'a', 'a'.repeat(100_000), false],
      ['case', 'plum', 'Plum', false],
    ],
    (_, a, b, same) => {
      assert.is(sameSecret(a, b), same)
      assert.is(sameSecret(b, a), same)
    },
  )
})
