/** Reads text bodies, and converts the text with a codec if one is declared. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import { parameterShape } from '../codec/parameter/parameter-shape.ts'
import { decodeWithResults } from '../codec/standard-schema/asynchronous-results.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { ReadBody } from './read-body.ts'
import { charsetOf, decodeBody, unreadableBody } from './read-body.ts'

/** Decodes bytes as text. */
export type DecodeText = (bytes: Uint8Array, charset: string) => E.Either<RequestFailure, string>

/**
 * Creates a function that reads a text body. Without a codec, the value is the text itself.
 *
 * An empty body is treated as a missing value unless the codec describes strings. If the codec describes an optional string, an
 * empty body is treated as missing only if the request has no `Content-Type` header.
 */
export const textReader = (codec: Codec | undefined, decodeText: DecodeText): ReadBody => {
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

/** Decodes bytes as UTF-8. Fails with status 400 if they are malformed. */
export const decodeUtf8: DecodeText = (bytes, charset) => {
  try {
    return E.right(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return unreadableBody(`malformed ${charset}`)
  }
}
