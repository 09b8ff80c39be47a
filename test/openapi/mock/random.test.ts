import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { random } from '../../../src/openapi/mock/random.ts'
import { describe } from '../../support/describe.ts'

describe('random', (test) => {
  test('the same seed and keys result in the same numbers', () =>
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (seed, keys) => {
        const fork = () => keys.reduce((numbers, key) => numbers.fork(key), random(seed))
        const [a, b] = [fork(), fork()]
        assert.equal([a.next(), a.next(), a.integer(0, 99)], [b.next(), b.next(), b.integer(0, 99)])
      }),
    ))
  test('a fork does not depend on the numbers that were drawn', () => {
    const drawn = random(1)
    for (let index = 0; index < 10; index++) drawn.next()
    assert.is(drawn.fork('a').next(), random(1).fork('a').next())
  })
  test('different seeds and different keys result in different numbers', () => {
    const seeds = Array.from({ length: 1000 }, (_, seed) => random(seed).next())
    const keys = Array.from({ length: 1000 }, (_, key) => random(0).fork(key).next())
    assert.ok(new Set(seeds).size > 990)
    assert.ok(new Set(keys).size > 990)
  })
  test('integers are uniformly distributed between the limits', () => {
    const numbers = random('distribution')
    const counts = new Map<number, number>()
    for (let index = 0; index < 10_000; index++) {
      const value = numbers.integer(-2, 2)
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    assert.equal(
      [...counts.keys()].toSorted((a, b) => a - b),
      [-2, -1, 0, 1, 2],
    )
    for (const count of counts.values()) assert.ok(count > 1800 && count < 2200, String(count))
  })
})
