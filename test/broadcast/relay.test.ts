/** Broadcasters that a relay connects. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Relay, RelayMessage } from '../../src/inferred.ts'
import { broadcaster, comment, event, inMemoryRelay, string } from '../../src/index.ts'
import { describe } from '../support/describe.ts'
import { turns } from '../support/wait-until.ts'
import { collectEvents, delivery, rejectionOf } from './event-collector.ts'

const Book = t.type({ title: t.string })

describe('broadcasters with a relay', (test) => {
  test('connected broadcasters send the same events, in the same order and with the same ids', async () => {
    const relay = inMemoryRelay()
    const [a, b] = [
      broadcaster(Book, { relay, replay: 9 }),
      broadcaster(Book, { relay, replay: 9 }),
    ]
    const collectors = [collectEvents(a.subscribe()), collectEvents(b.subscribe())]
    await a.publish({ title: 'Emma' })
    await b.publish(event('new', { title: 'Persuasion' }, { retry: 5, comment: 'c' }))
    await a.publish(comment('that is all'))
    await delivery()
    const [left, right] = collectors.map((subscriber) =>
      subscriber.received.map((received) => ({ ...received, encoded: undefined })),
    )
    assert.equal(left, right)
    assert.equal(
      collectors[1]?.received.map((subscriber) => subscriber.encoded?.text),
      ['{"title":"Emma"}', '{"title":"Persuasion"}', undefined],
    )
    const [first, second, third] = left ?? []
    assert.is(first?.data.title, 'Emma')
    assert.equal([second?.name, second?.retry, second?.comment], ['new', 5, 'c'])
    assert.equal([third?.hasData, third?.comment], [false, 'that is all'])
    for (const [index, received] of [first, second, third].entries())
      assert.match(received?.id ?? '', new RegExp(`^\\d{13}-${index + 1}$`))
    a.close()
    b.close()
  })
  test('publish sends only declared members to the relay', async () => {
    const relay = inMemoryRelay()
    const sent: string[] = []
    const { signal } = new AbortController()
    await relay.subscribe(({ text }) => void sent.push(text), { after: undefined, signal })
    const feed = broadcaster(Book, { relay })
    const emma = { title: 'Emma', secret: 'canary' }
    await feed.publish(emma)
    assert.is(sent.length, 1)
    assert.not(sent.join('').includes('canary'))
    feed.close()
  })
  test('invalid texts from the relay are reported to onRejected, and later events are delivered', async () => {
    const relay = inMemoryRelay()
    const rejected: unknown[] = []
    const feed = broadcaster(Book, { relay, onRejected: (error) => rejected.push(error) })
    const subscriber = collectEvents(feed.subscribe())
    for (const text of [
      '',
      '{}',
      'null',
      '{"hasData":true,"data":{"title":1}}',
      '{"hasData":true}',
      '{"hasData":true,"data":{"title":"Emma"},"name":"a\\nb"}',
    ])
      await relay.publish(text)
    await feed.publish({ title: 'Emma' })
    await delivery()
    assert.is(rejected.length, 6)
    assert.ok(rejected.every((error) => error instanceof Error))
    assert.equal(subscriber.data(), [{ title: 'Emma' }])
    feed.close()
  })
  test('without onRejected, an invalid text from the relay results in a process warning', async () => {
    const relay = inMemoryRelay()
    const feed = broadcaster(Book, { relay })
    collectEvents(feed.subscribe())
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    void relay.publish('{}')
    assert.match((await warned).message, /invalid event/)
    feed.close()
  })
  test('close unsubscribes from the relay', async () => {
    const relay = inMemoryRelay()
    const rejected: unknown[] = []
    const feed = broadcaster(Book, { relay, onRejected: (error) => rejected.push(error) })
    collectEvents(feed.subscribe())
    feed.close()
    void relay.publish('{}')
    assert.equal(rejected, [])
  })
  test('publish rejects if the relay fails', async () => {
    const relay = { ...inMemoryRelay(), publish: () => Promise.reject(new Error('no connection')) }
    const feed = broadcaster(string, { relay })
    assert.match(await rejectionOf(feed.publish('a')), /no connection/)
    feed.close()
  })
  test('publish rejects an event with an id', async () => {
    const feed = broadcaster(string, { relay: inMemoryRelay() })
    assert.match(
      await rejectionOf(feed.publish(event('a', 'b', { id: '1' }))),
      /TypeError: an event for a relay must not have an id/,
    )
    feed.close()
  })
  test('a subscription fails if the relay is not available, and the next one tries again', async () => {
    const available = inMemoryRelay()
    let isAvailable = false
    const relay: Relay = {
      ...available,
      subscribe: async (receive, subscription) => {
        await turns()
        if (!isAvailable) throw new Error('no connection')
        await available.subscribe(receive, subscription)
      },
    }
    const feed = broadcaster(string, { relay })
    const first = feed.subscribe()[Symbol.asyncIterator]()
    assert.match(await rejectionOf(first.next()), /no connection/)
    assert.is((await first.next()).done, true)
    assert.is(feed.subscribers, 0)
    isAvailable = true
    const second = collectEvents(feed.subscribe())
    await feed.publish('a')
    await delivery()
    assert.equal(second.data(), ['a'])
    feed.close()
  })
  test('a message that is delivered again is reported to onRejected, and is not sent', async () => {
    const rejected: unknown[] = []
    const { relay, deliver } = manualRelay()
    const feed = broadcaster(string, { relay, onRejected: (error) => rejected.push(error) })
    const subscriber = collectEvents(feed.subscribe())
    for (const [id, data] of [
      ['9', 'a'],
      ['10', 'b'],
      ['10', 'b'],
      ['9', 'a'],
      ['10-0', 'c'],
      ['11', 'd'],
    ] as const)
      deliver({ id, text: JSON.stringify({ hasData: true, data }) })
    await delivery()
    assert.equal(subscriber.data(), ['a', 'b', 'c', 'd'])
    assert.is(rejected.length, 2)
    assert.match(String(rejected[0]), /must be after the previous one/)
    feed.close()
  })
})

/** A relay whose messages the test delivers. */
const manualRelay = () => {
  const listeners = new Set<(message: RelayMessage) => void>()
  const relay: Relay = {
    publish: () => '1',
    subscribe: (receive) => void listeners.add(receive),
  }
  const deliver = (message: RelayMessage): void => {
    for (const receive of listeners) receive(message)
  }
  return { relay, deliver }
}

