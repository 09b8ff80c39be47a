/** Reads JSON with the global `JSON` object, and reads text in UTF-8 or any other charset. */
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import type { Codec } from '../codec/codec.ts'
import type { CompiledCodec } from '../codec/compiled/compiled-codec.ts'
import * as JsonText from '../codec/json/json-guard.ts'
import { parameterShape } from '../codec/schema/parameter-shape.ts'
import { decodeWithResults } from '../codec/standard-schema/asynchronous-results.ts'
import { isUtf8Compatible } from '../http/charset-label.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { ReadBody } from './decode-body.ts'
import { charsetOf, decodeBody, unreadableBody, unsupportedCharset } from './decode-body.ts'
import { textDecoder } from '../http/text-decoder.ts'

/** Parses the bytes of a JSON text. */
export type ParseJson = (bytes: Uint8Array) => E.Either<JsonText.JsonError, unknown>

/** Converts a parsed JSON value before it is decoded. */
export type TransformJson = (parsed: unknown) => unknown

/** Returns the parser that uses the global `JSON` object. */
export const plainParser =
  (compiled: CompiledCodec, bounds: JsonText.JsonBounds): ParseJson =>
  (bytes) =>
    JsonText.parse(bytes, bounds, (parsed) => compiled.fits(parsed, bounds))

/**
 * Creates a function that reads a JSON body. A charset other than UTF-8 results in status 415, because JSON must be encoded in UTF-8 (RFC
 * 8259, 8.1).
 */
export const jsonReader =
  (compiled: CompiledCodec, parse: ParseJson, transform: TransformJson = identity): ReadBody =>
  (bytes, contentType) => {
    if (!isUtf8Compatible(charsetOf(contentType))) return unsupportedCharset
    const value = parse(bytes)
    return E.isLeft(value)
      ? unreadableBody(value.left.detail, value.left.cause)
      : decodeBody(compiled, transform(value.right))
  }

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
