/** Reads JSON bodies by a codec. */
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { Undeclared } from '../../codec/structure/undeclared-members.ts'
import * as JsonText from '../../codec/json/json-parser.ts'
import { lossless } from '../../codec/json/lossless.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { BodyOptions } from '../body-plan.ts'
import type { CustomJson, JsonSettings } from './json-rules.ts'
import { deserializer, customJson } from './json-rules.ts'
import { inputVisibility } from '../visibility.ts'
import type { ReadBody } from '../read-body.ts'
import {
  charsetOf,
  decodeBody,
  isUtf8Compatible,
  unreadableBody,
  unsupportedCharset,
} from '../read-body.ts'

/** Settings for reading JSON. */
export interface JsonReadSettings extends JsonSettings {
  /** The policy for undeclared members. */
  readonly undeclared: Undeclared
  readonly bounds: JsonText.JsonBounds
}

/**
 * Creates the reader of a JSON body. JSON is UTF-8 (RFC 8259, 8.1), other charsets result in 415. `select` converts the
 * parsed value before it is decoded.
 */
export const readJson = (
  codec: Codec,
  reading: JsonReadSettings,
  options: Pick<BodyOptions, 'json' | 'visibility'> = {},
  select: (sent: unknown) => unknown = identity,
): ReadBody => {
  const { undeclared, bounds } = reading
  const custom = customJson(codec, options.json, reading)
  const effectiveVisibility = inputVisibility(codec, options.visibility)
  const exact = compileCodec(
    custom?.form ?? codec,
    undeclared,
    reading.backEnd,
    effectiveVisibility,
  )
  const isExpected = (parsed: unknown): boolean => exact.fits(parsed, bounds)
  const parse =
    custom === undefined
      ? (bytes: Uint8Array) => JsonText.parse(bytes, bounds, isExpected)
      : customParser(codec, custom, bounds)
  return (bytes, stated) => {
    if (!isUtf8Compatible(charsetOf(stated))) return unsupportedCharset
    const value = parse(bytes)
    return E.isLeft(value)
      ? unreadableBody(value.left.detail, value.left.cause)
      : decodeBody(exact, select(value.right))
  }
}

type Parse = (bytes: Uint8Array) => E.Either<JsonText.JsonError, unknown>

/** Returns the parser of a custom library or function. An `HttpError` that it throws is the response. */
const customParser = (
  codec: Codec,
  { library, rules: { deserialization } }: CustomJson,
  bounds: JsonText.JsonBounds,
): Parse => {
  const { parse } = library
  const read =
    deserialization === undefined
      ? parse
      : (text: string): unknown => deserializer(deserialization, codec, parse)(text)
  return (bytes) => {
    const value = JsonText.parseWith(bytes, bounds, read, read === lossless.parse)
    if (E.isLeft(value) && isHttpError(value.left.cause)) throw value.left.cause
    return value
  }
}
