/** Serializes events for a relay. */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec/codec.ts'
import { interpretedBackEnd } from '../codec/generated/interpreted/interpreted-back-end.ts'
import { compileCodec } from '../codec/generated/compiled-codec.ts'
import type { Event } from '../endpoint/sse.ts'
import { comment as commentOf, event as eventOf } from '../endpoint/sse.ts'

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

export interface EventSerializer<A> {
  readonly write: (event: Event<A>) => string
  /** Parses an event. Throws an error for an invalid text, and for data that the codec rejects. */
  readonly read: (text: string) => Event<A>
}

/** Creates a serializer of events whose data a codec encodes and decodes. */
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