/** Relays of the earlier interface, without positions. */
describe('a relay without positions', (test) => {
  test('is rejected by publish if it returns nothing', async () => {
    const relay = { ...inMemoryRelay(), publish: () => undefined } as unknown as Relay
    assert.match(
      await rejectionOf(broadcaster(string, { relay }).publish('a')),
      /TypeError: invalid relay: publish must return the position of the message, such as "42"/,
    )
  })
  test('is rejected by subscribe if it returns a function', () => {
    const relay = { publish: () => '1', subscribe: () => () => undefined } as unknown as Relay
    assert.throws(
      () => broadcaster(string, { relay }).subscribe()[Symbol.asyncIterator](),
      /invalid relay: subscribe must end when its signal is aborted/,
    )
  })
  for (const message of ['{}', { text: '{}' }, { id: 'a', text: '{}' }, { id: '1' }, null])
    test(`is reported to onRejected if it delivers ${JSON.stringify(message)}`, async () => {
      const rejected: unknown[] = []
      const { relay, deliver } = manualRelay()
      const feed = broadcaster(string, { relay, onRejected: (error) => rejected.push(error) })
      const subscriber = collectEvents(feed.subscribe())
      deliver(message as RelayMessage)
      await delivery()
      assert.match(String(rejected), /^TypeError: invalid relay: receive must be called with/)
      assert.equal(subscriber.data(), [])
      feed.close()
    })
})
