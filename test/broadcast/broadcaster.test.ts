/** Broadcasters: R-234 of the rules. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { broadcaster, comment, event, int } from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'
import { arrived, listening, refusal } from '../support/listening.ts'

describe('R-234: a broadcaster', (test) => {
  test('gives what is published to everybody, in order', async () => {
    const feed = broadcaster(int)
    const all = [
      listening(feed.subscribe()),
      listening(feed.subscribe()),
      listening(feed.subscribe()),
    ]
    assert.is(feed.subscribers, 3)
    for (const n of [1, 2, 3]) await feed.publish(n)
    await arrived()
    for (const one of all) assert.equal(one.data(), [1, 2, 3])
    feed.close()
  })
  test('gives the same event to all, so that it is written once', async () => {
    const feed = broadcaster(int)
    const [a, b] = [listening(feed.subscribe()), listening(feed.subscribe())]
    await feed.publish(event('n', 1))
    await arrived()
    assert.is(a.heard[0], b.heard[0])
    assert.is(a.heard[0]?.encoded?.text, '1')
    feed.close()
  })
  test('gives nothing of what was before', async () => {
    const feed = broadcaster(int)
    await feed.publish(1)
    const late = listening(feed.subscribe())
    await feed.publish(2)
    await arrived()
    assert.equal(late.data(), [2])
    feed.close()
  })
  test('has no subscriber before somebody asks, and loses who returns', async () => {
    const feed = broadcaster(int)
    const source = feed.subscribe()
    assert.is(feed.subscribers, 0)
    const one = source[Symbol.asyncIterator]()
    const other = listening(source)
    assert.is(feed.subscribers, 2)
    await one.return?.()
    assert.equal(await one.next(), { done: true, value: undefined })
    await other.leave()
    await other.over
    assert.is(feed.subscribers, 0)
  })
  test('ends when it is closed, behind what waits', async () => {
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
  test('refuses what is published when it is closed, and gives nothing to who comes then', async () => {
    const feed = broadcaster(int, { replay: 5 })
    await feed.publish(1)
    feed.close()
    feed.close()
    assert.match(await refusal(feed.publish(2)), /closed/)
    const late = listening(feed.subscribe())
    await late.over
    assert.equal(late.data(), [])
  })
  test('refuses what cannot be written, and harms nobody', async () => {
    const feed = broadcaster(t.unknown)
    const one = listening(feed.subscribe())
    assert.match(await refusal(feed.publish(undefined)), /undefined/)
    assert.match(await refusal(feed.publish(5n)), /BigInt/)
    await feed.publish('a')
    await arrived()
    assert.equal(one.data(), ['a'])
    feed.close()
  })
  test('gives comments', async () => {
    const feed = broadcaster(int)
    const one = listening(feed.subscribe())
    await feed.publish(comment('hello'))
    await arrived()
    assert.equal([one.heard[0]?.comment, one.heard[0]?.hasData], ['hello', false])
    feed.close()
  })
  table(
    test,
    [
      ['a queue of 0', { queue: 0 }],
      ['a queue of a half', { queue: 1.5 }],
      ['a negative replay', { replay: -1 }],
      ['a replay of nothing', { replay: NaN }],
    ] as const,
    (_, options) => assert.throws(() => broadcaster(int, options), RangeError),
  )
})

describe('a broadcaster whose server stops', (test) => {
  test('ends who came through it, and nobody else', async () => {
    const feed = broadcaster(int)
    const stopping = new AbortController()
    const through = testContext({ application: { stopping: stopping.signal } })
    const [one, other, none] = [
      listening(feed.subscribe(through)),
      listening(feed.subscribe(through)),
      listening(feed.subscribe(testContext())),
    ]
    await feed.publish(1)
    stopping.abort()
    await Promise.all([one.over, other.over])
    await feed.publish(2)
    await arrived()
    assert.equal([one.data(), other.data(), none.data()], [[1], [1], [1, 2]])
    assert.is(feed.subscribers, 1)
    const late = listening(feed.subscribe(through))
    await late.over
    assert.is(feed.subscribers, 1)
    feed.close()
  })
  test('has one listener for a thousand, and none for nobody', async () => {
    const feed = broadcaster(int)
    const { signal } = new AbortController()
    let [added, removed] = [0, 0]
    const counting = Object.assign(signal, {
      addEventListener: () => void added++,
      removeEventListener: () => void removed++,
    })
    const through = testContext({ application: { stopping: counting } })
    const all = Array.from({ length: 1000 }, () => feed.subscribe(through)[Symbol.asyncIterator]())
    assert.equal([feed.subscribers, added, removed], [1000, 1, 0])
    for (const one of all) await one.return?.()
    assert.equal([feed.subscribers, added, removed], [0, 1, 1])
  })
})
