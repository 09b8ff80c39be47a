/** Reads JSON by a codec. */
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

/** How JSON is read. */
export interface JsonReadSettings extends JsonSettings {
  /** What becomes of members that are not declared. */
  readonly undeclared: Undeclared
  readonly bounds: JsonText.JsonBounds
}

/**
 * JSON is UTF-8 (RFC 8259, 8.1); a content that states another charset is refused. `within` is what the codec is given of the
 * value that was sent.
 */
export const readJson = (
  codec: Codec,
  reading: JsonReadSettings,
  said: Pick<BodyOptions, 'json' | 'visibility'> = {},
  within: (sent: unknown) => unknown = identity,
): ReadBody => {
  const { undeclared, bounds } = reading
  const otherwise = customJson(codec, said.json, reading)
  const effectiveVisibility = inputVisibility(codec, said.visibility)
  const exact = compileCodec(
    otherwise?.form ?? codec,
    undeclared,
    reading.backEnd,
    effectiveVisibility,
  )
  const isExpected = (parsed: unknown): boolean => exact.fits(parsed, bounds)
  const parse =
    otherwise === undefined
      ? (octets: Uint8Array) => JsonText.parse(octets, bounds, isExpected)
      : parsingBy(codec, otherwise, bounds)
  return (octets, stated) => {
    if (!isUtf8Compatible(charsetOf(stated))) return unsupportedCharset
    const value = parse(octets)
    return E.isLeft(value)
      ? unreadableBody(value.left.detail, value.left.cause)
      : decodeBody(exact, within(value.right))
  }
}

type Parse = (octets: Uint8Array) => E.Either<JsonText.JsonError, unknown>

/** An `HttpError` that a function of the application's own throws is the response. */
const parsingBy = (
  codec: Codec,
  { library, rules: { deserialization } }: CustomJson,
  bounds: JsonText.JsonBounds,
): Parse => {
  const { parse } = library
  const read =
    deserialization === undefined
      ? parse
      : (text: string): unknown => deserializer(deserialization, codec, parse)(text)
  return (octets) => {
    const value = JsonText.parseWith(octets, bounds, read, read === lossless.parse)
    if (E.isLeft(value) && isHttpError(value.left.cause)) throw value.left.cause
    return value
  }
}
