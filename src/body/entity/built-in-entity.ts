/** The media types in which an entity travels when no reader or writer around it says so. */
import type { Codec } from '../../codec/codec.ts'
import { isSingleValue } from '../../codec/structure/single-value.ts'
import type { XmlScope } from '../../xml/context/xml-format.ts'
import type * as MediaType from '../../http/media-type.ts'
import type { BuiltInFormat } from '../body-plan.ts'

/** A way of the engine's own. */
export interface BuiltInEntityFormat {
  /** What it is offered as where every media type is welcome. */
  readonly mediaType: MediaType.MediaType
  /** Whether it can be read or written as another one. */
  readonly covers: (mediaType: MediaType.MediaType) => boolean
  readonly format: BuiltInFormat
}

/** The ways of a codec, the preferred first. */
export const builtInEntityFormats = (
  codec: Codec,
  xml: XmlScope | undefined,
): ReadonlyArray<BuiltInEntityFormat> => {
  if (isOctets(codec)) return [octets]
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

const octets: BuiltInEntityFormat = {
  mediaType: of('application', 'octet-stream'),
  covers: () => true,
  format: { _tag: 'Bytes' },
}

const isJson = ({ type, subtype }: MediaType.MediaType): boolean =>
  subtype.endsWith('+json') || (type === 'application' && subtype === 'json')

const isXml = ({ type, subtype }: MediaType.MediaType): boolean =>
  subtype.endsWith('+xml') || (subtype === 'xml' && (type === 'application' || type === 'text'))

/** A codec that tells octets from other objects is one of octets: it has no structure that could say so. */
const isOctets = (codec: Codec): boolean =>
  codec._tag === undefined && codec.is(new Uint8Array()) && !codec.is({})
