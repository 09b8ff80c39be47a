/** Broadcasters: publishing, subscribing and closing. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { broadcaster, comment, event, int } from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'
import { collectEvents, delivery, rejectionOf } from './event-collector.ts'

describe('broadcaster', (test) => {
  test('publish sends events to all subscribers in order', async () => {
    const feed = broadcaster(int)
    const all = [
      collectEvents(feed.subscribe()),
      collectEvents(feed.subscribe()),
      collectEvents(feed.subscribe()),
    ]
    assert.is(feed.subscribers, 3)
    for (const n of [1, 2, 3]) await feed.publish(n)
    await delivery()
    for (const subscriber of all) assert.equal(subscriber.data(), [1, 2, 3])
    feed.close()
  })
  test('all subscribers receive the same event object, which is encoded once', async () => {
    const feed = broadcaster(int)
    const [a, b] = [collectEvents(feed.subscribe()), collectEvents(feed.subscribe())]
    await feed.publish(event('n', 1))
    await delivery()
    assert.is(a.received[0], b.received[0])
    assert.is(a.received[0]?.encoded?.text, '1')
    feed.close()
  })
  test('without replay, a new subscriber receives no earlier events', async () => {
    const feed = broadcaster(int)
    await feed.publish(1)
    const late = collectEvents(feed.subscribe())
    await feed.publish(2)
    await delivery()
    assert.equal(late.data(), [2])
    feed.close()
  })
  test('a subscription starts with its iterator and ends with return', async () => {
    const feed = broadcaster(int)
    const source = feed.subscribe()
    assert.is(feed.subscribers, 0)
    const subscriber = source[Symbol.asyncIterator]()
    const other = collectEvents(source)
    assert.is(feed.subscribers, 2)
    await subscriber.return?.()
    assert.equal(await subscriber.next(), { done: true, value: undefined })
    await other.cancel()
    await other.ended
    assert.is(feed.subscribers, 0)
  })
  test('close ends subscriptions after their unread events', async () => {
    const feed = broadcaster(int)
    const iterator = feed.subscribe()[Symbol.asyncIterator]()
    await feed.publish(1)
    await feed.publish(2)
    feed.close()
    assert.is((await iterator.next()).value?.data, 1)
    assert.is((await iterator.next()).value?.data, 2)
    assert.ok((await iterator.next()).done)
    assert.is(feed.subscribers, 0)
  })
  test('after close, publish rejects and new subscriptions are empty', async () => {
    const feed = broadcaster(int, { replay: 5 })
    await feed.publish(1)
    feed.close()
    feed.close()
    assert.match(await rejectionOf(feed.publish(2)), /closed/)
    const late = collectEvents(feed.subscribe())
    await late.ended
    assert.equal(late.data(), [])
  })
  test('publish rejects data that cannot be encoded, and subscriptions continue', async () => {
    const feed = broadcaster(t.unknown)
    const subscriber = collectEvents(feed.subscribe())
    assert.match(await rejectionOf(feed.publish(undefined)), /undefined/)
    assert.match(await rejectionOf(feed.publish(5n)), /BigInt/)
    await feed.publish('a')
    await delivery()
    assert.equal(subscriber.data(), ['a'])
    feed.close()
  })
  test('publish sends comments', async () => {
    const feed = broadcaster(int)
    const subscriber = collectEvents(feed.subscribe())
    await feed.publish(comment('hello'))
    await delivery()
    assert.equal(
      [subscriber.received[0]?.comment, subscriber.received[0]?.hasData],
      ['hello', false],
    )
    feed.close()
  })
  table(
    test,
    [
      ['a queue of 0', { queue: 0 }],
      ['a queue of 1.5', { queue: 1.5 }],
      ['a negative replay', { replay: -1 }],
      ['a replay of NaN', { replay: NaN }],
    ] as const,
    (_, options) => assert.throws(() => broadcaster(int, options), RangeError),
  )
})

describe('broadcaster during a shutdown', (test) => {
  test('subscriptions with the context of the server end, others continue', async () => {
    const feed = broadcaster(int)
    const stopping = new AbortController()
    const serverContext = testContext({ application: { stopping: stopping.signal } })
    const [subscriber, other, unrelated] = [
      collectEvents(feed.subscribe(serverContext)),
      collectEvents(feed.subscribe(serverContext)),
      collectEvents(feed.subscribe(testContext())),
    ]
    await feed.publish(1)
    stopping.abort()
    await Promise.all([subscriber.ended, other.ended])
    await feed.publish(2)
    await delivery()
    assert.equal([subscriber.data(), other.data(), unrelated.data()], [[1], [1], [1, 2]])
    assert.is(feed.subscribers, 1)
    const late = collectEvents(feed.subscribe(serverContext))
    await late.ended
    assert.is(feed.subscribers, 1)
    feed.close()
  })
  test('1000 subscriptions share one abort listener, which is removed with the last', async () => {
    const feed = broadcaster(int)
    const { signal } = new AbortController()
    let [added, removed] = [0, 0]
    const counting = Object.assign(signal, {
      addEventListener: () => void added++,
      removeEventListener: () => void removed++,
    })
    const serverContext = testContext({ application: { stopping: counting } })
    const all = Array.from({ length: 1000 }, () =>
      feed.subscribe(serverContext)[Symbol.asyncIterator](),
    )
    assert.equal([feed.subscribers, added, removed], [1000, 1, 0])
    for (const subscriber of all) await subscriber.return?.()
    assert.equal([feed.subscribers, added, removed], [0, 1, 1])
  })
})
