import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { retry, createBackoff } from '../../../src/client/policy/retry.ts'
import { describe, law, table } from '../../support/describe.ts'
import { fakeClock } from '../fake-clock.ts'
import { fakeTransport, networkError, requestTo } from '../fake-transport.ts'

const options = fc.record({
  first: fc.nat({ max: 10_000 }),
  factor: fc.double({ min: 1, max: 100, noNaN: true }),
  max: fc.nat({ max: 100_000 }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
})
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
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
    'without jitter no delay is shorter than the previous one',
    fc.tuple(options, again),
    ([settings, times]) => {
      const backoff = createBackoff({ ...settings, jitter: 0 })
      assert.ok(backoff(times, 0) <= backoff(times + 1, 0))
    },
  )
  law(
    test,
    'delays do not exceed max, and jitter reduces them by at most its share',
    fc.tuple(options, again, random),
    ([settings, times, number]) => {
      const wait = createBackoff(settings)(times, number)
      const full = createBackoff({ ...settings, jitter: 0 })(times, 0)
      assert.ok(wait <= settings.max && wait <= full)
      assert.ok(wait >= full * (1 - settings.jitter) && wait >= 0)
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
    (settings) => assert.throws(() => createBackoff(settings), RangeError),
  )
})

describe('retryBudget', (test) => {
  test('during an outage, retries are limited to a share of the calls', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => networkError)
    const passage = retry({ times: 3, clock, budget: { share: 0.1, reserve: 5 } }).around(
      network.passage,
    )
    for (let n = 0; n < 200; n++) {
      const sent = passage(requestTo())()
      await clock.advance(60_000)
      await sent
    }
    const retries = network.sent.length - 200
    assert.ok(retries >= 24 && retries <= 25, String(retries))
  })
  test('each client has its own budget', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => networkError)
    const policy = retry({ times: 1, clock, budget: { share: 0, reserve: 1 } })
    const [first, second] = [policy.around(network.passage), policy.around(network.passage)]
    for (const passage of [first, first, second, second]) {
      const sent = passage(requestTo())()
      await clock.advance(60_000)
      await sent
    }
    assert.is(network.sent.length, 2 + 1 + 2 + 1)
  })
  table(test, [[{ share: -1 }], [{ reserve: -1 }], [{ share: NaN }]] as const, (budget) =>
    assert.throws(() => retry({ times: 1, budget }), RangeError),
  )
})
