/** Replay through the history of a relay: clients that reconnect to another process. */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Event, Subscriber } from '../../src/index.ts'
import type { Relay, RelayMessage } from '../../src/inferred.ts'
import { broadcaster, inMemoryRelay, int } from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe, repetitions } from '../support/describe.ts'
import { turns } from '../support/wait-until.ts'
import { collectEvents, delivery, rejectionOf } from './event-collector.ts'

const after = (id: string): Subscriber =>
  testContext({ request: { headers: ['Last-Event-ID', id] } })

/** The position of the nth message of a relay. */
const nth = (position: string, n: number): string => `${position.split('-')[0]}-${n}`

/** Publishes 1 to `count` on one broadcaster, and returns what a client of another one receives after the event `last`. */
const replayed = async (
  count: number,
  { history, replay, last }: { history: number; replay: number; last: number },
): Promise<ReadonlyArray<number>> => {
  const relay = inMemoryRelay({ history })
  const [a, b] = [broadcaster(int, { relay }), broadcaster(int, { relay, replay })]
  const collector = collectEvents(a.subscribe())
  for (let n = 1; n <= count; n++) await a.publish(n)
  await delivery()
  const id = collector.received[0]?.id ?? ''
  const client = collectEvents(b.subscribe(after(nth(id, last))))
  await delivery()
  await a.publish(99)
  await delivery()
  const data = client.data()
  a.close()
  b.close()
  await client.ended
  return data
}

describe('a client that reconnects to a broadcaster without the events', (test) => {
  for (const [title, count, options, expected] of [
    ['receives those after its last event', 4, { last: 2 }, [3, 4, 99]],
    ['receives only new events after the last one', 4, { last: 4 }, [99]],
    ['receives all that the relay still has', 9, { history: 3, last: 2 }, [7, 8, 9, 99]],
    ['receives no past events if the relay has no history', 4, { history: 0, last: 2 }, [99]],
    ['receives no past events without replay', 4, { replay: 0, last: 2 }, [99]],
    ['receives at most `replay` of them, and reconnects', 9, { replay: 3, last: 2 }, [3, 4, 5]],
    ['receives `replay` of them, if there are no more', 5, { replay: 3, last: 2 }, [3, 4, 5, 99]],
    ['does not receive an event again that it has received elsewhere', 4, { last: 5 }, []],
  ] as const)
    test(title, async () =>
      assert.equal(await replayed(count, { history: 100, replay: 50, ...options }), [...expected]),
    )

  test('receives the kept events for an id that is not a position, which the relay does not receive', async () => {
    const history = inMemoryRelay({ history: 9 })
    const positions: unknown[] = []
    const relay: Relay = {
      ...history,
      subscribe: (receive, subscription) => {
        positions.push(subscription.after)
        return history.subscribe(receive, subscription)
      },
    }
    const feed = broadcaster(int, { relay, replay: 2 })
    for (const n of [1, 2, 3]) await feed.publish(n)
    for (const id of ['$', '-', '0-*', '1 OR 1=1', 'ab12cd34-7']) {
      const client = collectEvents(feed.subscribe(after(id)))
      await delivery()
      assert.equal(client.data(), [2, 3])
    }
    assert.equal(positions, [undefined])
    feed.close()
  })
  test('is served from the kept events if they suffice', async () => {
    const history = inMemoryRelay({ history: 9 })
    let subscriptions = 0
    const relay: Relay = {
      ...history,
      subscribe: (receive, subscription) => {
        subscriptions++
        return history.subscribe(receive, subscription)
      },
    }
    const feed = broadcaster(int, { relay, replay: 2 })
    const first = collectEvents(feed.subscribe())
    for (const n of [1, 2, 3]) await feed.publish(n)
    await delivery()
    const id = first.received[1]?.id ?? ''
    const client = collectEvents(feed.subscribe(after(id)))
    await delivery()
    assert.equal([client.data(), subscriptions], [[3], 1])
    feed.close()
  })
  test('ends the subscription of the relay after the past events, and when it disconnects', async () => {
    const history = inMemoryRelay({ history: 9 })
    const signals: AbortSignal[] = []
    let isSlow = false
    const relay: Relay = {
      ...history,
      subscribe: (receive, subscription) => {
        signals.push(subscription.signal)
        void history.subscribe(receive, subscription)
        return isSlow ? new Promise(() => undefined) : undefined
      },
    }
    const feed = broadcaster(int, { relay, replay: 2 })
    const client = collectEvents(feed.subscribe(after('1')))
    await delivery()
    assert.equal(
      signals.map(({ aborted }) => aborted),
      [false, true],
    )
    isSlow = true
    const slow = collectEvents(feed.subscribe(after('1')))
    await delivery()
    await slow.cancel()
    assert.is(signals[2]?.aborted, true)
    feed.close()
    await client.ended
    assert.is(signals[0]?.aborted, true)
  })
  test('does not miss events that are published while the relay is being connected', async () => {
    const history = inMemoryRelay({ history: 9 })
    const relay: Relay = {
      ...history,
      subscribe: async (receive, subscription) => {
        if (subscription.after === undefined) await turns(3)
        await history.subscribe(receive, subscription)
      },
    }
    const [a, b] = [broadcaster(int, { relay: history }), broadcaster(int, { relay, replay: 9 })]
    const position = await history.publish('{"hasData":false}')
    await a.publish(1)
    const client = collectEvents(b.subscribe(after(position)))
    await turns(1)
    await a.publish(2)
    await delivery()
    await a.publish(3)
    await delivery()
    assert.equal(client.data(), [1, 2, 3])
    a.close()
    b.close()
  })
  test('fails if the history cannot be read', async () => {
    const history = inMemoryRelay()
    const relay: Relay = {
      ...history,
      subscribe: (receive, subscription) =>
        subscription.after === undefined
          ? history.subscribe(receive, subscription)
          : Promise.reject(new Error('no connection')),
    }
    const feed = broadcaster(int, { relay, replay: 2 })
    const client = feed.subscribe(after('1'))[Symbol.asyncIterator]()
    assert.match(await rejectionOf(client.next()), /no connection/)
    assert.is(feed.subscribers, 0)
    feed.close()
  })
})

