import { getEventListeners } from 'node:events'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientBody } from '../../../src/client/exchange.ts'
import type { SendResult } from '../../../src/client/policy/policy.ts'
import type { RetryOptions } from '../../../src/client/policy/retry.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import { timeout } from '../../../src/client/policy/timeout.ts'
import * as HttpDate from '../../../src/http/http-date.ts'
import {
  fakeBody,
  expectError,
  manualTransport,
  requestTo,
  responseOf,
  fakeTransport,
  send,
  readText,
  networkError,
  expectResponse,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises, fakeClock } from '../fake-clock.ts'

const start = 1_700_000_000_000
const steady = { jitter: 0 } as const

/** Returns the number of attempts and the name of the last result. */
const attempt = async (
  result: SendResult,
  options: Partial<RetryOptions> = {},
  request = requestTo(),
): Promise<readonly [attempts: number, name: unknown]> => {
  const clock = fakeClock(start)
  const network = fakeTransport(() => result)
  const sent = send(retry({ times: 3, clock, ...options }), network, request)
  await clock.advance(10 * 60_000)
  assert.is(clock.timerCount(), 0)
  return [network.sent.length, statusOrTag(await sent)]
}

const isNotFound = (result: SendResult): boolean => statusOrTag(result) === 404

describe('retry: conditions', (test) => {
  table<readonly [title: string, result: SendResult, attempts: number]>(
    test,
    [
      ['NetworkError is retried', networkError, 4],
      ...[408, 429, 502, 503, 504].map(
        (status) => [`${status} is retried`, responseOf(status), 4] as const,
      ),
      ...[200, 204, 301, 400, 401, 404, 409, 413, 500, 501, 505].map(
        (status) => [`${status} is not retried`, responseOf(status), 1] as const,
      ),
      ...(['Aborted', 'Rejected', 'Defect', 'DecodeError'] as const).map(
        (_tag) =>
          [
            `${_tag} is not retried`,
            E.left({
              ...(_tag === 'Rejected' ? { policy: 'x', retryAfter: undefined } : {}),
              ...(_tag === 'DecodeError' ? { status: 200, headers: [], errors: [] } : {}),
              _tag,
              message: '',
              operation: '',
              cause: undefined,
            } as never),
            1,
          ] as const,
      ),
    ],
    async (_, result, attempts) =>
      assert.equal(await attempt(result), [attempts, statusOrTag(result)]),
  )
  table<readonly [method: string, attempts: number]>(
    test,
    [
      ['GET', 4],
      ['HEAD', 4],
      ['OPTIONS', 4],
      ['TRACE', 4],
      ['QUERY', 4], // RFC 10008, 2
      ['PUT', 4],
      ['DELETE', 4],
      ['POST', 1], // RFC 9110, 9.2.2
      ['PATCH', 1],
      ['PURGE', 1],
    ],
    async (method, attempts) =>
      assert.is((await attempt(networkError, {}, requestTo(undefined, { method })))[0], attempts),
  )
  test('methods sets the methods that are retried', async () => {
    const request = requestTo(undefined, { method: 'PURGE' })
    assert.is((await attempt(networkError, { methods: ['PURGE'] }, request))[0], 4)
    assert.is((await attempt(networkError, { methods: ['PURGE'] }))[0], 1)
  })
  test('on decides whether to retry', async () => {
    assert.equal(await attempt(responseOf(404), { on: isNotFound }), [4, 404])
    assert.equal(await attempt(responseOf(503), { on: isNotFound }), [1, 503])
  })
  const chunks: ClientBody = { _tag: 'Streamed', open: async function* () {} }
  const form: ClientBody = { _tag: 'Form', form: new FormData() }
  table(
    test,
    [
      ['Buffered', { _tag: 'Buffered', data: 'a' }, 4],
      ['Form', form, 4],
      ['Streamed: a stream may not be repeatable', chunks, 1],
    ] as const,
    async (_, body, attempts) =>
      assert.is(
        (await attempt(networkError, {}, requestTo(undefined, { method: 'PUT', body })))[0],
        attempts,
      ),
  )
  test('an inner timeout limits each attempt', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const sent = send(
      [retry({ times: 2, clock, backoff: steady }), timeout('1s', { clock })],
      network,
    )
    await clock.advance(1000 + 100 + 1000 + 200 + 1000)
    assert.is(statusOrTag(await sent), 'TimedOut')
    assert.is(network.sent.length, 3)
  })
})

