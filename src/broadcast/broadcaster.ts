/** Broadcasters, which send published events to all subscribed event streams. */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import type * as t from 'io-ts'
import type { CodecFor, CodecOrSchema } from '../codec/standard-schema/standard-schema.ts'
import { codecFor } from '../codec/standard-schema/standard-schema.ts'
import { interpretedBackEnd } from '../codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../codec/compiled/compiled-codec.ts'
import { eventDataWriter } from '../codec/event-data.ts'
import type { Application, RequestContext } from '../endpoint/context.ts'
import type { Encoded, Event } from '../endpoint/sse.ts'
import { event, isEvent, withEncodedData } from '../endpoint/sse.ts'
import * as EventStream from '../http/event-stream.ts'
import { SubscriberGroups, Subscription } from './subscription.ts'
import type { Relay, RelayMessage } from '../endpoint/definition/relay.ts'
import { isAfter, isPosition } from './position.ts'
import { RelayConnection } from './relay-connection.ts'
import type { WhenFull } from './subscription.ts'
import { eventSerializer } from './relay.ts'
import { isError } from '../http/platform-value.ts'

/** Options for {@link broadcaster}. */
export interface BroadcasterOptions {
  /**
   * Number of past events kept for clients that reconnect with `Last-Event-ID`. Default: 0. If the number is greater
   * than 0, events without an id receive a generated id.
   *
   * A request without `Last-Event-ID` receives no past events. If no kept event has the id in `Last-Event-ID`, because the id
   * is unknown or its event is no longer kept, all kept events are sent. If several have the id, the last one counts.
   *
   * With a relay, events that are no longer kept are read from the relay, if it still has them. A stream ends after `replay` of them, so that the
   * client reconnects and receives the next.
   */
  readonly replay?: number
  /**
   * Maximum number of unread events for each subscriber, excluding replayed events. Must be at least 1. Default: 256.
   */
  readonly queue?: number
  /**
   * What happens to a subscription when an event arrives while the queue is full. Default: `end`. With this default,
   * the subscription ends and its unread events are discarded. The client can then reconnect to receive the missed
   * events that are kept for replay.
   */
  readonly whenFull?: WhenFull
  /**
   * A connection to the broadcasters in other processes. The broadcaster subscribes to the relay when the first event
   * is published or the first subscription starts. The id of each event is its position in the relay, which is the same in all processes.
   */
  readonly relay?: Relay
  /**
   * Called with an error whenever the relay delivers a message that is not a valid event, or whose position is not after the previous
   * one. By default, the error is emitted as a process warning.
   */
  readonly onRejected?: (error: unknown) => unknown
}

/** The members of the request context that a subscription uses. */
export interface Subscriber {
  readonly request: Pick<RequestContext, 'headerValues'>
  readonly application: Pick<Application, 'stopping'>
}

/** A channel that sends published events to event streams. */
export interface Broadcaster<A> {
  /**
   * Sends an element to all subscribers. The element is not sent, and the returned promise rejects, if the broadcaster
   * is closed, the codec cannot encode the element, or the relay fails. With a relay, an event with an id is also rejected.
   */
  readonly publish: (element: A | Event<A>) => Promise<void>
  /**
   * Returns a stream of the events published after iteration starts. The stream ends when the broadcaster is closed.
   *
   * If a request context is passed and the request has a `Last-Event-ID` header, the stream first replays kept events:
   * those after the event with this id, or all of them if no kept event has this id. Without the header, nothing is replayed.
   *
   * A stream with a request context also ends when the server starts shutting down. If the relay is not available, the stream fails.
   */
  readonly subscribe: (subscriber?: Subscriber) => AsyncIterable<Event<A>>
  /** Current number of subscriptions in this process. */
  readonly subscribers: number
  /**
   * Closes the broadcaster. Each subscription ends after its unread events have been read. Later calls to `publish` are
   * rejected.
   */
  readonly close: () => void
}

/**
 * Creates a broadcaster for events whose data is encoded with a codec. If the event streams also use this codec, each
 * event is encoded only once, regardless of the number of subscribers.
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
 * Blocking operations run on workers, and each worker has a separate broadcaster. To publish events from a blocking
 * operation, connect the broadcasters with a relay. Throws a `RangeError` if `queue` or `replay` is invalid.
 */
