/** The store in memory: exact quotas, leases with tokens, and bounded memory. */
import * as assert from 'uvu/assert'
import type { Taken } from '../../src/endpoint/definition/store.ts'
import type { InMemoryStore, InMemoryStoreOptions } from '../../src/store/in-memory-store.ts'
import { inMemoryStore } from '../../src/store/in-memory-store.ts'
import { describe, table } from '../support/describe.ts'

/** A store whose clock is set by the test. */
const storeAt = (
  options: InMemoryStoreOptions = {},
): { readonly store: InMemoryStore; readonly clock: { time: number } } => {
  const clock = { time: 0 }
  return { store: inMemoryStore({ ...options, now: () => clock.time }), clock }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const taken = (remaining: number, retryAfter: number, resetAfter: number): Taken => ({
  isAllowed: retryAfter === 0,
  remaining,
  retryAfter,
  resetAfter,
})

describe('quotas of a store in memory', (test) => {
  const rate = { interval: 100, burst: 3 }
  // the calls, as time and units, and the result of the last one
  const rows: ReadonlyArray<
    [title: string, calls: ReadonlyArray<readonly [number, number]>, expected: Taken]
  > = [
    ['a full quota', [[0, 1]], taken(2, 0, 100)],
    [
      'the last unit',
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
      taken(0, 0, 300),
    ],
    [
      'an empty quota',
      [
        [0, 3],
        [0, 1],
      ],
      taken(0, 100, 300),
    ],
    [
      'almost one interval later',
      [
        [0, 3],
        [99, 1],
      ],
      taken(0, 1, 201),
    ],
    [
      'one interval later',
      [
        [0, 3],
        [100, 1],
      ],
      taken(0, 0, 300),
    ],
    [
      'two and a half intervals later',
      [
        [0, 3],
        [250, 1],
      ],
      taken(1, 0, 150),
    ],
    [
      'many intervals later',
      [
        [0, 3],
        [1000, 1],
      ],
      taken(2, 0, 100),
    ],
    [
      'no unit',
      [
        [0, 3],
        [0, 0],
      ],
      taken(0, 0, 300),
    ],
    [
      'more units than are left',
      [
        [0, 2],
        [0, 2],
      ],
      taken(1, 100, 200),
    ],
    ['more units than the quota has', [[0, 4]], taken(3, 100, 0)],
  ]
  table(test, rows, (_, calls, expected) => {
    const { store, clock } = storeAt()
    const results = calls.map(([time, cost]) => {
      clock.time = time
      return store.take('key', rate, cost)
    })
    assert.equal(results.at(-1), expected)
  })
  test('has a quota for each key', () => {
    const { store } = storeAt()
    assert.ok(store.take('a', rate, 3).isAllowed)
    assert.ok(store.take('b', rate, 3).isAllowed)
    assert.not(store.take('a', rate, 1).isAllowed)
  })
  test('admits in any period at most the burst and what the rate adds', () => {
    const { store, clock } = storeAt()
    const admitted: number[] = []
    // calls at irregular times, more often than the rate
    for (let n = 0; n < 20_000; n++) {
      clock.time += (n * 7919) % 13
      if (store.take('key', rate, 1).isAllowed) admitted.push(clock.time)
    }
    for (const [index, start] of admitted.entries()) {
      const inPeriod = admitted.slice(index).findIndex((time) => time >= start + 1000)
      assert.ok(inPeriod <= 2 + 10, `${inPeriod} within a second`)
    }
    assert.ok(admitted.length >= clock.time / rate.interval - 1, `${admitted.length} in all`)
  })
  test('admits the whole burst at any time', () => {
    const { store, clock } = storeAt()
    for (let n = 0; n < 1000; n++) {
      clock.time = n * 17.123456789
      const key = String(n)
      assert.ok(store.take(key, { interval: 1000 / 3, burst: 7 }, 7).isAllowed)
      assert.not(store.take(key, { interval: 1000 / 3, burst: 7 }, 1).isAllowed)
    }
  })
  test('forgets the quota that was used least recently', () => {
    const { store } = storeAt({ maxQuotas: 2 })
    store.take('a', rate, 3)
    store.take('b', rate, 3)
    store.take('a', rate, 1)
    store.take('c', rate, 3)
    assert.equal(store.size(), { quotas: 2, entries: 0, evicted: 1 })
    assert.not(store.take('a', rate, 1).isAllowed)
    assert.ok(store.take('b', rate, 1).isAllowed)
  })
})

describe('entries of a store in memory', (test) => {
  test('leases a key to one caller, then returns its value', () => {
    const { store, clock } = storeAt()
    const leased = store.acquire('key', 'input', 100)
    assert.is(leased._tag, 'Leased')
    const token = leased._tag === 'Leased' ? leased.token : ''
    assert.equal(store.acquire('key', 'other', 100), { _tag: 'Busy', fingerprint: 'input' })
    assert.ok(store.renew('key', token, 200))
    clock.time = 150
    assert.is(store.acquire('key', 'input', 100)._tag, 'Busy')
    assert.ok(store.complete('key', token, bytes('value'), 1000))
    assert.equal(store.acquire('key', 'other', 100), {
      _tag: 'Complete',
      fingerprint: 'input',
      value: bytes('value'),
    })
    clock.time = 1150
    assert.is(store.acquire('key', 'input', 100)._tag, 'Leased')
  })
  test('frees a key whose lease has expired or was released', () => {
    const { store, clock } = storeAt()
    const first = store.acquire('key', 'input', 100)
    const token = first._tag === 'Leased' ? first.token : ''
    clock.time = 100
    const second = store.acquire('key', 'input', 100)
    assert.is(second._tag, 'Leased')
    // the first caller no longer holds the key
    assert.not(store.renew('key', token, 100))
    assert.not(store.complete('key', token, bytes('late'), 100))
    store.release('key', token)
    assert.is(store.acquire('key', 'input', 100)._tag, 'Busy')
    store.release('key', second._tag === 'Leased' ? second.token : '')
    assert.is(store.acquire('key', 'input', 100)._tag, 'Leased')
  })
  test('forgets the oldest values, but no leases', () => {
    const { store } = storeAt({ maxValueBytes: 3000 })
    const lease = (key: string): string => {
      const acquired = store.acquire(key, '', 100)
      return acquired._tag === 'Leased' ? acquired.token : ''
    }
    lease('busy')
    for (const key of ['a', 'b', 'c']) store.complete(key, lease(key), new Uint8Array(1000), 1000)
    assert.equal(store.size(), { quotas: 0, entries: 3, evicted: 1 })
    assert.is(store.acquire('busy', '', 100)._tag, 'Busy')
    assert.is(store.acquire('a', '', 100)._tag, 'Leased')
    assert.is(store.acquire('c', '', 100)._tag, 'Complete')
  })
  test('removes expired entries', () => {
    const { store, clock } = storeAt()
    for (let n = 0; n < 10_000; n++) {
      clock.time += 1
      store.acquire(`key ${n}`, '', 50)
    }
    assert.ok(store.size().entries < 1200, String(store.size().entries))
  })
})
