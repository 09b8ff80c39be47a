import * as assert from 'uvu/assert'
import type { Observation } from '../../../src/client/policy/logging.ts'
import { observeRequests } from '../../../src/client/policy/logging.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import { responseOf, fakeTransport, send, networkError, statusOrTag } from '../fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { fakeClock } from '../fake-clock.ts'

const common = {
  operation: 'books.get',
  template: '/books/{id}',
  method: 'GET',
  origin: 'http://books.test',
}

describe('observeRequests', (test) => {
  test('reports the status or the error, and the duration', async () => {
    const clock = fakeClock()
    const seen: Observation[] = []
    const policy = observeRequests((observation) => seen.push(observation), { clock })
    const network = fakeTransport(
      (_, n) =>
        new Promise((resolve) =>
          clock.after(25, () => resolve(n === 0 ? responseOf(404) : networkError)),
        ),
    )
    for (let n = 0; n < 2; n++) {
      const sent = send(policy, network)
      await clock.advance(25)
      await sent
    }
    assert.equal(seen, [
      { ...common, status: 404, error: undefined, duration: 25 },
      { ...common, status: undefined, error: 'NetworkError', duration: 25 },
    ])
  })
  test('observes calls outside retry and attempts inside', async () => {
    const clock = fakeClock()
    const calls: Observation[] = []
    const attempts: Observation[] = []
    const network = fakeTransport(() => networkError)
    const sent = send(
      [
        observeRequests((observation) => calls.push(observation)),
        retry({ times: 2, clock }),
        observeRequests((observation) => attempts.push(observation)),
      ],
      network,
    )
    await clock.advance(60_000)
    await sent
    assert.equal([calls.length, attempts.length], [1, 3])
  })
  test('a function that throws does not fail the call', async () => {
    const policy = observeRequests(() => {
      throw new Error('oops')
    })
    assert.is(
      statusOrTag(
        await send(
          policy,
          fakeTransport(() => responseOf(200)),
        ),
      ),
      200,
    )
  })
})
