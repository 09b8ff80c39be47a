/** Broadcasters: publish-subscribe for event streams. */
import type * as t from 'io-ts'
import { interpretedBackEnd } from '../codec/generated/interpreted/interpreted-back-end.ts'
import { compileCodec } from '../codec/generated/compiled-codec.ts'
import { eventDataWriter } from '../codec/event-data.ts'
import type { Application, RequestContext } from '../endpoint/context.ts'
import type { Encoded, Event } from '../endpoint/sse.ts'
import { event, isEvent, withEncodedData } from '../endpoint/sse.ts'
import * as LastEventId from '../http/last-event-id.ts'
import { SubscriberGroups } from './subscriber-groups.ts'
import type { Relay } from './relay.ts'
import type { WhenFull } from './subscription.ts'
import { Subscription } from './subscription.ts'
import { eventSerializer } from './event-serializer.ts'

export interface BroadcasterOptions {
  /**
   * Number of past events kept for clients that reconnect with `Last-Event-ID`. Default: 0.
   * With a value above 0, events without an id get one. If the client's last event is no longer kept, all kept events are sent.
   */
  readonly replay?: number
  /** Maximum number of unread events per subscriber, without replayed ones. Must be at least 1. Default: 256. */
  readonly queue?: number
  /**
   * What happens to a subscription whose queue is full. Default: `end`. The client then reconnects, and receives the missed events
   * that are kept for replay.
   */
  readonly whenFull?: WhenFull
  /** A connection to the broadcasters of other processes. The first publish or subscription subscribes to it. */
  readonly relay?: Relay
  /** Called with an error for each text of the relay that is not a valid event. Default: a process warning. */
  readonly onRefused?: (error: unknown) => unknown
}

/** The origin of a subscription, such as the context of a request. */
export interface Subscriber {
  readonly request: Pick<RequestContext, 'headerLines'>
  readonly application: Pick<Application, 'stopping'>
}

export interface Broadcaster<A> {
  /**
   * Sends an element to all subscribers. Rejects without sending it if the broadcaster is closed, if the codec cannot encode the
   * element, or if the relay fails.
   */
  readonly publish: (element: A | Event<A>) => Promise<void>
  /**
   * Returns the events published from the first request for an iterator on. With the context of a request, the events start after
   * its `Last-Event-ID`, and end when the server starts to shut down.
   */
  readonly subscribe: (subscriber?: Subscriber) => AsyncIterable<Event<A>>
  /** The current number of subscriptions in this process. */
  readonly subscribers: number
  /** Ends all subscriptions after their unread events, and rejects further events. */
  readonly close: () => void
}

/**
 * Creates a broadcaster for events whose data a codec encodes. Each event is encoded once, regardless of the number of
 * subscribers to event streams of the same codec.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { broadcaster, event, get, handle, path, produces, routes, sse, string } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const news = broadcaster(string, { replay: 100 })
 * const listen = pipe(
 *   path('/news'),
 *   get(),
 *   produces(sse(string)),
 *   handle((_, context) => news.subscribe(context)),
 * )
 * await news.publish(event('returned', 'Emma', { id: 'a' }))
 * await news.publish(event('returned', 'Persuasion', { id: 'b' }))
 * const reconnect = new Request('http://localhost/news', { headers: { 'Last-Event-ID': 'a' } })
 * const response = await inMemory(routes({ listen }))(reconnect)
 * news.close()
 *
 * assert.equal(await response.text(), 'id: b\nevent: returned\ndata: Persuasion\n\n')
 * await assert.rejects(news.publish('Sanditon'), /closed/)
 * ```
 *
 * Throws a `RangeError` for an invalid `queue` or `replay`. Blocking operations run on workers, each of which has its own
 * broadcaster: to publish from a blocking operation, connect them with a relay.
 */
export const broadcaster = <C extends t.Mixed>(
  codec: C,
  { replay = 0, queue = 256, whenFull = 'end', relay, onRefused = warn }: BroadcasterOptions = {},
): Broadcaster<t.TypeOf<C>> => {
  type A = t.TypeOf<C>
  if (!Number.isSafeInteger(queue) || queue < 1)
    throw new RangeError(`queue must be an integer of at least 1, got ${queue}`)
  if (!Number.isSafeInteger(replay) || replay < 0)
    throw new RangeError(`replay must be a non-negative integer, got ${replay}`)
  const subscribers = new SubscriberGroups<Event<A>>()
  const replayBuffer = new ReplayBuffer<A>(replay)
  const { read, write } = eventSerializer<A>(codec)
  const nextId = idGenerator()
  let isClosed = false
  let unsubscribe: (() => void) | undefined

  const send = (sent: Event<A>): void => {
    if (isClosed) return
    replayBuffer.add(sent)
    subscribers.push(sent)
  }
  const encodeEvent = (plain: Event<A>): Event<A> =>
    withEncodedData(plain, {
      id: plain.id ?? (replay > 0 ? nextId() : undefined),
      encoded: plain.hasData ? encodeData(plain.data) : undefined,
    })
  const encodeData = (data: A): Encoded => ({ codec, text: writeText(data) })
  let writer: ((value: unknown) => string) | undefined
  const writeText = (value: unknown): string =>
    (writer ??= eventDataWriter(codec, compileCodec(codec, 'drop', interpretedBackEnd).write))(
      value,
    )
  const receive = (received: string): void => {
    try {
      send(encodeEvent(read(received)))
    } catch (error) {
      onRefused(error)
    }
  }
  const connect = (): void => {
    unsubscribe ??= relay?.subscribe(receive)
  }

  return {
    publish: async (element) => {
      if (isClosed) throw new Error('the broadcaster is closed')
      const encoded = encodeEvent(isEventOf<A>(element) ? element : event<A>(element))
      if (relay === undefined) return send(encoded)
      connect()
      await relay.publish(write(encoded))
    },
    subscribe: (subscriber) => ({
      [Symbol.asyncIterator]: () => {
        const signal = subscriber?.application.stopping
        const [lastId] = subscriber?.request.headerLines('last-event-id') ?? []
        const replayed = lastId === undefined ? [] : replayBuffer.after(LastEventId.parse(lastId))
        const subscription = new Subscription(replayed, { maxQueued: queue, whenFull }, (self) =>
          subscribers.delete(self, signal),
        )
        if (isClosed) subscription.end()
        else {
          connect()
          subscribers.add(subscription, signal)
        }
        return subscription
      },
    }),
    get subscribers() {
      return subscribers.size
    },
    close: () => {
      isClosed = true
      subscribers.end()
      unsubscribe?.()
      unsubscribe = undefined
    },
  }
}

/** The type of `publish` guarantees the type of the data. */
const isEventOf = <A>(element: A | Event<A>): element is Event<A> => isEvent(element)

/** A bounded buffer of past events. */
class ReplayBuffer<A> {
  readonly #size: number
  readonly #events: Array<Event<A>> = []

  constructor(size: number) {
    this.#size = size
  }

  add(added: Event<A>): void {
    if (this.#events.push(added) > this.#size) this.#events.shift()
  }

  /** Returns the events after the one with an id, or all events if it is not in the buffer. */
  after(id: string): ReadonlyArray<Event<A>> {
    return this.#events.slice(this.#events.findLastIndex((kept) => kept.id === id) + 1)
  }
}

/** Returns a generator of ids that are unique among processes. */
const idGenerator = (): (() => string) => {
  const process = crypto.randomUUID().slice(0, 8)
  let count = 0
  return () => `${process}-${++count}`
}

const warn = (error: unknown): void =>
  process.emitWarning(error instanceof Error ? error : String(error))
