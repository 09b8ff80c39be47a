import { getEventListeners } from 'node:events'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { rateLimit } from '../../../src/client/policy/request-limits.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import {
  expectError,
  requestTo,
  responseOf,
  fakeTransport,
  send,
  networkError,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises, fakeClock } from '../fake-clock.ts'

describe('rateLimit', (test) => {
  test('sends the limit immediately and the others in order, as the window moves', async () => {
    const clock = fakeClock(0)
    const times: Array<readonly [number, string]> = []
    const network = fakeTransport(({ url }) => {
      times.push([clock.now(), url.slice(-1)])
      return responseOf(200)
    })
    const passage = rateLimit(2, '1s', { clock }).around(network.passage)
    const calls = [0, 1, 2, 3, 4].map((n) => passage(requestTo(`http://books.test/${n}`))())
    await clock.advance(10_000)
    assert.equal((await Promise.all(calls)).map(statusOrTag), [200, 200, 200, 200, 200])
    assert.equal(times, [
      [0, '0'],
      [0, '1'],
      [1000, '2'],
      [1000, '3'],
      [2000, '4'],
    ])
    assert.is(clock.timerCount(), 0)
  })
  test('a request that finds the queue full is rejected with retryAfter', async () => {
    const clock = fakeClock(0)
    const passage = rateLimit(1, '1s', { queue: 1, clock }).around(
      fakeTransport(() => responseOf(200)).passage,
    )
    await passage(requestTo())()
    await clock.advance(300)
    const waiting = passage(requestTo())()
    const failure = expectError(await passage(requestTo())())
    assert.ok(failure._tag === 'Rejected')
    assert.equal(
      [failure.policy, failure.retryAfter, failure.message],
      [
        'rate-limit',
        700,
        'books.get: the request was not sent: rate limit of 1 per 1s and queue limit of 1 reached',
      ],
    )
    await clock.advance(700)
    assert.is(statusOrTag(await waiting), 200)
  })
  test('inside retry each attempt counts, and retry waits for retryAfter', async () => {
    const clock = fakeClock(0)
    const times: number[] = []
    const network = fakeTransport(() => {
      times.push(clock.now())
      return networkError
    })
    const sent = send(
      [
        retry({
          times: 3,
          clock,
          on: (result) => statusOrTag(result) !== 200,
          backoff: { first: 1, jitter: 0 },
        }),
        rateLimit(1, '5s', { queue: 0, clock }),
      ],
      network,
    )
    await clock.advance(60_000)
    await sent
    assert.equal(times, [0, 5000])
  })
  test('an aborted request leaves the queue, without timers or listeners', async () => {
    const clock = fakeClock(0)
    const network = fakeTransport(() => responseOf(200))
    const passage = rateLimit(1, '1s', { clock }).around(network.passage)
    await passage(requestTo())()
    const caller = new AbortController()
    const second = passage(requestTo(undefined, { signal: caller.signal }))()
    await flushPromises()
    assert.is(clock.timerCount(), 1)
    caller.abort('enough')
    assert.is(expectError(await second)._tag, 'Aborted')
    assert.equal([clock.timerCount(), getEventListeners(caller.signal, 'abort').length], [0, 0])
    const third = passage(requestTo())()
    await clock.advance(1000)
    assert.is(statusOrTag(await third), 200)
    assert.is(
      statusOrTag(await passage(requestTo(undefined, { signal: AbortSignal.abort() }))()),
      'Aborted',
    )
    assert.is(network.sent.length, 2)
  })
  test('property: each request starts as early as the window permits, in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 30 }),
        async (limit, pauses) => {
          const clock = fakeClock(0)
          const requestTimes: number[] = []
          const startTimes: number[] = []
          const order: string[] = []
          const network = fakeTransport(({ url }) => {
            startTimes.push(clock.now())
            order.push(url)
            return responseOf(200)
          })
          const passage = rateLimit(limit, 500, { clock, queue: Infinity }).around(network.passage)
          const urls = pauses.map((_, n) => `http://books.test/${n}`)
          for (const [n, pause] of pauses.entries()) {
            await clock.advance(pause)
            requestTimes.push(clock.now())
            void passage(requestTo(urls[n]))()
          }
          await clock.advance(500 * (pauses.length + 1))
          assert.equal(order, urls)
          for (const [n, time] of startTimes.entries())
            assert.is(time, Math.max(requestTimes[n] ?? 0, (startTimes[n - limit] ?? -500) + 500))
          assert.is(clock.timerCount(), 0)
        },
      ),
      { numRuns: 100 },
    ))
  table(
    test,
    [
      [0, '1s'],
      [1.5, '1s'],
      [NaN, '1s'],
      [1, 0],
      [1, 'soon'],
    ] as const,
    (limit, per) => assert.throws(() => rateLimit(limit, per), RangeError),
  )
})
