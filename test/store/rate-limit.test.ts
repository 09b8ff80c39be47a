/** The options of rateLimit, and the promise: at most `limit` requests in any period of the length `window`. */
import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { RateLimit } from '../../src/endpoint/definition/attributes.ts'
import { get, handle, inMemoryStore, path, rateLimit } from '../../src/index.ts'
import type { RateLimitPolicy } from '../../src/store/rate-limit.ts'
import { describe, law, table } from '../support/describe.ts'

const operation = pipe(
  path('/'),
  get(),
  handle(() => {}),
)

/** The limit that rateLimit declares. The types of invalid options are checked elsewhere. */
const declare = (options: unknown): RateLimit => {
  const { definition } = rateLimit(options as RateLimitPolicy)(operation)
  const [limit] = definition.attributes.rateLimits ?? []
  if (limit === undefined) throw new Error('no limit')
  return limit
}

describe('the rate of a limit', (test) => {
  const rows: ReadonlyArray<
    [title: string, options: RateLimitPolicy, interval: number, burst: number]
  > = [
    ['10 in 1 m', { limit: 10, window: '1m' }, 10_000, 5],
    ['10 in 1 m with a burst of 1', { limit: 10, window: '1m', burst: 1 }, 6000, 1],
    ['10 in 1 m with a burst of 10', { limit: 10, window: '1m', burst: 10 }, 60_000, 10],
    ['1 in 1 s', { limit: 1, window: 1000 }, 1000, 1],
    ['an odd number', { limit: 3, window: 1000 }, 500, 2],
    [
      'an interval that is not a whole number of microseconds',
      { limit: 5, window: 1000 },
      333.334,
      3,
    ],
    ['an interval below 1 µs', { limit: 1_000_000, window: 1 }, 0.001, 500_000],
  ]
  table(test, rows, (_, options, interval, burst) =>
    assert.equal(declare(options).rate, { interval, burst }),
  )
})

describe('requests within a limit', (test) => {
  const policies = fc
    .record({ limit: fc.integer({ min: 1, max: 40 }), window: fc.integer({ min: 1, max: 5000 }) })
    .chain(({ limit, window }) =>
      fc.record({
        limit: fc.constant(limit),
        window: fc.constant(window),
        burst: fc.integer({ min: 1, max: limit }),
      }),
    )
  // pauses between requests, relative to the interval: clients that wait as short as possible, and floods
  const pauses = fc.array(
    fc.oneof(
      fc.constantFrom(0, 0, 0, 1, 0.999_999, 1.000_001),
      fc.double({ min: 0, max: 3, noNaN: true }),
    ),
    { minLength: 1, maxLength: 300 },
  )
  const start = fc.double({ min: 0, max: 1e9, noNaN: true })

  law(
    test,
    'are at most `limit` in any period',
    fc.tuple(policies, pauses, start),
    ([policy, relative, from]) => {
      const { rate } = declare(policy)
      const clock = { time: from }
      const store = inMemoryStore({ now: () => clock.time })
      const allowed: number[] = []
      for (const pause of relative) {
        clock.time += pause * rate.interval
        // times are compared on the clock of the store, which counts 1/1024 ms
        if (store.take('key', rate, 1).isAllowed) allowed.push(Math.floor(clock.time * 1024))
      }
      for (const [index, first] of allowed.entries()) {
        const next = allowed[index + policy.limit]
        assert.ok(next === undefined || next - first >= policy.window * 1024)
      }
    },
  )
  law(
    test,
    'are allowed after the time that the store returns',
    fc.tuple(policies, pauses),
    ([policy, relative]) => {
      const { rate } = declare(policy)
      const clock = { time: 0 }
      const store = inMemoryStore({ now: () => clock.time })
      for (const pause of relative) {
        clock.time += pause * rate.interval
        const taken = store.take('key', rate, 1)
        if (taken.isAllowed) continue
        // the next time of the clock, because the sum is inexact
        clock.time += taken.retryAfter + 0.001
        assert.ok(store.take('key', rate, 1).isAllowed)
      }
    },
  )
})

describe('invalid options of rateLimit', (test) => {
  const valid = { limit: 10, window: '1m' }
  const rows: ReadonlyArray<[title: string, options: unknown, message: RegExp]> = [
    ['no options', undefined, /^rateLimit: invalid options: expected an object, got undefined$/],
    ['no limit', { window: '1m' }, /^invalid limit: expected an integer of at least 1, got undef/],
    ['a limit of 0', { ...valid, limit: 0 }, /^invalid limit: expected an integer of at least 1/],
    ['a fraction', { ...valid, limit: 1.5 }, /^invalid limit: expected an integer of at least 1/],
    ['a text as the limit', { ...valid, limit: '10' }, /^invalid limit: expected an integer/],
    ['no window', { limit: 10 }, /^invalid window: expected a duration of at most 24 days/],
    ['an unknown unit', { ...valid, window: '1w' }, /^invalid window: expected a duration/],
    ['a window of 0', { ...valid, window: 0 }, /^rateLimit: invalid window: must be at least 1 ms/],
    ['a burst of 0', { ...valid, burst: 0 }, /^invalid burst: expected an integer of at least 1/],
    [
      'a burst above the limit',
      { ...valid, burst: 11 },
      /^rateLimit: invalid burst: must be at most limit, which is 10, got 11$/,
    ],
    ['an unknown key', { ...valid, by: 'ip' }, /^rateLimit: invalid by: expected 'address', /],
    ['an empty name', { ...valid, name: '' }, /^rateLimit: invalid name: must consist of 1 to 64/],
    ['a quote in a name', { ...valid, name: 'a"b' }, /^rateLimit: invalid name: must consist/],
    ['a number as name', { ...valid, name: 7 }, /^rateLimit: invalid name: must consist/],
    ['text for headers', { ...valid, headers: 'no' }, /^rateLimit: invalid headers: expected true/],
    ['an unknown option', { ...valid, max: 1 }, /^rateLimit: unknown option "max": expected limit/],
  ]
  table(test, rows, (_, options, message) => assert.throws(() => declare(options), message))
})
