/**
 * Provides the formats for text, bytes and files, as a whole and as streams. Text is converted if a codec is declared. Otherwise, it is
 * read and written unchanged.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import type { BodyFormat } from '../body-format.ts'
import {
  onlyReceived,
  onlySent,
  streamedBody,
  wholeBody,
  writeString,
  stringKinds,
} from '../body-format.ts'
import { readText } from '../decode-body.ts'
import { isFileSource } from '../../endpoint/file.ts'
import { byteChunks, textChunks } from '../stream/stream-format.ts'
import type { ValueKinds } from '../../codec/structure/uninhabited.ts'
import { valueKinds } from '../../codec/structure/uninhabited.ts'
import { isBytes } from '../../http/platform-value.ts'

/** Creates the format for text. Without a codec, values are strings. */
export const textFormat = (codec: Codec | undefined): BodyFormat => ({
  ...wholeBody,
  codec,
  accepts:
    codec === undefined
      ? (value) => typeof value === 'string'
      : (value) => codec.is(value) && (value !== null || readsNull(codec)),
  kinds: () => (codec === undefined ? stringKinds : valueKinds(codec)),
  reader: () => readText(codec),
  writer: () => (codec === undefined ? writeString : textWriter(codec)),
})

/** Returns a function that writes values as text. It throws a `TypeError` if `null` would be read as the string `null`. */
const textWriter = (codec: Codec): ((value: unknown) => string) => {
  const canBeNull = readsNull(codec)
  return (value) => {
    const encoded: unknown = codec.encode(value)
    if (encoded === null && !canBeNull)
      throw new TypeError(`null has no text form in ${codec.name}: use json(…)`)
    return String(encoded)
  }
}

const readsNull = (codec: Codec): boolean => parameterShape(codec).convert('null') === null

const byteKinds: ValueKinds = new Set(['bytes'])

/** The format for bytes, which are read and written unchanged. */
export const bytesFormat: BodyFormat = {
  ...wholeBody,
  isTextual: false,
  accepts: isBytes,
  kinds: () => byteKinds,
  reader: () => (bytes) => E.right(bytes),
  writer: () => (value) => {
    if (isBytes(value)) return value
    throw new TypeError('invalid bytes: expected a Uint8Array')
  },
}

/** The format for a stream whose elements are strings. */
export const textStreamFormat: BodyFormat = { ...streamedBody, stream: textChunks }

/** The format for a stream whose elements are byte arrays. */
export const byteStreamFormat: BodyFormat = { ...streamedBody, stream: byteChunks }

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
