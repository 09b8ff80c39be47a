import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../../src/client/client-error.ts'
import { bodySourceError } from '../../../src/client/error-factories.ts'
import type { Passage } from '../../../src/client/exchange.ts'
import { circuitBreaker } from '../../../src/client/policy/circuit-breaker.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import type { SendResult } from '../../../src/client/policy/policy.ts'
import {
  fakeBody,
  expectError,
  manualTransport,
  requestTo,
  responseOf,
  fakeTransport,
  send,
  networkError,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { fakeClock } from '../fake-clock.ts'

const error = (_tag: 'Aborted' | 'TimedOut' | 'Defect'): SendResult =>
  E.left({ _tag, message: '', operation: '', cause: undefined })

/** Sends requests one after the other. Returns the names of their results. */
const resultsOf = async (
  passage: Passage,
  count: number,
  url?: string,
): Promise<ReadonlyArray<number | ClientError['_tag']>> => {
  const names: Array<number | ClientError['_tag']> = []
  for (let n = 0; n < count; n++) names.push(statusOrTag(await passage(requestTo(url))()))
  return names
}

const { operation } = requestTo()

const isTooMany = (result: SendResult): boolean => statusOrTag(result) === 429

describe('circuitBreaker', (test) => {
  test('rejects requests after the configured number of failures, with retryAfter', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => responseOf(500))
    const passage = circuitBreaker({ failures: 2, open: '10s', clock }).around(network.passage)
    assert.equal(await resultsOf(passage, 4), [500, 500, 'Rejected', 'Rejected'])
    assert.is(network.sent.length, 2)
    await clock.advance(3000)
    const failure = expectError(await passage(requestTo())())
    assert.ok(failure._tag === 'Rejected')
    assert.equal([failure.policy, failure.retryAfter], ['circuit-breaker', 7000])
    assert.is(
      failure.message,
      'books.get: the request was not sent: the circuit breaker for http://books.test is open',
    )
  })
  test('opens after five consecutive failures by default', async () => {
    const passage = circuitBreaker().around(fakeTransport(() => responseOf(503)).passage)
    assert.equal(await resultsOf(passage, 6), [503, 503, 503, 503, 503, 'Rejected'])
  })
  test('a half-open circuit sends one trial request, whose failure opens it again', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const passage = circuitBreaker({ failures: 1, open: '10s', clock }).around(network.passage)
    const call = (): Promise<SendResult> => passage(requestTo())()
    const first = call()
    network.respond(0, networkError)
    await first
    await clock.advance(10_000)
    const trying = call()
    assert.is(statusOrTag(await call()), 'Rejected')
    assert.is(network.sent.length, 2)
    network.respond(1, networkError)
    await trying
    await clock.advance(9999)
    assert.is(statusOrTag(await call()), 'Rejected')
    await clock.advance(1)
    const last = call()
    network.respond(2, responseOf(200))
    assert.is(statusOrTag(await last), 200)
    const two = [call(), call()]
    network.respond(3, responseOf(200))
    network.respond(4, responseOf(200))
    assert.equal((await Promise.all(two)).map(statusOrTag), [200, 200])
  })
  test('an aborted trial request does not block the next one', async () => {
    const clock = fakeClock()
    const results = [networkError, error('Aborted'), responseOf(200)]
    const network = fakeTransport((_, n) => results[n] ?? responseOf(200))
    const passage = circuitBreaker({ failures: 1, open: 1000, clock }).around(network.passage)
    assert.equal(await resultsOf(passage, 2), ['NetworkError', 'Rejected'])
    await clock.advance(1000)
    assert.equal(await resultsOf(passage, 3), ['Aborted', 200, 200])
  })
  test('has a separate state for each origin', async () => {
    const network = fakeTransport(({ url }) =>
      url.includes('bad') ? networkError : responseOf(200),
    )
    const passage = circuitBreaker({ failures: 1 }).around(network.passage)
    assert.equal(await resultsOf(passage, 2, 'http://bad.test/a'), ['NetworkError', 'Rejected'])
    assert.equal(await resultsOf(passage, 1, 'http://bad.test/b?c'), ['Rejected'])
    assert.equal(await resultsOf(passage, 2, 'http://bad.test:81/'), ['NetworkError', 'Rejected'])
    assert.equal(await resultsOf(passage, 2, 'https://good.test/'), [200, 200])
  })
  test('counts consecutive failures, or failures within a period if within is set', async () => {
    const fails = [true, false, true, true]
    const network = fakeTransport((_, n) => (fails[n] === true ? networkError : responseOf(200)))
    const inARow = circuitBreaker({ failures: 2 }).around(network.passage)
    assert.equal(await resultsOf(inARow, 5), [
      'NetworkError',
      200,
      'NetworkError',
      'NetworkError',
      'Rejected',
    ])

    const clock = fakeClock()
    const again = fakeTransport((_, n) => (fails[n] === true ? networkError : responseOf(200)))
    const within = circuitBreaker({ failures: 2, within: '1s', clock }).around(again.passage)
    assert.equal(await resultsOf(within, 2), ['NetworkError', 200])
    await clock.advance(1000)
    assert.equal(await resultsOf(within, 1), ['NetworkError'], 'the first failure has expired')
    await clock.advance(999)
    assert.equal(await resultsOf(within, 2), ['NetworkError', 'Rejected'])
  })
  table<readonly [name: string, result: SendResult, opens: boolean]>(
    test,
    [
      ['NetworkError', networkError, true],
      ['TimedOut', error('TimedOut'), true],
      ['500', responseOf(500), true],
      ['503', responseOf(503), true],
      ['Aborted', error('Aborted'), false],
      ['Defect', error('Defect'), false],
      ['a body whose source fails', E.left(bodySourceError(operation, new Error('oops'))), false],
      ['429', responseOf(429), false],
      ['404', responseOf(404), false],
      ['200', responseOf(200), false],
    ],
    async (_, result, opens) => {
      const passage = circuitBreaker({ failures: 1 }).around(fakeTransport(() => result).passage)
      const [, second] = await resultsOf(passage, 2)
      assert.is(second === 'Rejected', opens)
    },
  )
  test('on decides what is a failure; if it throws, the response is discarded', async () => {
    const network = fakeTransport(() => responseOf(429))
    assert.equal(
      await resultsOf(circuitBreaker({ failures: 1, on: isTooMany }).around(network.passage), 2),
      [429, 'Rejected'],
    )
    const content = fakeBody('…')
    const policy = circuitBreaker({
      failures: 1,
      on: () => {
        throw new Error('oops')
      },
    })
    assert.is(
      statusOrTag(
        await send(
          policy,
          fakeTransport(() => responseOf(200, [], content.body)),
        ),
      ),
      'Defect',
    )
    assert.ok(content.isCancelled())
  })
  test('an outer retry does not repeat a request that the circuit breaker rejects', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => networkError)
    const sent = send([retry({ times: 5, clock }), circuitBreaker({ failures: 2, clock })], network)
    await clock.advance(60_000)
    assert.is(statusOrTag(await sent), 'Rejected')
    assert.is(network.sent.length, 2)
  })
  table(
    test,
    [
      [{ failures: 0 }],
      [{ failures: 1.5 }],
      [{ failures: 1, halfOpen: 0 }],
      [{ failures: 1, open: ['x'].join() }],
    ] as const,
    (options) => assert.throws(() => circuitBreaker(options), RangeError),
  )
})
