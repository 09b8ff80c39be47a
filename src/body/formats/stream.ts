/** Streams of bytes, text, JSON values and events. */
import type { Codec } from '../../codec/codec.ts'
import type { EventData } from '../../endpoint/representation.ts'
import type { BodyFormat } from '../body-format.ts'
import { onlySent, streamedBody } from './whole-body.ts'

export const byteStreamFormat: BodyFormat = { ...streamedBody, charsets: 'binary' }

export const textStreamFormat: BodyFormat = { ...streamedBody, charsets: 'any' }

/** One JSON array, or one JSON value a line. */
export const jsonStreamFormat = (codec: Codec): BodyFormat => ({
  ...streamedBody,
  codec,
  cannotReceive: onlySent,
})

/** Messages of an event stream; their data has a codec or a representation. */
export const eventStreamFormat = (data: EventData): BodyFormat => ({
  ...streamedBody,
  codec: data._tag === 'Codec' ? data.codec : undefined,
  nested: data._tag === 'Codec' ? [] : [data],
  cannotReceive: onlySent,
})
