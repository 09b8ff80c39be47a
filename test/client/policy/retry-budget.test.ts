import * as assert from 'uvu/assert'
import { retry } from '../../../src/client/policy/retry.ts'
import { requestTo, fakeTransport, networkError } from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { fakeClock } from '../../support/fake-clock.ts'

describe('retry: the budget', (test) => {
  test('R-448: while everything fails, retries are a share of the calls', async () => {
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
  test('R-448: it belongs to a client', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => networkError)
    const policy = retry({ times: 1, clock, budget: { share: 0, reserve: 1 } })
    const [one, other] = [policy.around(network.passage), policy.around(network.passage)]
    for (const passage of [one, one, other, other]) {
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
