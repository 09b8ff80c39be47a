/** Reads text bodies in their declared charset, and converts the text with a codec if one is declared. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import { decodeWithResults } from '../codec/standard-schema/asynchronous-results.ts'
import { parameterShape } from '../codec/parameter/parameter-shape.ts'
import type { RequestFailure } from '../http/failure.ts'
import { textDecoder } from '../http/text-decoder.ts'
import type { ReadBody } from './read-body.ts'
import { charsetOf, decodeBody, unreadableBody, unsupportedCharset } from './read-body.ts'

/**
 * Creates a function that reads a text body. Without a codec, the value is the text itself.
 *
 * An empty body is treated as a missing value unless the codec describes strings. If the codec describes an optional string, an
 * empty body is treated as missing only if the request has no `Content-Type` header.
 */
export const readText = (codec: Codec | undefined): ReadBody => {
  if (codec === undefined) return (bytes, contentType) => decodeText(bytes, charsetOf(contentType))
  const { keepsEmpty, convert } = parameterShape(codec)
  const decoding = {
    name: codec.name,
    decodeLater: (value: unknown) =>
      decodeWithResults((root) => codec.validate(value, [root]), {
        key: '',
        type: codec,
        actual: value,
      }),
  }
  const mayBeMissing = keepsEmpty && isOptional(codec)
  return (bytes, contentType) => {
    const text = decodeText(bytes, charsetOf(contentType))
    if (E.isLeft(text)) return text
    const isMissing =
      text.right === '' && (!keepsEmpty || (mayBeMissing && contentType === undefined))
    return decodeBody(decoding, isMissing ? undefined : convert(text.right))
  }
}

const isOptional = (codec: Codec): boolean => {
  try {
    return E.isRight(codec.decode(undefined))
  } catch {
    return false
  }
}

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

/**
 * Decodes the next chunk. Passing `undefined` flushes the decoder. A character that spans two chunks is returned with the second
 * chunk.
 */
export type DecodeChunk = (chunk: Uint8Array | undefined) => string

/**
 * Creates a decoder for text that arrives in chunks. Returns `undefined` if the charset is unknown. The decoder throws a
 * `TypeError` if the bytes are malformed.
 */
export const chunkDecoder = (charset: string): DecodeChunk | undefined => {
  const decoder = textDecoder(charset)
  return decoder && ((chunk) => decoder.decode(chunk, { stream: chunk !== undefined }))
}
