import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { multi } from '../../../src/index.ts'
import { concurrent } from '../../../src/body/stream/concurrent.ts'
import type { PullIterator } from '../../../src/body/stream/pull-iterator.ts'
import { openSource } from '../../../src/body/stream/open-source.ts'
import { describe } from '../../support/describe.ts'

/** Elements that come after so many milliseconds; what is negative fails then. */
const delayed = (...delays: ReadonlyArray<number>) => {
  const counts = { asked: 0, underway: 0, most: 0, left: 0 }
  const source: PullIterator = {
    next: async () => {
      const delay = delays[counts.asked++]
      if (delay === undefined) return { done: true, value: undefined }
      counts.most = Math.max(counts.most, ++counts.underway)
      await wait(Math.abs(delay))
      counts.underway--
      if (delay < 0) throw new Error(`failed after ${-delay}`)
      return { done: false, value: delay }
    },
    return: () => {
      counts.left++
    },
  }
  return { source, counts }
}

const drained = async (source: PullIterator): Promise<ReadonlyArray<unknown>> => {
  const all: unknown[] = []
  for (;;) {
    const { done, value } = await source.next()
    if (done === true) return all
    all.push(value)
  }
}

describe('R-224: a demand', (test) => {
  test('of several elements gives them in the order in which they come', async () => {
    const { source, counts } = delayed(60, 30, 1, 90)
    assert.equal(await drained(concurrent(source, 3)), [1, 30, 60, 90])
    assert.is(counts.most, 3)
  })
  for (const demand of [2, 5])
    test(`of ${demand} is never exceeded, and used`, async () => {
      const { source, counts } = delayed(...Array.from({ length: 20 }, () => 2))
      assert.is((await drained(concurrent(source, demand))).length, 20)
      assert.is(counts.most, demand)
    })
  test('counts what has come and was not taken', async () => {
    const { source, counts } = delayed(...Array.from({ length: 20 }, () => 1))
    const many = concurrent(source, 3)
    await many.next()
    await wait(30)
    assert.is(counts.asked, 3)
    await many.next()
    await wait(30)
    // two were taken; the second made room before it was handed on
    assert.is(counts.asked, 4)
  })
  test('waits at the end for what is under way', async () => {
    let asks = 0
    const source: PullIterator = {
      next: async () => {
        const ask = ++asks
        if (ask > 2) return { done: true, value: undefined }
        await wait(10 * ask)
        return { done: false, value: ask }
      },
    }
    assert.equal(await drained(concurrent(source, 5)), [1, 2])
    assert.is(asks, 5)
  })
  test('gives what came before a failure, and leaves the rest', async () => {
    const { source, counts } = delayed(1, -20, 50, 50)
    const many = concurrent(source, 3)
    assert.equal(await many.next(), { done: false, value: 1 })
    const error = await Promise.resolve(many.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /failed after 20/)
    assert.is(counts.left, 1)
    many.return?.()
    assert.is(counts.left, 1)
  })
  test('that fails at once fails', async () => {
    const many = concurrent(
      {
        next: () => {
          throw new Error('at once')
        },
      },
      2,
    )
    const error = await Promise.resolve(many.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /at once/)
  })
  test('of a source that does not wait is met at once', async () => {
    assert.equal(await drained(concurrent(openSource([1, 2, 3]), 2)), [1, 2, 3])
    assert.equal(await drained(concurrent(openSource([]), 2)), [])
  })
  test('ends when the source is left', async () => {
    const { source, counts } = delayed(10, 10, 10)
    const many = concurrent(source, 2)
    const next = many.next()
    many.return?.()
    assert.equal(await next, { done: true, value: undefined })
    await wait(20)
    assert.equal([counts.asked, counts.left], [2, 1])
  })
  test('is an integer from 1 to 1,000', () => {
    for (const demand of [1, 2, 999, 1000]) assert.is(multi([], { demand }).entity.demand, demand)
    for (const demand of [0, -1, 1.5, 1001, Infinity, NaN])
      assert.throws(() => multi([], { demand }), RangeError)
  })
})
