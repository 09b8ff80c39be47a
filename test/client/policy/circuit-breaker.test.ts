import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../../src/client/client-error.ts'
import { bodySourceError } from '../../../src/client/error-factories.ts'
import type { Passage } from '../../../src/client/exchange.ts'
import { circuitBreaker } from '../../../src/client/policy/circuit-breaker.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import type { Outcome } from '../../../src/client/policy/policy.ts'
import {
  fakeBody,
  expectError,
  manualTransport,
  requestTo,
  responseOutcome,
  fakeTransport,
  send,
  networkError,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const error = (_tag: 'Aborted' | 'TimedOut' | 'Defect'): Outcome =>
  E.left({ _tag, message: '', operation: '', cause: undefined })

/** Sends requests one after the other. Returns the names of their outcomes. */
const outcomesOf = async (
  passage: Passage,
  count: number,
  url?: string,
): Promise<ReadonlyArray<number | ClientError['_tag']>> => {
  const words: Array<number | ClientError['_tag']> = []
  for (let n = 0; n < count; n++) words.push(outcomeName(await passage(requestTo(url))()))
  return words
}

const { operation } = requestTo()

const isTooMany = (outcome: Outcome): boolean => outcomeName(outcome) === 429

describe('circuitBreaker', (test) => {
  test('rejects requests after the configured number of failures, with retryAfter', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => responseOutcome(500))
    const passage = circuitBreaker({ failures: 2, open: '10s', clock }).around(network.passage)
    assert.equal(await outcomesOf(passage, 4), [500, 500, 'Refused', 'Refused'])
    assert.is(network.sent.length, 2)
    await clock.advance(3000)
    const failure = expectError(await passage(requestTo())())
    assert.ok(failure._tag === 'Refused')
    assert.equal([failure.policy, failure.retryAfter], ['circuit-breaker', 7000])
    assert.is(failure.message, 'books.get: not sent: circuit breaker is open for http://books.test')
  })
  test('opens after five consecutive failures by default', async () => {
    const passage = circuitBreaker().around(fakeTransport(() => responseOutcome(503)).passage)
    assert.equal(await outcomesOf(passage, 6), [503, 503, 503, 503, 503, 'Refused'])
  })
  test('a half-open circuit sends one trial request, whose failure opens it again', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const passage = circuitBreaker({ failures: 1, open: '10s', clock }).around(network.passage)
    const call = (): Promise<Outcome> => passage(requestTo())()
    const first = call()
    network.respond(0, networkError)
    await first
    await clock.advance(10_000)
    const trying = call()
    assert.is(outcomeName(await call()), 'Refused')
    assert.is(network.sent.length, 2)
    network.respond(1, networkError)
    await trying
    await clock.advance(9999)
    assert.is(outcomeName(await call()), 'Refused')
    await clock.advance(1)
    const last = call()
    network.respond(2, responseOutcome(200))
    assert.is(outcomeName(await last), 200)
    const two = [call(), call()]
    network.respond(3, responseOutcome(200))
    network.respond(4, responseOutcome(200))
    assert.equal((await Promise.all(two)).map(outcomeName), [200, 200])
  })
  test('an aborted trial request does not block the next one', async () => {
    const clock = fakeClock()
    const outcomes = [networkError, error('Aborted'), responseOutcome(200)]
    const network = fakeTransport((_, n) => outcomes[n] ?? responseOutcome(200))
    const passage = circuitBreaker({ failures: 1, open: 1000, clock }).around(network.passage)
    assert.equal(await outcomesOf(passage, 2), ['NetworkError', 'Refused'])
    await clock.advance(1000)
    assert.equal(await outcomesOf(passage, 3), ['Aborted', 200, 200])
  })
  test('has a separate state for each origin', async () => {
    const network = fakeTransport(({ url }) =>
      url.includes('bad') ? networkError : responseOutcome(200),
    )
    const passage = circuitBreaker({ failures: 1 }).around(network.passage)
    assert.equal(await outcomesOf(passage, 2, 'http://bad.test/a'), ['NetworkError', 'Refused'])
    assert.equal(await outcomesOf(passage, 1, 'http://bad.test/b?c'), ['Refused'])
    assert.equal(await outcomesOf(passage, 2, 'http://bad.test:81/'), ['NetworkError', 'Refused'])
    assert.equal(await outcomesOf(passage, 2, 'https://good.test/'), [200, 200])
  })
  test('counts consecutive failures, or failures within a period if within is set', async () => {
    const bad = [true, false, true, true]
    const network = fakeTransport((_, n) => (bad[n] === true ? networkError : responseOutcome(200)))
    const inARow = circuitBreaker({ failures: 2 }).around(network.passage)
    assert.equal(await outcomesOf(inARow, 5), [
      'NetworkError',
      200,
      'NetworkError',
      'NetworkError',
      'Refused',
    ])

    const clock = fakeClock()
    const again = fakeTransport((_, n) => (bad[n] === true ? networkError : responseOutcome(200)))
    const within = circuitBreaker({ failures: 2, within: '1s', clock }).around(again.passage)
    assert.equal(await outcomesOf(within, 2), ['NetworkError', 200])
    await clock.advance(1000)
    assert.equal(await outcomesOf(within, 1), ['NetworkError'], 'the first failure has expired')
    await clock.advance(999)
    assert.equal(await outcomesOf(within, 2), ['NetworkError', 'Refused'])
  })
  table<readonly [name: string, outcome: Outcome, opens: boolean]>(
    test,
    [
      ['NetworkError', networkError, true],
      ['TimedOut', error('TimedOut'), true],
      ['500', responseOutcome(500), true],
      ['503', responseOutcome(503), true],
      ['Aborted', error('Aborted'), false],
      ['Defect', error('Defect'), false],
      ['a body whose source fails', E.left(bodySourceError(operation, new Error('oops'))), false],
      ['429', responseOutcome(429), false],
      ['404', responseOutcome(404), false],
      ['200', responseOutcome(200), false],
    ],
    async (_, outcome, opens) => {
      const passage = circuitBreaker({ failures: 1 }).around(fakeTransport(() => outcome).passage)
      const [, second] = await outcomesOf(passage, 2)
      assert.is(second === 'Refused', opens)
    },
  )
  test('on decides what is a failure; if it throws, the response is discarded', async () => {
    const network = fakeTransport(() => responseOutcome(429))
    assert.equal(
      await outcomesOf(circuitBreaker({ failures: 1, on: isTooMany }).around(network.passage), 2),
      [429, 'Refused'],
    )
    const content = fakeBody('…')
    const policy = circuitBreaker({
      failures: 1,
      on: () => {
        throw new Error('oops')
      },
    })
    assert.is(
      outcomeName(
        await send(
          policy,
          fakeTransport(() => responseOutcome(200, [], content.body)),
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
    assert.is(outcomeName(await sent), 'Refused')
    assert.is(network.sent.length, 2)
  })
  table(
    test,
    [
      [{ failures: 0 }],
      [{ failures: 1.5 }],
      [{ failures: 1, halfOpen: 0 }],
      [{ failures: 1, open: 'x' }],
    ] as const,
    (bad) => assert.throws(() => circuitBreaker(bad), RangeError),
  )
})
