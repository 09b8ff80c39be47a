/** Provides relays, which connect broadcasters in different processes, and serializers for relayed events. */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec/codec.ts'
import { interpretedBackEnd } from '../codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../codec/compiled/compiled-codec.ts'
import type { Event } from '../endpoint/sse.ts'
import { comment as commentOf, event as eventOf } from '../endpoint/sse.ts'

/** A publish-subscribe channel between processes, such as a channel in Redis or PostgreSQL. */
export interface Relay {
  /**
   * Sends a message to all subscribers, including those in this process. All subscribers must receive the messages in
   * the same order.
   */
  readonly publish: (text: string) => unknown
  /** Subscribes to the channel. `receive` is called with each message. Returns a function that unsubscribes. */
  readonly subscribe: (receive: (text: string) => void) => () => void
}

/**
 * Creates a relay that works within a single process. Use this relay in tests, or to send the same events to several broadcasters.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { inMemoryRelay } from 'espalier'
 *
 * const relay = inMemoryRelay()
 * const received: string[] = []
 * const unsubscribe = relay.subscribe((text) => void received.push(text))
 * relay.publish('a')
 * unsubscribe()
 * relay.publish('b')
 *
 * assert.deepEqual(received, ['a'])
 * ```
 */
export const inMemoryRelay = (): Relay => {
  const listeners = new Set<(text: string) => void>()
  return {
    publish: (text) => {
      for (const receive of listeners) receive(text)
    },
    subscribe: (receive) => {
      // the same function can be subscribed multiple times
      const listener = (text: string): void => receive(text)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const Envelope = t.intersection([
  t.type({ hasData: t.boolean }),
  t.partial({
    name: t.string,
    id: t.string,
    retry: t.number,
    comment: t.string,
    data: t.unknown,
  }),
])

/** Functions that convert events to text and vice versa. */
export interface EventSerializer<A> {
  readonly write: (event: Event<A>) => string
  /** Parses an event. Throws an error if the text is invalid, or if the codec rejects the data. */
  readonly read: (text: string) => Event<A>
}

/** Creates a serializer for events whose data is encoded and decoded with a codec. */
export const eventSerializer = <A>(codec: t.Type<A, unknown> & Codec): EventSerializer<A> => {
  const { encode } = compileCodec(codec, 'drop', interpretedBackEnd)
  return {
    write: ({ name, id, retry, comment, hasData, data }) =>
      JSON.stringify({
        name,
        id,
        retry,
        comment,
        hasData,
        ...(hasData ? { data: encode(data) } : {}),
      }),
    read: (text) => {
      const envelope = Envelope.decode(JSON.parse(text))
      if (!isRight(envelope)) throw new TypeError('invalid event from the relay')
      const { name, hasData, data, comment = '', ...rest } = envelope.right
      if (!hasData) return commentOf(comment, rest)
      const decoded = codec.decode(data)
      if (!isRight(decoded))
        throw new TypeError(`invalid event data from the relay: expected ${codec.name}`)
      const commentOption = envelope.right.comment === undefined ? {} : { comment }
      return eventOf(name, decoded.right, { ...rest, ...commentOption })
    },
  }
}
