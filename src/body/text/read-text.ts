/** Reads text in the declared charset, unchanged or by the codec of a single value. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { ReadBody } from '../read-body.ts'
import { charsetOf, decodeBody, unreadableBody, unsupportedCharset } from '../read-body.ts'

/**
 * Creates the reader of a text body. Without a codec, the text is the value.
 *
 * An empty text is a missing value, except for codecs of strings. For an optional string it is missing if the request has no
 * `Content-Type`.
 */
export const readText = (codec: Codec | undefined): ReadBody => {
  if (codec === undefined) return (bytes, stated) => decodeText(bytes, charsetOf(stated))
  const { keepsEmpty, convert } = parameterShape(codec)
  const mayBeMissing = keepsEmpty && isOptional(codec)
  return (bytes, stated) => {
    const text = decodeText(bytes, charsetOf(stated))
    if (E.isLeft(text)) return text
    const isMissing = text.right === '' && (!keepsEmpty || (mayBeMissing && stated === undefined))
    return decodeBody(codec, isMissing ? undefined : convert(text.right))
  }
}

const isOptional = (codec: Codec): boolean => {
  try {
    return E.isRight(codec.decode(undefined))
  } catch {
    return false
  }
}

/** Decodes bytes as text. Fails with 415 for an unknown charset and with 400 for malformed bytes. */
export const decodeText = (
  bytes: Uint8Array,
  charset: string,
): E.Either<RequestFailure, string> => {
  try {
    return E.right(new TextDecoder(charset, { fatal: true }).decode(bytes))
  } catch (error) {
    // an unknown label results in a RangeError, malformed bytes in a TypeError
    return error instanceof RangeError ? unsupportedCharset : unreadableBody(`malformed ${charset}`)
  }
}

/** Decodes a chunk; `undefined` flushes the decoder. A character that spans two chunks is returned with the second. */
export type DecodeChunk = (chunk: Uint8Array | undefined) => string

/** Creates a decoder of chunks; `undefined` for an unknown charset. The decoder throws for malformed bytes. */
export const chunkDecoder = (charset: string): DecodeChunk | undefined => {
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    return undefined
  }
}
