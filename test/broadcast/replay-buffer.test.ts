/** What is kept for clients who come back: R-237. */
import * as assert from 'uvu/assert'
import type { Subscriber } from '../../src/index.ts'
import { broadcaster, event, int } from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'
import { arrived, listening } from '../support/listening.ts'

const after = (id: string): Subscriber =>
  testContext({ request: { headers: ['Last-Event-ID', id] } })

/** What is given to somebody who saw an event last, of so many that were published before, and of one after. */
const kept = async (replay: number, count: number, last: string) => {
  const feed = broadcaster(int, { replay, queue: 1 })
  for (let n = 1; n <= count; n++) await feed.publish(event(undefined, n, { id: `id ${n}` }))
  const one = listening(feed.subscribe(after(last)))
  await feed.publish(99)
  await arrived()
  feed.close()
  return one.data()
}

describe('R-237: a broadcaster that replays', (test) => {
  for (const [count, last, given] of [
    [3, 'id 1', [2, 3, 99]],
    [3, 'id 3', [99]],
    [2, 'unknown', [1, 2, 99]],
    [3, 'unknown', [1, 2, 3, 99]],
    [4, 'unknown', [2, 3, 4, 99]],
    [4, 'id 1', [2, 3, 4, 99]],
    [4, 'id 2', [3, 4, 99]],
  ] as const)
    test(`keeps 3: of ${count}, behind ${last}`, async () => {
      assert.equal(await kept(3, count, last), [...given])
    })
  test('keeps none unless it is said', async () => {
    assert.equal(await kept(0, 3, 'id 1'), [99])
  })
  test('replays nothing to who has seen nothing', async () => {
    const feed = broadcaster(int, { replay: 3 })
    await feed.publish(1)
    const one = listening(feed.subscribe(testContext()))
    await arrived()
    assert.equal(one.data(), [])
    feed.close()
  })
  test('gives ids that no other broadcaster gives, to events that have none', async () => {
    const [a, b] = [broadcaster(int, { replay: 1 }), broadcaster(int, { replay: 1 })]
    const heard = [listening(a.subscribe()), listening(b.subscribe())]
    for (const feed of [a, b]) for (const n of [1, 2]) await feed.publish(n)
    await arrived()
    const ids = heard.flatMap((one) => one.heard.map(({ id }) => id))
    assert.is(new Set(ids).size, 4)
    assert.ok(ids.every((id) => typeof id === 'string' && id !== ''))
    a.close()
    b.close()
  })
  test('gives no ids when it keeps nothing', async () => {
    const feed = broadcaster(int)
    const one = listening(feed.subscribe())
    await feed.publish(1)
    await arrived()
    assert.is(one.heard[0]?.id, undefined)
    feed.close()
  })
  test('replays nothing more to who has left', async () => {
    const feed = broadcaster(int, { replay: 3 })
    for (const n of [1, 2, 3]) await feed.publish(n)
    const one = feed.subscribe(after('unknown'))[Symbol.asyncIterator]()
    assert.is((await one.next()).value?.data, 1)
    await one.return?.()
    assert.ok((await one.next()).done)
    feed.close()
  })
  test('reads an id that is not ASCII', async () => {
    const feed = broadcaster(int, { replay: 3 })
    await feed.publish(event(undefined, 1, { id: 'é' }))
    await feed.publish(2)
    const one = listening(feed.subscribe(after('\xc3\xa9')))
    await arrived()
    assert.equal(one.data(), [2])
    feed.close()
  })
})
