/** Provides the formats for streams of bytes, text, JSON values and events, for sending a file, and for storing a request body in a file. */
import type { Codec } from '../../codec/codec.ts'
import type { ValueKinds } from '../../codec/structure/uninhabited.ts'
import type { EventData } from '../../endpoint/representation.ts'
import type { BodyFormat } from '../body-format.ts'
import { isFileSource } from '../../endpoint/file.ts'
import { onlyReceived, onlySent, streamedBody } from './whole-body.ts'

/** The format for a stream whose elements are byte arrays. */
export const byteStreamFormat: BodyFormat = { ...streamedBody }

/** The format for a stream whose elements are strings. */
export const textStreamFormat: BodyFormat = { ...streamedBody }

/** Creates the format for a stream of JSON values, which are written as a JSON array or as one value per line. */
export const jsonStreamFormat = (codec: Codec): BodyFormat => ({
  ...streamedBody,
  codec,
  cannotReceive: onlySent,
})

/** Creates the format for a stream of server-sent events. The event data is described by a codec or a representation. */
export const eventStreamFormat = (data: EventData): BodyFormat => ({
  ...streamedBody,
  codec: data._tag === 'Codec' ? data.codec : undefined,
  cannotReceive: onlySent,
})

/** The format for sending a file. */
export const fileFormat: BodyFormat = {
  ...streamedBody,
  mayContainFiles: true,
  cannotReceive: onlySent,
  accepts: isFileSource,
  kinds: () => fileKinds,
}

const fileKinds: ValueKinds = new Set(['string', 'file'])

/** The format for request bodies that are stored in a file. */
export const fileBodyFormat: BodyFormat = {
  ...streamedBody,
  cannotSend: onlyReceived,
  accepts: () => false,
}
