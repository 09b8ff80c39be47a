/** Broadcasters that are connected: R-234. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { broadcaster, comment, event, inProcess, string } from '../../src/index.ts'
import { describe } from '../support/describe.ts'
import { arrived, listening, refusal } from '../support/listening.ts'

const Book = t.type({ title: t.string })

describe('broadcasters with a relay', (test) => {
  test('say the same, in the same order, with the same ids', async () => {
    const relay = inProcess()
    const [a, b] = [
      broadcaster(Book, { relay, replay: 9 }),
      broadcaster(Book, { relay, replay: 9 }),
    ]
    const heard = [listening(a.subscribe()), listening(b.subscribe())]
    await a.publish({ title: 'Emma' })
    await b.publish(event('new', { title: 'Persuasion' }, { id: '1', retry: 5, comment: 'c' }))
    await a.publish(comment('that is all', { id: '2' }))
    await arrived()
    const [left, right] = heard.map((one) =>
      one.heard.map((given) => ({ ...given, encoded: undefined })),
    )
    assert.equal(left, right)
    assert.equal(
      heard[1]?.heard.map((one) => one.encoded?.text),
      ['{"title":"Emma"}', '{"title":"Persuasion"}', undefined],
    )
    const [first, second, third] = left ?? []
    assert.equal([first?.data.title, typeof first?.id], ['Emma', 'string'])
    assert.equal([second?.name, second?.id, second?.retry, second?.comment], ['new', '1', 5, 'c'])
    assert.equal([third?.hasData, third?.comment, third?.id], [false, 'that is all', '2'])
    a.close()
    b.close()
  })
  test('send only what the codec declares', async () => {
    const relay = inProcess()
    const sent: string[] = []
    relay.subscribe((text) => void sent.push(text))
    const feed = broadcaster(Book, { relay })
    const emma = { title: 'Emma', secret: 'canary' }
    await feed.publish(emma)
    assert.is(sent.length, 1)
    assert.not(sent.join('').includes('canary'))
    feed.close()
  })
  test('refuse what is no event of theirs, and go on', async () => {
    const relay = inProcess()
    const refused: unknown[] = []
    const feed = broadcaster(Book, { relay, onRefused: (error) => refused.push(error) })
    const one = listening(feed.subscribe())
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
    await arrived()
    assert.is(refused.length, 6)
    assert.ok(refused.every((error) => error instanceof Error))
    assert.equal(one.data(), [{ title: 'Emma' }])
    feed.close()
  })
  test('warn of what is refused unless they are told otherwise', async () => {
    const relay = inProcess()
    const feed = broadcaster(Book, { relay })
    listening(feed.subscribe())
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    relay.publish('{}')
    assert.match((await warned).message, /no event/)
    feed.close()
  })
  test('leave it when they are closed', async () => {
    const relay = inProcess()
    const refused: unknown[] = []
    const feed = broadcaster(Book, { relay, onRefused: (error) => refused.push(error) })
    listening(feed.subscribe())
    feed.close()
    relay.publish('{}')
    assert.equal(refused, [])
  })
  test('tell the publisher when it fails', async () => {
    const relay = { ...inProcess(), publish: () => Promise.reject(new Error('no connection')) }
    const feed = broadcaster(string, { relay })
    assert.match(await refusal(feed.publish('a')), /no connection/)
    feed.close()
  })
})
