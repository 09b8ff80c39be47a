/** Text, as it is or by the codec of a single value, and bytes. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { BodyFormat } from '../body-format.ts'
import { readText } from '../text/read-text.ts'
import { wholeBody, writeString } from './whole-body.ts'

export const textFormat = (codec: Codec | undefined): BodyFormat => ({
  ...wholeBody,
  codec,
  accepts: codec === undefined ? (value) => typeof value === 'string' : codec.is,
  reader: () => readText(codec),
  writer: () => (codec === undefined ? writeString : (value) => String(codec.encode(value))),
})

export const bytesFormat: BodyFormat = {
  ...wholeBody,
  isTextual: false,
  charsets: 'binary',
  accepts: (value) => value instanceof Uint8Array,
  reader: () => (bytes) => E.right(bytes),
  writer: () => (value) => {
    if (value instanceof Uint8Array) return value
    throw new TypeError('expected a Uint8Array where bytes are produced')
  },
}
