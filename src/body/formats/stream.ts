/** Provides the formats for streams of bytes, text and JSON values, for sending a file, and for storing a request body in a file. */
import type { Format } from '../../endpoint/representation.ts'
import type { BodyFormat } from '../body-format.ts'
import { isFileSource } from '../../endpoint/file.ts'
import { byteChunks, jsonElements, textChunks } from '../stream/stream-format.ts'
import { onlyReceived, onlySent, streamedBody } from './whole-body.ts'

/** The format for a stream whose elements are byte arrays. */
export const byteStreamFormat: BodyFormat = { ...streamedBody, stream: byteChunks }

/** The format for a stream whose elements are strings. */
export const textStreamFormat: BodyFormat = { ...streamedBody, stream: textChunks }

/** Creates the format for a stream of JSON values. */
export const jsonStreamFormat = ({ codec, framing }: JsonStream): BodyFormat => ({
  ...streamedBody,
  codec,
  stream: jsonElements({ _tag: 'Json', codec }, framing),
})

type JsonStream = Extract<Format, { readonly _tag: 'JsonStream' }>

/** The format for sending a file. */
export const fileFormat: BodyFormat = {
  ...streamedBody,
  mayContainFiles: true,
  cannotReceive: onlySent,
  accepts: isFileSource,
}

/** The format for request bodies that are stored in a file. */
export const fileBodyFormat: BodyFormat = {
  ...streamedBody,
  cannotSend: onlyReceived,
  accepts: () => false,
}
