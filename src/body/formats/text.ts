/**
 * Provides the formats for text and bytes. Text is converted if a codec is declared. Otherwise, it is read and written unchanged.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { BodyFormat } from '../body-format.ts'
import { readText } from '../read-text.ts'
import { wholeBody, writeString } from './whole-body.ts'

/** Creates the format for text. Without a codec, values are strings. */
export const textFormat = (codec: Codec | undefined): BodyFormat => ({
  ...wholeBody,
  codec,
  accepts: codec === undefined ? (value) => typeof value === 'string' : codec.is,
  reader: () => readText(codec),
  writer: () => (codec === undefined ? writeString : (value) => String(codec.encode(value))),
})

/** The format for bytes, which are read and written unchanged. */
export const bytesFormat: BodyFormat = {
  ...wholeBody,
  isTextual: false,
  charsets: 'binary',
  accepts: (value) => value instanceof Uint8Array,
  reader: () => (bytes) => E.right(bytes),
  writer: () => (value) => {
    if (value instanceof Uint8Array) return value
    throw new TypeError('invalid bytes: expected a Uint8Array')
  },
}
