/** Sources that are read concurrently. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { concurrent, openSource } from '../../../src/body/stream/open-source.ts'
import type { PullIterator } from '../../../src/body/stream/open-source.ts'
import { describe, table } from '../../support/describe.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** A source whose elements arrive after these milliseconds. A negative delay results in an error. */
const delayedSource = (...delays: ReadonlyArray<number>) => {
  const counts = { reads: 0, pending: 0, maxPending: 0, closes: 0 }
  const source: PullIterator = {
    next: async () => {
      const delay = delays[counts.reads++]
      if (delay === undefined) return { done: true, value: undefined }
      counts.maxPending = Math.max(counts.maxPending, ++counts.pending)
      await wait(Math.abs(delay))
      counts.pending--
      if (delay < 0) throw new Error(`failed after ${-delay}`)
      return { done: false, value: delay }
    },
    return: () => {
      counts.closes++
    },
  }
  return { source, counts }
}

const drain = async (source: PullIterator): Promise<ReadonlyArray<unknown>> => {
  const elements: unknown[] = []
  for (;;) {
    const { done, value } = await source.next()
    if (done === true) return elements
    elements.push(value)
  }
}

describe('concurrent', (test) => {
  test('returns elements in the order of their arrival', async () => {
    const { source, counts } = delayedSource(60, 30, 1, 90)
    assert.equal(await drain(concurrent(source, 3)), [1, 30, 60, 90])
    assert.is(counts.maxPending, 3)
  })
  for (const demand of [2, 5])
    test(`a demand of ${demand} is used and never exceeded`, async () => {
      const { source, counts } = delayedSource(...Array.from({ length: 20 }, () => 2))
      assert.is((await drain(concurrent(source, demand))).length, 20)
      assert.is(counts.maxPending, demand)
    })
  test('unread elements count towards the demand', async () => {
    const { source, counts } = delayedSource(...Array.from({ length: 20 }, () => 1))
    const iterator = concurrent(source, 3)
    await iterator.next()
    await waitUntil(() => counts.pending === 0)
    await turns()
    assert.is(counts.reads, 3)
    await iterator.next()
    await waitUntil(() => counts.pending === 0)
    await turns()
    // two elements were read; the second one made room before it was returned
    assert.is(counts.reads, 4)
  })
  test('waits for pending elements at the end', async () => {
    let reads = 0
    const source: PullIterator = {
      next: async () => {
        const index = ++reads
        if (index > 2) return { done: true, value: undefined }
        await wait(10 * index)
        return { done: false, value: index }
      },
    }
    assert.equal(await drain(concurrent(source, 5)), [1, 2])
    assert.is(reads, 5)
  })
  test('returns the elements before a failure and closes the source once', async () => {
    const { source, counts } = delayedSource(1, -20, 50, 50)
    const iterator = concurrent(source, 3)
    assert.equal(await iterator.next(), { done: false, value: 1 })
    const error = await Promise.resolve(iterator.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /failed after 20/)
    assert.is(counts.closes, 1)
    iterator.return?.()
    assert.is(counts.closes, 1)
  })
  test('rejects with a synchronous error of the source', async () => {
    const iterator = concurrent(
      {
        next: () => {
          throw new Error('at once')
        },
      },
      2,
    )
    const error = await Promise.resolve(iterator.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /at once/)
  })
  test('reads synchronous sources', async () => {
    assert.equal(await drain(concurrent(openSource([1, 2, 3]), 2)), [1, 2, 3])
    assert.equal(await drain(concurrent(openSource([]), 2)), [])
  })
  test('return ends a pending read and closes the source', async () => {
    const { source, counts } = delayedSource(10, 10, 10)
    const iterator = concurrent(source, 2)
    const next = iterator.next()
    iterator.return?.()
    assert.equal(await next, { done: true, value: undefined })
    await waitUntil(() => counts.pending === 0)
    await turns()
    assert.equal([counts.reads, counts.closes], [2, 1])
  })
  test('a synchronous source is read one element at a time', async () => {
    let reads = 0
    const source: PullIterator = { next: () => ({ done: false, value: ++reads }) }
    const iterator = concurrent(source, Infinity)
    await iterator.next()
    assert.is(reads, 1)
    await iterator.next()
    assert.is(reads, 2)
  })
})

