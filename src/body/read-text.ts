/** Reads text bodies in any charset. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import type { RequestFailure } from '../http/failure.ts'
import { textDecoder } from '../http/text-decoder.ts'
import type { ReadBody } from './decode-body.ts'
import { unreadableBody, unsupportedCharset } from './decode-body.ts'
import { textReader } from './plain-readers.ts'

/** Creates a function that reads a text body in the charset of its media type. */
export const readText = (codec: Codec | undefined): ReadBody => textReader(codec, decodeText)

/** Decodes bytes as text. Fails with status 415 if the charset is unknown, and with status 400 if the bytes are malformed. */
export const decodeText = (
  bytes: Uint8Array,
  charset: string,
): E.Either<RequestFailure, string> => {
  const decoder = textDecoder(charset)
  if (decoder === undefined) return unsupportedCharset
  try {
    return E.right(decoder.decode(bytes))
  } catch {
    return unreadableBody(`malformed ${charset}`)
  }
}
