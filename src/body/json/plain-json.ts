/** Reads JSON with the global `JSON` object. */
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import type { CompiledCodec } from '../../codec/generated/compiled-codec.ts'
import * as JsonText from '../../codec/json/json-parser.ts'
import { isUtf8Compatible } from '../../http/charset-label.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { MediaType } from '../../http/media-type.ts'
import type { ReadBody } from '../read-body.ts'
import { charsetOf, decodeBody, unreadableBody, unsupportedCharset } from '../read-body.ts'

/** Parses the bytes of a JSON text. */
export type ParseJson = (bytes: Uint8Array) => E.Either<JsonText.JsonError, unknown>

/** Converts a parsed JSON value before it is decoded. */
export type TransformJson = (parsed: unknown) => unknown

/** The codec of a JSON body, and the function that parses the body. */
export interface JsonReader {
  readonly compiled: CompiledCodec
  readonly parse: (
    bytes: Uint8Array,
    contentType: MediaType | undefined,
  ) => E.Either<RequestFailure, unknown>
}

/** Returns the parser that uses the global `JSON` object. */
export const plainParser =
  (compiled: CompiledCodec, bounds: JsonText.JsonBounds): ParseJson =>
  (bytes) =>
    JsonText.parse(bytes, bounds, (parsed) => compiled.fits(parsed, bounds))

/**
 * Creates the functions that parse and decode a JSON body. A charset other than UTF-8 results in status 415, because JSON must be encoded in
 * UTF-8 (RFC 8259, 8.1).
 */
export const jsonReaderOf = (
  compiled: CompiledCodec,
  parse: ParseJson,
  transform: TransformJson = identity,
): JsonReader => ({
  compiled,
  parse: (bytes, contentType) => {
    if (!isUtf8Compatible(charsetOf(contentType))) return unsupportedCharset
    const value = parse(bytes)
    if (E.isLeft(value)) return unreadableBody(value.left.detail, value.left.cause)
    return transform === identity ? value : E.right(transform(value.right))
  },
})

/** Creates a function that reads a JSON body. */
export const readWith =
  ({ compiled, parse }: JsonReader): ReadBody =>
  (bytes, contentType) => {
    const value = parse(bytes, contentType)
    return E.isLeft(value) ? value : decodeBody(compiled, value.right)
  }
