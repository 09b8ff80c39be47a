/**
 * Broadcasters: what one publishes, everybody hears who has subscribed. They belong to event streams, but know nothing of
 * requests, so whatever else has a use for a `Source` may subscribe.
 */
import type * as t from 'io-ts'
import { byInterpretation } from '../codec/generated/interpreted/interpreted-back-end.ts'
import { compiled } from '../codec/generated/compiled-codec.ts'
import { dataText } from '../codec/event-data.ts'
import type { Application, RequestContext } from '../endpoint/context.ts'
import type { Encoded, Event } from '../endpoint/sse.ts'
import { event, isEvent, withEncodedData } from '../endpoint/sse.ts'
import * as LastEventId from '../http/last-event-id.ts'
import { SubscriberGroups } from './subscriber-groups.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import type { Relay } from './relay.ts'
import type { WhenFull } from './subscription.ts'
import { Subscription } from './subscription.ts'
import { eventSerializer } from './event-serializer.ts'

export interface BroadcasterOptions {
  /**
   * The events that are kept for clients who come back, as their `Last-Event-ID` says; none by default. Every event that has
   * no id is given one then. Somebody whose last event is not kept any more is given all that are.
   */
  readonly replay?: number
  /** The events that may wait for a subscriber who takes them too slowly, at least 1; 256 by default. */
  readonly queue?: number
  /**
   * What happens when there are more. By default the subscription ends: the client comes back, and is given what it missed if
   * that is kept. Otherwise events are dropped, and nobody tells the client.
   */
  readonly whenFull?: WhenFull
  /** What connects it to the broadcasters of other processes; it is asked by the first who publishes or subscribes. */
  readonly relay?: Relay
  /** Learns of texts of the relay that are no events of this codec; by default, the process warns of them. */
  readonly onRefused?: (error: unknown) => unknown
}

/** Where a subscriber comes from; the context of a request is such. */
export interface Subscriber {
  readonly request: Pick<RequestContext, 'headerLines'>
  readonly application: Pick<Application, 'stopping'>
}

export interface Broadcaster<A> {
  /**
   * Gives an element to all subscribers. Rejects, and then gives it to nobody, when the broadcaster is closed, when the codec
   * cannot write the element, or when the relay fails.
   */
  readonly publish: (element: A | Event<A>) => Promise<void>
  /**
   * What is published from when it is first asked for an iterator. With the context of a request: behind what the client saw
   * last, and until the server begins to stop.
   */
  readonly subscribe: (subscriber?: Subscriber) => AsyncIterable<Event<A>>
  /** How many are subscribed now, in this process. */
  readonly subscribers: number
  /** Ends all subscriptions when what waits for them has been taken, and refuses what is published from now on. */
  readonly close: () => void
}

/**
 * A broadcaster of values of a codec, as an event stream of the same codec sends them: each is written once, for however many
 * it is.
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
 * const again = new Request('http://localhost/news', { headers: { 'Last-Event-ID': 'a' } })
 * const response = await inMemory(routes({ listen }))(again)
 * news.close()
 *
 * assert.equal(await response.text(), 'id: b\nevent: returned\ndata: Persuasion\n\n')
 * await assert.rejects(news.publish('Sanditon'), /closed/)
 * ```
 *
 * Throws a `RangeError` for a `queue` or `replay` that is no such number. A blocking operation runs in a worker, which has
 * a broadcaster of its own: where it publishes, a relay has to connect them.
 */
export const broadcaster = <C extends t.Mixed>(
  codec: C,
  { replay = 0, queue = 256, whenFull = 'end', relay, onRefused = warn }: BroadcasterOptions = {},
): Broadcaster<t.TypeOf<C>> => {
  type A = t.TypeOf<C>
  if (!Number.isSafeInteger(queue) || queue < 1) throw new RangeError(`no such queue: ${queue}`)
  if (!Number.isSafeInteger(replay) || replay < 0) throw new RangeError(`no such replay: ${replay}`)
  const audience = new SubscriberGroups<Event<A>>()
  const history = new ReplayBuffer<A>(replay)
  const { read, write } = eventSerializer<A>(codec)
  const nextId = ids()
  let isClosed = false
  let leave: (() => void) | undefined

  const give = (one: Event<A>): void => {
    if (isClosed) return
    history.add(one)
    audience.offer(one)
  }
  const encoded = (one: Event<A>): Event<A> =>
    withEncodedData(one, {
      id: one.id ?? (replay > 0 ? nextId() : undefined),
      encoded: one.hasData ? encodedOf(one.data) : undefined,
    })
  const encodedOf = (data: A): Encoded => ({ codec, text: text(data) })
  let writer: ((value: unknown) => string) | undefined
  const text = (value: unknown): string =>
    (writer ??= dataText(codec, compiled(codec, 'drop', byInterpretation).write))(value)
  const receive = (received: string): void => {
    try {
      give(encoded(read(received)))
    } catch (error) {
      onRefused(error)
    }
  }
  const join = (): void => {
    leave ??= relay?.subscribe(receive)
  }

  return {
    publish: async (element) => {
      if (isClosed) throw new Error('the broadcaster is closed')
      const one = encoded(isEventOf<A>(element) ? element : event<A>(element))
      if (relay === undefined) return give(one)
      join()
      await relay.publish(write(one))
    },
    subscribe: (subscriber) => ({
      [Symbol.asyncIterator]: () => {
        const until = subscriber?.application.stopping
        const [last] = subscriber?.request.headerLines('last-event-id') ?? []
        const earlier = last === undefined ? [] : history.since(LastEventId.parse(last))
        const one = new Subscription(earlier, { most: queue, whenFull }, (self) =>
          audience.delete(self, until),
        )
        if (isClosed) one.end()
        else {
          join()
          audience.add(one, until)
        }
        return one
      },
    }),
    get subscribers() {
      return audience.size
    },
    close: () => {
      isClosed = true
      audience.end()
      leave?.()
      leave = undefined
    },
  }
}

/** An element that is an event has data of the same type: the publisher's type says so. */
const isEventOf = <A>(element: A | Event<A>): element is Event<A> => isEvent(element)

/** Ids that no other process gives. */
const ids = (): (() => string) => {
  const process = crypto.randomUUID().slice(0, 8)
  let count = 0
  return () => `${process}-${++count}`
}

const warn = (error: unknown): void =>
  process.emitWarning(error instanceof Error ? error : String(error))