export const broadcaster = <C extends CodecOrSchema>(
  declared: C,
  options: BroadcasterOptions = {},
): Broadcaster<t.TypeOf<CodecFor<C>>> => {
  const codec = codecFor(declared)
  const {
    replay = 0,
    queue = 256,
    whenFull = 'end',
    relay,
    onRejected = warn,
  } = checkOptions('broadcaster', ['replay', 'queue', 'whenFull', 'relay', 'onRejected'], options)
  type A = t.TypeOf<CodecFor<C>>
  if (!Number.isSafeInteger(queue) || queue < 1)
    throw new RangeError(`queue must be a positive integer, got ${queue}`)
  if (!Number.isSafeInteger(replay) || replay < 0)
    throw new RangeError(`replay must be a non-negative integer, got ${replay}`)
  const subscribers = new SubscriberGroups<Event<A>>()
  const replayBuffer = new ReplayBuffer<A>(replay)
  const { read, write } = eventSerializer<A>(codec)
  const nextId = idGenerator()
  let isClosed = false

  const send = (sent: Event<A>): void => {
    replayBuffer.add(sent)
    subscribers.push(sent)
  }
  const encodeEvent = (plain: Event<A>, id: string | undefined): Event<A> =>
    withEncodedData(plain, { id, encoded: plain.hasData ? encodeData(plain.data) : undefined })
  const encodeData = (data: A): Encoded => ({ codec, text: writeText(data) })
  let writer: ((value: unknown) => string) | undefined
  const writeText = (value: unknown): string =>
    (writer ??= eventDataWriter(codec, compileCodec(codec, 'drop', interpretedBackEnd).write))(
      value,
    )
  /** Calls a function with the event in a message. */
  const receive = (message: RelayMessage, use: (received: Event<A>) => void): void => {
    try {
      use(encodeEvent(read(message), message.id))
    } catch (error) {
      onRejected(error)
    }
  }
  const connection =
    relay === undefined
      ? undefined
      : new RelayConnection(relay, {
          onMessage: (message) => receive(message, send),
          onRejected,
          onFailure: (error) => subscribers.fail(error),
        })

  /** Replays the events after a position that are kept, or else that the relay has. */
  const replayRelayed = async (
    relayed: RelayConnection,
    subscription: Subscription<Event<A>>,
    position: string,
    reading: AbortController,
  ): Promise<void> => {
    const kept = replayBuffer.after(undefined)
    let last = position
    const isRepeated = ({ id }: Event<A>): boolean => id !== undefined && !isAfter(id, last)
    const replayOne = (past: Event<A>): void => {
      last = past.id ?? last
      subscription.replay(past)
    }
    const [oldest] = kept
    if (replay > 0 && (oldest === undefined || !isRepeated(oldest))) {
      let count = 0
      // messages that are published after the connection are not missed
      await relayed.connect()
      await relayed.history(
        position,
        (message) => (++count > replay ? subscription.end() : receive(message, replayOne)),
        reading.signal,
      )
      reading.abort()
    }
    for (const past of kept) if (!isRepeated(past)) replayOne(past)
    subscription.endReplay(isRepeated)
  }
  /** Replays the events after an event, or all kept events if the id is undefined or unknown. */
  const replayKept = (subscription: Subscription<Event<A>>, id: string | undefined): void => {
    for (const past of replayBuffer.after(id)) subscription.replay(past)
    subscription.endReplay()
  }

  return {
    publish: async (element) => {
      if (isClosed) throw new Error('the broadcaster is closed')
      const plain = isEventOf<A>(element) ? element : event<A>(element)
      if (connection === undefined)
        return send(encodeEvent(plain, plain.id ?? (replay > 0 ? nextId() : undefined)))
      if (plain.id !== undefined)
        throw new TypeError(
          'an event for a relay must not have an id, because its position in the relay becomes its id: send the id as a part of the data',
        )
      // an element that cannot be encoded is not sent
      encodeEvent(plain, undefined)
      await connection.publish(write(plain))
    },
    subscribe: (subscriber) => ({
      [Symbol.asyncIterator]: () => {
        const signal = subscriber?.application.stopping
        const reading = new AbortController()
        const subscription = new Subscription<Event<A>>({ maxQueued: queue, whenFull }, (self) => {
          subscribers.delete(self, signal)
          reading.abort()
        })
        if (isClosed) {
          subscription.end()
          return subscription
        }
        // its error ends the subscriptions
        connection?.connect()?.catch(() => undefined)
        subscribers.add(subscription, signal)
        const [header] = subscriber?.request.headerValues('last-event-id') ?? []
        if (header === undefined) subscription.endReplay()
        else {
          const id = EventStream.parseLastEventId(header)
          if (connection === undefined || !isPosition(id)) replayKept(subscription, id)
          else
            replayRelayed(connection, subscription, id, reading).catch((error: unknown) =>
              subscription.fail(error),
            )
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
      connection?.close()
    },
  }
}

/** Whether an element is an event. The signature of `publish` guarantees the type of the event data. */
const isEventOf = <A>(element: A | Event<A>): element is Event<A> => isEvent(element)

/** A bounded buffer for past events. */
class ReplayBuffer<A> {
  readonly #size: number
  readonly #events: Array<Event<A>> = []

  constructor(size: number) {
    this.#size = size
  }

  add(added: Event<A>): void {
    if (this.#events.push(added) > this.#size) this.#events.shift()
  }

  /**
   * Returns the events after the event with the given id, or all buffered events if the id is undefined or the buffer does not
   * contain that event.
   */
  after(id: string | undefined): ReadonlyArray<Event<A>> {
    return id === undefined
      ? [...this.#events]
      : this.#events.slice(this.#events.findLastIndex((kept) => kept.id === id) + 1)
  }
}

/** Returns a function that generates ids. The ids are unique across processes. */
const idGenerator = (): (() => string) => {
  // workerd generates no random values while a module is loading
  let process: string | undefined
  let count = 0
  return () => `${(process ??= crypto.randomUUID().slice(0, 8))}-${++count}`
}

const warn = (error: unknown): void => {
  if (typeof process === 'object' && typeof process.emitWarning === 'function')
    process.emitWarning(isError(error) ? error : String(error))
  else console.warn(error)
}