/** A source whose elements arrive in later turns. Its functions return the number of calls to `next`. */
const countedSource = (size = Infinity) => {
  let reads = 0
  const source: PullIterator = {
    next: async () => {
      const value = ++reads
      await turns(1)
      return value > size ? { done: true, value: undefined } : { done: false, value }
    },
  }
  return { source, reads: () => reads }
}

describe('concurrent: large demands', (test) => {
  test('a demand of 5,000 starts 5,000 calls', () => {
    const { source, reads } = countedSource()
    void concurrent(source, 5000).next()
    assert.is(reads(), 5000)
  })
  for (const demand of [10_001, Number.MAX_SAFE_INTEGER, Infinity])
    test(`a demand of ${demand} requests 10,000 elements, and one more for each that is taken`, async () => {
      const { source, reads } = countedSource()
      const iterator = concurrent(source, demand)
      await iterator.next()
      assert.is(reads(), 10_000)
      await iterator.next()
      await iterator.next()
      assert.is(reads(), 10_002)
    })
  test('an unlimited demand returns all elements of a finite source', async () => {
    const { source } = countedSource(12_345)
    assert.is((await drain(concurrent(source, Infinity))).length, 12_345)
  })
})

describe('concurrent: capDemands', (test) => {
  test('receives the outstanding demand and determines the number of calls', async () => {
    const { source, reads } = countedSource()
    const demands: number[] = []
    const iterator = concurrent(source, 100, (outstanding) => {
      demands.push(outstanding)
      return Math.floor(Math.max(outstanding * 0.75, 1))
    })
    const counts: number[] = []
    for (let read = 0; read < 3; read++) {
      await iterator.next()
      await turns()
      counts.push(reads())
    }
    assert.equal(demands, [100, 26, 8])
    assert.equal(counts, [75, 94, 100])
  })
  for (const [title, cap] of [
    ['a constant', () => 2],
    ['a function of the outstanding demand', (outstanding: number) => Math.min(outstanding, 2)],
  ] as const)
    test(`${title} limits how many elements are open at once`, async () => {
      const { source, counts } = delayedSource(...Array.from({ length: 20 }, (_, n) => 1 + (n % 5)))
      assert.is((await drain(concurrent(source, 10, cap))).length, 20)
      assert.is(counts.maxPending, 2)
    })
  test('the outstanding demand does not limit the elements that are open', async () => {
    const { source, counts } = delayedSource(...Array.from({ length: 20 }, (_, n) => 1 + (n % 5)))
    await drain(concurrent(source, 4, (outstanding) => outstanding))
    assert.is(counts.maxPending, 4)
  })
  test('limits an unlimited demand', async () => {
    const { source, reads } = countedSource()
    const iterator = concurrent(source, Infinity, (outstanding) => Math.min(outstanding, 2))
    await iterator.next()
    await turns()
    assert.is(reads(), 2)
    await iterator.next()
    await turns()
    assert.is(reads(), 4)
  })
  test('is not called after the end of the source', async () => {
    const demands: number[] = []
    const { source } = countedSource(2)
    const iterator = concurrent(source, 4, (outstanding) => {
      demands.push(outstanding)
      return outstanding
    })
    assert.is((await iterator.next()).value, 1)
    await turns()
    assert.equal(await drain(iterator), [2])
    assert.equal(demands, [4])
  })
  table(
    test,
    [
      ['0', 0, /capDemands must return an integer from 1 to 3, got 0/],
      ['more than the outstanding demand', 4, /from 1 to 3, got 4/],
      ['a fraction', 1.5, /got 1.5/],
      ['NaN', NaN, /got NaN/],
    ] as const,
    async (_, result, message) => {
      const { source, counts } = delayedSource(1, 1, 1)
      const iterator = concurrent(source, 3, () => result)
      const error: unknown = await Promise.resolve(iterator.next()).catch((reason) => reason)
      assert.instance(error, RangeError)
      assert.match(String(error), message)
      assert.equal([counts.reads, counts.closes], [0, 1])
    },
  )
  test('an error of the function follows the elements that have arrived', async () => {
    let calls = 0
    const iterator = concurrent(countedSource().source, 3, () => {
      if (++calls > 1) throw new Error('no limit')
      return 2
    })
    assert.is((await iterator.next()).value, 1)
    await turns()
    assert.is((await iterator.next()).value, 2)
    const error: unknown = await Promise.resolve(iterator.next()).catch((reason) => reason)
    assert.match(String(error), /no limit/)
  })
})