describe('retry', (test) => {
  test('returns the first successful response', async () => {
    const clock = fakeClock()
    const network = fakeTransport((_, n) =>
      n < 2 ? networkError : responseOf(200, [], fakeBody('yes').body),
    )
    const sent = send(retry({ times: 5, clock }), network)
    await clock.advance(60_000)
    assert.is(await readText(expectResponse(await sent).body), 'yes')
    assert.is(network.sent.length, 3)
  })
  test('property: retries until success, at most times', () =>
    fc.assert(
      fc.asyncProperty(fc.nat({ max: 6 }), fc.nat({ max: 8 }), async (times, failing) => {
        const clock = fakeClock()
        const network = fakeTransport((_, n) => (n < failing ? networkError : responseOf(200)))
        const sent = send(retry({ times, clock, budget: 'unlimited' }), network)
        await clock.advance(10 * 60_000)
        assert.is(statusOrTag(await sent), failing <= times ? 200 : 'NetworkError')
        assert.is(network.sent.length, Math.min(times, failing) + 1)
      }),
    ))
  test('property: delays follow the backoff', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        async (first, factor, max, chance) => {
          const clock = fakeClock(0)
          const times: number[] = []
          const network = fakeTransport(() => {
            times.push(clock.now())
            return networkError
          })
          const policy = retry({
            times: 4,
            clock,
            random: () => chance,
            backoff: { first, factor, max, jitter: 0.5 },
          })
          const sent = send(policy, network)
          await clock.advance(60_000)
          await sent
          const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0))
          for (const [i, wait] of waits.entries()) {
            const full = Math.min(max, first * factor ** i)
            assert.ok(Math.abs(wait - full * (1 - chance / 2)) < 1e-6, `${wait} of ${full}`)
          }
          assert.is(waits.length, 4)
        },
      ),
      { numRuns: 50 },
    ))
  test('bodies of failed attempts are discarded, except that of the last one', async () => {
    const clock = fakeClock()
    const contents = [fakeBody('a', '…'), fakeBody('b', '…'), fakeBody('c')]
    const network = fakeTransport((_, n) => responseOf(503, [], contents[n]?.body ?? null))
    const sent = send(retry({ times: 2, clock }), network)
    await clock.advance(60_000)
    assert.is(await readText(expectResponse(await sent).body), 'c')
    assert.equal(
      contents.map((content) => content.isCancelled()),
      [true, true, false],
    )
  })
  test('an abort ends a delay immediately, without timers or listeners', async () => {
    const clock = fakeClock()
    const caller = new AbortController()
    const request = requestTo(undefined, { signal: caller.signal })
    const network = fakeTransport(() => networkError)
    const sent = send(
      retry({ times: 3, clock, backoff: { first: '1h', max: '1h' } }),
      network,
      request,
    )
    await flushPromises()
    assert.is(clock.timerCount(), 1)
    caller.abort('enough')
    const failure = expectError(await sent)
    assert.equal([failure._tag, failure.cause], ['Aborted', 'enough'])
    assert.is(network.sent.length, 1)
    assert.equal([clock.timerCount(), getEventListeners(caller.signal, 'abort').length], [0, 0])
  })
  test('no listeners remain after the delays', async () => {
    const clock = fakeClock()
    const { signal } = new AbortController()
    const network = fakeTransport(() => networkError)
    const sent = send(retry({ times: 3, clock }), network, requestTo(undefined, { signal }))
    await clock.advance(60_000)
    await sent
    assert.equal([network.sent.length, getEventListeners(signal, 'abort').length], [4, 0])
  })
  test('an aborted request is not retried', async () => {
    const network = fakeTransport(() => networkError)
    const request = requestTo(undefined, { signal: AbortSignal.abort() })
    assert.is(statusOrTag(await send(retry({ times: 3 }), network, request)), 'NetworkError')
    assert.is(network.sent.length, 1)
  })
  test('if on throws, the call fails with Defect and the response is discarded', async () => {
    const content = fakeBody('…')
    const policy = retry({
      times: 1,
      on: () => {
        throw new Error('oops')
      },
    })
    const result = await send(
      policy,
      fakeTransport(() => responseOf(503, [], content.body)),
    )
    assert.is(statusOrTag(result), 'Defect')
    assert.ok(content.isCancelled())
  })
  table(test, [[{ times: -1 }], [{ times: 1.5 }]] as const, (options) =>
    assert.throws(() => retry(options), RangeError),
  )
})

const date = (milliseconds: number): string => HttpDate.format(new Date(milliseconds))

describe('retry: Retry-After', (test) => {
  table<readonly [name: string, headers: ReadonlyArray<string>, wait: number | undefined]>(
    test,
    [
      ['seconds', ['Retry-After', '7'], 7000],
      ['a date', ['Retry-After', date(start + 9000)], 9000],
      [
        'a date relative to the Date header',
        ['retry-after', date(start - 51_000), 'date', date(start - 60_000)],
        9000,
      ],
      ['less than the backoff', ['Retry-After', '0'], 100],
      ['a date in the past', ['Retry-After', date(start - 9000)], 100],
      ['an invalid value', ['Retry-After', 'soon'], 100],
      ['the maximum', ['Retry-After', '60'], 60_000],
      ['more than the maximum', ['Retry-After', '61'], undefined],
      ['more than the largest number', ['Retry-After', '9'.repeat(400)], undefined],
    ],
    async (_, headers, wait) => {
      const clock = fakeClock(start)
      let delay: number | undefined
      const network = fakeTransport((__, n) => {
        if (n === 0) return responseOf(429, headers)
        delay = clock.now() - start
        return responseOf(200)
      })
      const sent = send(retry({ times: 1, clock, backoff: steady }), network)
      await clock.advance(10 * 60_000)
      assert.is(statusOrTag(await sent), wait === undefined ? 429 : 200)
      assert.is(delay, wait)
    },
  )
})
