/** Provides a relay within a process, and serializers for relayed events. */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec/codec.ts'
import { interpretedBackEnd } from '../codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../codec/compiled/compiled-codec.ts'
import type { Relay, RelayMessage } from '../endpoint/definition/relay.ts'
import { checkOptions } from '../endpoint/internal/combinator.ts'
import type { Event } from '../endpoint/sse.ts'
import { comment as commentOf, event as eventOf } from '../endpoint/sse.ts'
import { isAfter } from './position.ts'

/** Options for {@link inMemoryRelay}. */
export interface InMemoryRelayOptions {
  /** Maximum number of past messages, after which subscriptions can continue. Default: 0. */
  readonly history?: number
}

/**
 * Creates a relay that works within a single process. Use this relay in tests, or to send the same events to several broadcasters.
 * Throws a `RangeError` if `history` is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { inMemoryRelay } from 'espalier'
 *
 * const relay = inMemoryRelay({ history: 100 })
 * const first = await relay.publish('a')
 * await relay.publish('b')
 * const received: string[] = []
 * await relay.subscribe(({ text }) => void received.push(text), { after: first, signal: new AbortController().signal })
 * await relay.publish('c')
 *
 * assert.deepEqual(received, ['b', 'c'])
 * ```
 */
export const inMemoryRelay = (options: InMemoryRelayOptions = {}): Relay => {
  const { history = 0 } = checkOptions('inMemoryRelay', ['history'], options)
  if (!Number.isSafeInteger(history) || history < 0)
    throw new RangeError(`history must be a non-negative integer, got ${history}`)
  const listeners = new Set<(message: RelayMessage) => void>()
  const messages: RelayMessage[] = []
  // so that positions increase when the process is started again; workerd has no clock while a module is loading
  let epoch: number | undefined
  let count = 0
  return {
    publish: (text) => {
      const message: RelayMessage = { id: `${(epoch ??= Date.now())}-${++count}`, text }
      if (messages.push(message) > history) messages.shift()
      for (const receive of listeners) receive(message)
      return message.id
    },
    subscribe: (receive, { after, signal }) => {
      if (signal.aborted) return
      // the same function can be subscribed multiple times
      const listener = (message: RelayMessage): void => receive(message)
      const past = after === undefined ? [] : messages.filter(({ id }) => isAfter(id, after))
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
      for (const message of past) if (!signal.aborted) receive(message)
    },
  }
}

const Envelope = t.intersection([
  t.type({ hasData: t.boolean }),
  t.partial({
    name: t.string,
    retry: t.number,
    comment: t.string,
    data: t.unknown,
  }),
])

/** Functions that convert events to texts of a relay and vice versa. The position of the message is the id of the event. */
export interface EventSerializer<A> {
  readonly write: (event: Event<A>) => string
  /** Parses a message. Throws an error if the text is invalid, or if the codec rejects the data. */
  readonly read: (message: RelayMessage) => Event<A>
}

/** Creates a serializer for events whose data is encoded and decoded with a codec. */
export const eventSerializer = <A>(codec: t.Type<A, unknown> & Codec): EventSerializer<A> => {
  const { encode } = compileCodec(codec, 'drop', interpretedBackEnd)
  return {
    write: ({ name, retry, comment, hasData, data }) =>
      JSON.stringify({ name, retry, comment, hasData, ...(hasData ? { data: encode(data) } : {}) }),
    read: ({ id, text }) => {
      const envelope = Envelope.decode(JSON.parse(text))
      if (!isRight(envelope)) throw new TypeError('invalid event from the relay')
      const { name, retry, hasData, data, comment } = envelope.right
      const options = { id, ...(retry === undefined ? {} : { retry }) }
      if (!hasData) return commentOf(comment ?? '', options)
      const decoded = codec.decode(data)
      if (!isRight(decoded))
        throw new TypeError(`invalid event data from the relay: expected ${codec.name}`)
      return eventOf(name, decoded.right, {
        ...options,
        ...(comment === undefined ? {} : { comment }),
      })
    },
  }
}