/** A shared log, and relays to it whose messages arrive late, in steps that `arrive` takes. */
const laggingLog = () => {
  const messages: RelayMessage[] = []
  const relays = [0, 1].map(() => {
    const followers = new Set<() => void>()
    const relay: Relay = {
      publish: async (text) => {
        const id = `7-${messages.length + 1}`
        messages.push({ id, text })
        await turns(1)
        return id
      },
      subscribe: async (receive, { after: position, signal }) => {
        if (position === undefined) await turns(2)
        let next = position === undefined ? messages.length : Number(position.split('-')[1])
        const deliver = (): void => {
          const message = messages[next]
          if (message === undefined) return
          next++
          receive(message)
        }
        for (let past = messages.length - next; past > 0 && !signal.aborted; past--) {
          deliver()
          await turns(1)
        }
        if (signal.aborted) return
        followers.add(deliver)
        signal.addEventListener('abort', () => followers.delete(deliver))
      },
    }
    return {
      relay,
      arrive: () => {
        for (const deliver of followers) deliver()
      },
    }
  })
  return { messages, relays }
}

type Step =
  | { readonly _tag: 'Publish'; readonly node: number }
  | { readonly _tag: 'Arrive'; readonly node: number }
  | { readonly _tag: 'Connect'; readonly client: number; readonly node: number }
  | { readonly _tag: 'Disconnect'; readonly client: number }
  | { readonly _tag: 'Wait' }

const node = fc.nat(1)
const client = fc.nat(2)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant('Publish' as const), node }) },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant('Arrive' as const), node }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant('Connect' as const), client, node }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant('Disconnect' as const), client }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant('Wait' as const) }) },
)

/** A client that connects again with the id of the last event that it has received, as `EventSource` does. */
class ReconnectingClient {
  readonly received: number[] = []
  isConnected = false
  #last: string | undefined
  #iterator: AsyncIterator<Event<number>> | undefined

  connect(feed: { readonly subscribe: (context?: Subscriber) => AsyncIterable<Event<number>> }) {
    this.disconnect()
    const context = this.#last === undefined ? testContext() : after(this.#last)
    const iterator = feed.subscribe(context)[Symbol.asyncIterator]()
    this.#iterator = iterator
    this.isConnected = true
    void this.#read(iterator)
  }

  disconnect() {
    void this.#iterator?.return?.()
    this.#iterator = undefined
    this.isConnected = false
  }

  async #read(iterator: AsyncIterator<Event<number>, undefined>): Promise<void> {
    for (;;) {
      const { done, value } = await iterator.next()
      if (this.#iterator !== iterator) return
      if (done === true) return this.disconnect()
      this.received.push(value.data)
      this.#last = value.id
    }
  }
}

describe('two broadcasters on one relay with history', (test) => {
  test('each client that reconnects to any of them receives each event once and in order', async () => {
    let [reconnections, total] = [0, 0]
    const check = async (
      steps: ReadonlyArray<Step>,
      replay: number,
      queue: number,
    ): Promise<void> => {
      const { messages, relays } = laggingLog()
      const feeds = relays.map(({ relay }) => broadcaster(int, { relay, replay, queue }))
      const clients = [0, 1, 2].map(() => new ReconnectingClient())
      let published = 0
      for (const step of steps)
        switch (step._tag) {
          case 'Publish':
            await feeds[step.node]?.publish(++published)
            break
          case 'Arrive':
            relays[step.node]?.arrive()
            break
          case 'Connect': {
            const feed = feeds[step.node]
            if (feed !== undefined) clients[step.client]?.connect(feed)
            reconnections++
            break
          }
          case 'Disconnect':
            clients[step.client]?.disconnect()
            break
          case 'Wait':
            await turns(2)
        }
      // everything arrives, and clients whose stream has ended reconnect
      for (let round = 0; round < 2 * messages.length + 4; round++) {
        for (const { arrive } of relays) arrive()
        for (const [index, reconnecting] of clients.entries()) {
          const feed = feeds[(index + round) % 2]
          if (!reconnecting.isConnected && reconnecting.received.length > 0 && feed !== undefined)
            reconnecting.connect(feed)
        }
        await turns(messages.length + 2)
      }
      for (const { received } of clients) {
        const [first = 0] = received
        const expected = Array.from({ length: published - first + 1 }, (_, n) => first + n)
        assert.equal(received, received.length === 0 ? [] : expected)
        total += received.length
      }
      for (const feed of feeds) feed.close()
      for (const reconnecting of clients) reconnecting.disconnect()
    }
    const property = fc.asyncProperty(
      fc.array(anyStep, { minLength: 10, maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 8 }),
      check,
    )
    await fc.assert(property, { numRuns: repetitions(60, 1000) })
    assert.ok(reconnections > 0 && total > 0)
  })
})
