import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { createBackoff } from '../../../src/client/policy/retry-rules.ts'
import { describe, law, table } from '../../support/describe.ts'

const options = fc.record({
  first: fc.nat({ max: 10_000 }),
  factor: fc.double({ min: 1, max: 100, noNaN: true }),
  max: fc.nat({ max: 100_000 }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
})
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const again = fc.nat({ max: 2000 })

describe('createBackoff', (test) => {
  table(
    test,
    [
      [0, 100],
      [1, 200],
      [2, 400],
      [6, 6400],
      [7, 10_000],
      [5000, 10_000],
    ] as const,
    (times, expected) => assert.is(createBackoff({ jitter: 0 })(times, 0.9), expected),
  )
  law(
    test,
    'R-448: without chance no wait is shorter than the one before',
    fc.tuple(options, again),
    ([one, times]) => {
      const backoff = createBackoff({ ...one, jitter: 0 })
      assert.ok(backoff(times, 0) <= backoff(times + 1, 0))
    },
  )
  law(
    test,
    'R-448: no wait is longer than the limit, and no more of it than the jitter is left to chance',
    fc.tuple(options, again, chance),
    ([one, times, number]) => {
      const wait = createBackoff(one)(times, number)
      const full = createBackoff({ ...one, jitter: 0 })(times, 0)
      assert.ok(wait <= one.max && wait <= full)
      assert.ok(wait >= full * (1 - one.jitter) && wait >= 0)
    },
  )
  table(
    test,
    [
      [{ factor: 0.9 }],
      [{ factor: NaN }],
      [{ jitter: 1.1 }],
      [{ jitter: -0.1 }],
      [{ first: 'soon' }],
      [{ max: -1 }],
    ] as const,
    (bad) => assert.throws(() => createBackoff(bad), RangeError),
  )
})
