import * as assert from 'uvu/assert'
import type { Observation } from '../../../src/client/policy/observe-requests.ts'
import { observed } from '../../../src/client/policy/observe-requests.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import {
  responseOutcome,
  fakeTransport,
  send,
  networkError,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const about = {
  operation: 'books.get',
  template: '/books/{id}',
  method: 'GET',
  origin: 'http://books.test',
}

describe('observed', (test) => {
  test('R-460: tells status or error, and how long it took', async () => {
    const clock = fakeClock()
    const seen: Observation[] = []
    const policy = observed((one) => seen.push(one), { clock })
    const network = fakeTransport(
      (_, n) =>
        new Promise((resolve) =>
          clock.after(25, () => resolve(n === 0 ? responseOutcome(404) : networkError)),
        ),
    )
    for (let n = 0; n < 2; n++) {
      const sent = send(policy, network)
      await clock.advance(25)
      await sent
    }
    assert.equal(seen, [
      { ...about, status: 404, error: undefined, duration: 25 },
      { ...about, status: undefined, error: 'NetworkError', duration: 25 },
    ])
  })
  test('R-460: calls around a retry, tries within it', async () => {
    const clock = fakeClock()
    const calls: Observation[] = []
    const tries: Observation[] = []
    const network = fakeTransport(() => networkError)
    const sent = send(
      [
        observed((one) => calls.push(one)),
        retry({ times: 2, clock }),
        observed((one) => tries.push(one)),
      ],
      network,
    )
    await clock.advance(60_000)
    await sent
    assert.equal([calls.length, tries.length], [1, 3])
  })
  test('R-460: a function that throws breaks no call', async () => {
    const policy = observed(() => {
      throw new Error('oops')
    })
    assert.is(
      outcomeName(
        await send(
          policy,
          fakeTransport(() => responseOutcome(200)),
        ),
      ),
      200,
    )
  })
})
