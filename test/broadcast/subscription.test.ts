/** The queue of a subscription. */
import * as assert from 'uvu/assert'
import { broadcaster, int } from '../../src/index.ts'
import { describe } from '../support/describe.ts'
import { collectEvents, delivery } from './event-collector.ts'

const numbers = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index + 1)

describe('a slow subscriber with a queue of 3', (test) => {
  for (const [whenFull, published, expected] of [
    ['end', 2, [1, 2]],
    ['end', 3, [1, 2, 3]],
    ['end', 4, []],
    ['drop-oldest', 2, [1, 2]],
    ['drop-oldest', 3, [1, 2, 3]],
    ['drop-oldest', 4, [2, 3, 4]],
    ['drop-newest', 2, [1, 2]],
    ['drop-newest', 3, [1, 2, 3]],
    ['drop-newest', 4, [1, 2, 3]],
  ] as const)
    test(`whenFull: ${whenFull}, after ${published} events, receives [${expected.join()}]`, async () => {
      const feed = broadcaster(int, { queue: 3, whenFull })
      const slow = feed.subscribe()[Symbol.asyncIterator]()
      const quick = collectEvents(feed.subscribe())
      for (const n of numbers(published)) {
        await feed.publish(n)
        await delivery()
      }
      assert.equal(quick.data(), numbers(published))
      assert.is(feed.subscribers, expected.length === 0 ? 1 : 2)
      feed.close()
      const left: number[] = []
      for (;;) {
        const { done, value } = await slow.next()
        if (done === true) break
        left.push(value.data)
      }
      assert.equal(left, [...expected])
    })
})
