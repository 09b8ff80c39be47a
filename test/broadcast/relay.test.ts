/** Broadcasters that a relay connects. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { broadcaster, comment, event, inMemoryRelay, string } from '../../src/index.ts'
import { describe } from '../support/describe.ts'
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
    await b.publish(event('new', { title: 'Persuasion' }, { id: '1', retry: 5, comment: 'c' }))
    await a.publish(comment('that is all', { id: '2' }))
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
    assert.equal([first?.data.title, typeof first?.id], ['Emma', 'string'])
    assert.equal([second?.name, second?.id, second?.retry, second?.comment], ['new', '1', 5, 'c'])
    assert.equal([third?.hasData, third?.comment, third?.id], [false, 'that is all', '2'])
    a.close()
    b.close()
  })
  test('publish sends only declared members to the relay', async () => {
    const relay = inMemoryRelay()
    const sent: string[] = []
    relay.subscribe((text) => void sent.push(text))
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
    ])
      relay.publish(text)
    relay.publish('{"hasData":true,"data":{"title":"Emma"},"id":"a\\nb"}')
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
    relay.publish('{}')
    assert.match((await warned).message, /invalid event/)
    feed.close()
  })
  test('close unsubscribes from the relay', async () => {
    const relay = inMemoryRelay()
    const rejected: unknown[] = []
    const feed = broadcaster(Book, { relay, onRejected: (error) => rejected.push(error) })
    collectEvents(feed.subscribe())
    feed.close()
    relay.publish('{}')
    assert.equal(rejected, [])
  })
  test('publish rejects if the relay fails', async () => {
    const relay = { ...inMemoryRelay(), publish: () => Promise.reject(new Error('no connection')) }
    const feed = broadcaster(string, { relay })
    assert.match(await rejectionOf(feed.publish('a')), /no connection/)
    feed.close()
  })
})
