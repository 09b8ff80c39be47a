/** Decodes the data of server-sent events, by a codec or a representation. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { BodyOptions } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { ReadBody } from '../../body/read-body.ts'
import { readText } from '../../body/text/read-text.ts'
import { isSingleValue } from '../../codec/structure/single-value.ts'
import type { EventData } from '../../endpoint/representation.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as MediaType from '../../http/media-type.ts'
import { bodyReader, jsonReader } from '../response/body-reader.ts'

export type DecodeEventData = (text: string) => E.Either<RequestFailure, unknown>

const encoder = new TextEncoder()

/** Event data is always text: with this media type, empty data decodes to an empty string. */
const plainText = O.toUndefined(MediaType.parse('text/plain'))

/** Prepares a decoder, or returns `undefined` for a representation that a client cannot read. */
export const eventDataDecoder = (
  data: EventData,
  declared: BodyOptions,
  defaults: JsonSettings,
): DecodeEventData | undefined => {
  const decode =
    data._tag === 'Codec'
      ? codecDecoder(data, declared, defaults)
      : representationDecoder(data, declared, defaults)
  return decode === undefined ? undefined : (text) => decode(encoder.encode(text), plainText)
}

const representationDecoder = (
  data: Exclude<EventData, { readonly _tag: 'Codec' }>,
  declared: BodyOptions,
  defaults: JsonSettings,
): ReadBody | undefined => {
  const [plan] = bodyPlans([data], [], declared)
  return plan === undefined ? undefined : bodyReader(plan, defaults)
}

/** Decodes text for single values and JSON otherwise. With an opaque codec, the text is tried first, then JSON. */
const codecDecoder = (
  { codec }: Extract<EventData, { readonly _tag: 'Codec' }>,
  declared: BodyOptions,
  defaults: JsonSettings,
): ReadBody => {
  const decodeJson = jsonReader(codec, declared, defaults)
  const decodeText = readText(codec)
  if (isSingleValue(codec)) return decodeText
  if (codec._tag !== undefined) return decodeJson
  return (bytes, mediaType) => {
    const value = decodeText(bytes, mediaType)
    return E.isRight(value) ? value : decodeJson(bytes, mediaType)
  }
}
