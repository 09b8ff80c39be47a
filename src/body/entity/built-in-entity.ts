/** The built-in formats of entities, which apply without a matching reader or writer. */
import type { Codec } from '../../codec/codec.ts'
import { isSingleValue } from '../../codec/structure/single-value.ts'
import type { XmlScope } from '../../xml/context/xml-format.ts'
import type * as MediaType from '../../http/media-type.ts'
import type { BuiltInFormat } from '../body-plan.ts'

/** A built-in format of an entity. */
export interface BuiltInEntityFormat {
  /** The media type that is offered for `any type`. */
  readonly mediaType: MediaType.MediaType
  /** Whether the format supports a media type. */
  readonly covers: (mediaType: MediaType.MediaType) => boolean
  readonly format: BuiltInFormat
}

/** Returns the built-in formats of a codec, the preferred one first. */
export const builtInEntityFormats = (
  codec: Codec,
  xml: XmlScope | undefined,
): ReadonlyArray<BuiltInEntityFormat> => {
  if (isByteCodec(codec)) return [bytesFormat]
  const json: BuiltInEntityFormat = {
    mediaType: of('application', 'json'),
    covers: isJson,
    format: { _tag: 'Json', codec },
  }
  const text: BuiltInEntityFormat = {
    mediaType: of('text', 'plain'),
    covers: ({ type }) => type === 'text',
    format: { _tag: 'Text', codec },
  }
  if (isSingleValue(codec)) return [text, json]
  if (xml?.entity === undefined) return [json]
  const format = xml.entity(codec)
  return [
    json,
    { mediaType: of('application', 'xml'), covers: isXml, format },
    { mediaType: of('text', 'xml'), covers: isXml, format },
  ]
}

const of = (type: string, subtype: string): MediaType.MediaType => ({
  type,
  subtype,
  parameters: [],
})

const bytesFormat: BuiltInEntityFormat = {
  mediaType: of('application', 'octet-stream'),
  covers: () => true,
  format: { _tag: 'Bytes' },
}

const isJson = ({ type, subtype }: MediaType.MediaType): boolean =>
  subtype.endsWith('+json') || (type === 'application' && subtype === 'json')

const isXml = ({ type, subtype }: MediaType.MediaType): boolean =>
  subtype.endsWith('+xml') || (subtype === 'xml' && (type === 'application' || type === 'text'))

/** Whether a codec without structure accepts bytes and rejects other objects. */
const isByteCodec = (codec: Codec): boolean =>
  codec._tag === undefined && codec.is(new Uint8Array()) && !codec.is({})
