/** Replay of past events for clients that reconnect. */
import * as assert from 'uvu/assert'
import type { Subscriber } from '../../src/index.ts'
import { broadcaster, event, int } from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'
import { collectEvents, delivery } from './event-collector.ts'

const after = (id: string): Subscriber =>
  testContext({ request: { headers: ['Last-Event-ID', id] } })

/** Publishes `count` events, subscribes with a last event id, publishes 99, and returns the received data. */
const received = async (replay: number, count: number, last: string) => {
  const feed = broadcaster(int, { replay, queue: 1 })
  for (let n = 1; n <= count; n++) await feed.publish(event(undefined, n, { id: `id ${n}` }))
  const subscriber = collectEvents(feed.subscribe(after(last)))
  await feed.publish(99)
  await delivery()
  feed.close()
  return subscriber.data()
}

describe('broadcaster with replay', (test) => {
  for (const [count, last, expected] of [
    [3, 'id 1', [2, 3, 99]],
    [3, 'id 3', [99]],
    [2, 'unknown', [1, 2, 99]],
    [3, 'unknown', [1, 2, 3, 99]],
    [4, 'unknown', [2, 3, 4, 99]],
    [4, 'id 1', [2, 3, 4, 99]],
    [4, 'id 2', [3, 4, 99]],
  ] as const)
    test(`with replay: 3, ${count} events and Last-Event-ID "${last}", sends the kept events after it`, async () => {
      assert.equal(await received(3, count, last), [...expected])
    })
  test('without replay, no past events are sent', async () => {
    assert.equal(await received(0, 3, 'id 1'), [99])
  })
  test('without Last-Event-ID, no past events are sent', async () => {
    const feed = broadcaster(int, { replay: 3 })
    await feed.publish(1)
    const subscriber = collectEvents(feed.subscribe(testContext()))
    await delivery()
    assert.equal(subscriber.data(), [])
    feed.close()
  })
  test('events without an id get one that is unique among broadcasters', async () => {
    const [a, b] = [broadcaster(int, { replay: 1 }), broadcaster(int, { replay: 1 })]
    const collectors = [collectEvents(a.subscribe()), collectEvents(b.subscribe())]
    for (const feed of [a, b]) for (const n of [1, 2]) await feed.publish(n)
    await delivery()
    const ids = collectors.flatMap((subscriber) => subscriber.received.map(({ id }) => id))
    assert.is(new Set(ids).size, 4)
    assert.ok(ids.every((id) => typeof id === 'string' && id !== ''))
    a.close()
    b.close()
  })
  test('without replay, events get no id', async () => {
    const feed = broadcaster(int)
    const subscriber = collectEvents(feed.subscribe())
    await feed.publish(1)
    await delivery()
    assert.is(subscriber.received[0]?.id, undefined)
    feed.close()
  })
  test('return ends a subscription before its replayed events are read', async () => {
    const feed = broadcaster(int, { replay: 3 })
    for (const n of [1, 2, 3]) await feed.publish(n)
    const subscriber = feed.subscribe(after('unknown'))[Symbol.asyncIterator]()
    assert.is((await subscriber.next()).value?.data, 1)
    await subscriber.return?.()
    assert.ok((await subscriber.next()).done)
    feed.close()
  })
  test('a non-ASCII Last-Event-ID is decoded as UTF-8', async () => {
    const feed = broadcaster(int, { replay: 3 })
    await feed.publish(event(undefined, 1, { id: 'é' }))
    await feed.publish(2)
    const subscriber = collectEvents(feed.subscribe(after('\xc3\xa9')))
    await delivery()
    assert.equal(subscriber.data(), [2])
    feed.close()
  })
})
