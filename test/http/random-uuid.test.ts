import * as assert from 'uvu/assert'
import { randomUuid } from '../../src/http/random-uuid.ts'
import { describe } from '../support/describe.ts'

describe('randomUuid', (test) => {
  test('returns version 4 UUIDs (RFC 9562, 5.4)', () => {
    for (let count = 0; count < 1_000; count++)
      assert.match(randomUuid(), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test('returns a different UUID for each call, also across batches', () => {
    const uuids = new Set(Array.from({ length: 10_000 }, randomUuid))
    assert.is(uuids.size, 10_000)
  })

  test('returns every digit at every random position', () => {
    const seen = Array.from({ length: 36 }, () => new Set<string>())
    for (let count = 0; count < 2_000; count++)
      for (const [position, digit] of randomUuid().split('').entries()) seen[position]?.add(digit)
    const sizes = seen.map(({ size }) => size)
    const fixed = new Map([8, 13, 14, 18, 23].map((position) => [position, 1] as const))
    assert.equal(
      sizes,
      sizes.map((_, position) => fixed.get(position) ?? (position === 19 ? 4 : 16)),
    )
  })
})
