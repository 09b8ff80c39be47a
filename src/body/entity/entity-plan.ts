/**
 * Selects the readers or writers (providers) for an entity when a route tree is compiled. An entity is available in all media
 * types that a matching provider or a built-in format supports. For each media type, a provider is selected by these criteria,
 * in this order:
 *
 * ```text
 * 1. the innermost scope
 * 2. declared for the codec, for its name, by a guard, for all codecs
 * 3. the more specific media type
 * 4. the lower priority value
 * 5. the order of declaration
 * 6. built-in formats
 * ```
 */
import type { Codec } from '../../codec/codec.ts'
import { isSingleValue } from '../../codec/structure/codec-structure.ts'
import type { XmlScope } from '../../xml/context/xml-format.ts'
import type { BuiltInFormat, BodyPlan } from '../body-plan.ts'
import type { EntityScope } from '../../endpoint/entity.ts'
import type { Reader } from '../../endpoint/reader.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Writer } from '../../endpoint/writer.ts'
import * as MediaType from '../../http/media-type.ts'
import type { ProviderLevels } from './entity-providers.ts'
import { parseDeclaredType } from '../declared-type.ts'

/** A built-in format in which an entity is available. */
export interface BuiltInEntityFormat {
  /** The media type that is offered if a media range is declared. */
  readonly mediaType: MediaType.MediaType
  /** Whether the format supports the given media type. */
  readonly covers: (mediaType: MediaType.MediaType) => boolean
  readonly format: BuiltInFormat
}

/** Returns the built-in formats for a codec, starting with the preferred format. */
const builtInEntityFormats = (
  codec: Codec,
  xml: XmlScope | undefined,
): ReadonlyArray<BuiltInEntityFormat> => {
  if (isByteCodec(codec)) return [bytesFormat]
  const json: BuiltInEntityFormat = {
    mediaType: mediaTypeOf('application', 'json'),
    covers: isJson,
    format: { _tag: 'Json', codec },
  }
  const text: BuiltInEntityFormat = {
    mediaType: mediaTypeOf('text', 'plain'),
    covers: ({ type }) => type === 'text',
    format: { _tag: 'Text', codec },
  }
  if (isSingleValue(codec)) return [text, json]
  if (xml?.entity === undefined) return [json]
  const format = xml.entity(codec)
  return [
    json,
    { mediaType: mediaTypeOf('application', 'xml'), covers: isXml, format },
    { mediaType: mediaTypeOf('text', 'xml'), covers: isXml, format },
  ]
}

const mediaTypeOf = (type: string, subtype: string): MediaType.MediaType => ({
  type,
  subtype,
  parameters: [],
})

const bytesFormat: BuiltInEntityFormat = {
  mediaType: mediaTypeOf('application', 'octet-stream'),
  covers: () => true,
  format: { _tag: 'Bytes' },
}

const isJson = ({ type, subtype }: MediaType.MediaType): boolean =>
  subtype.endsWith('+json') || (type === 'application' && subtype === 'json')

const isXml = ({ type, subtype }: MediaType.MediaType): boolean =>
  subtype.endsWith('+xml') || (subtype === 'xml' && (type === 'application' || type === 'text'))

/** Whether an unstructured codec accepts bytes and rejects other objects. */
const isByteCodec = (codec: Codec): boolean =>
  codec._tag === undefined && codec.is(new Uint8Array()) && !codec.is({})

/** The format in which an entity is available for a media type or range. */
export type EntityOffer = Pick<BodyPlan, 'mediaType' | 'format'>

/**
 * Returns the formats in which an entity is available for a media type or range. Returns an empty array if no provider supports
 * the media type or range.
 */
export const entityOffers = (
  codec: Codec,
  range: MediaType.MediaType,
  levels: ProviderLevels<Reader | Writer>,
  xml: XmlScope | undefined,
): ReadonlyArray<EntityOffer> => {
  const candidates = [...providedCandidates(codec, levels), ...builtInCandidates(codec, xml)]
  const offered = new Map(
    candidates.flatMap((candidate) => {
      const mediaType = intersection(range, candidate)
      return mediaType === undefined ? [] : [[MediaType.format(mediaType), mediaType] as const]
    }),
  )
  return [...offered.values()].flatMap((mediaType) => {
    const selected = candidates.find(({ covers }) => covers(mediaType))
    return selected === undefined ? [] : [{ mediaType, format: selected.format }]
  })
}

/** Returns descriptions of the entities that have no provider for a declared media type, such as `Book as text/csv`. */
export const entitiesWithoutProvider = (
  representations: ReadonlyArray<AnyRepresentation>,
  levels: ProviderLevels<Reader | Writer>,
  xml: XmlScope | undefined,
): ReadonlyArray<string> =>
  representations.flatMap(({ mediaType, format }): ReadonlyArray<string> => {
    if (format._tag !== 'Entity') return none
    const declared = parseDeclaredType(mediaType)
    return declared !== undefined &&
      entityOffers(format.codec, declared.mediaType, levels, xml).length === 0
      ? [`${format.codec.name} as ${mediaType}`]
      : none
  })

const none: ReadonlyArray<never> = []

interface Candidate {
  readonly mediaType: MediaType.MediaType
  readonly covers: (mediaType: MediaType.MediaType) => boolean
  readonly format: BodyPlan['format']
}

/**
 * Returns the intersection of a media type or range with the media type of a candidate. The intersection is the narrower of the
 * two, if the other includes it. Otherwise, returns `undefined`.
 */
const intersection = (
  range: MediaType.MediaType,
  { mediaType, covers }: Candidate,
): MediaType.MediaType | undefined =>
  MediaType.includes(range, mediaType) ? mediaType : covers(range) ? range : undefined

/**
 * Returns the built-in formats as candidates. A built-in format never covers a media range. If a range is declared, the format
 * is offered with the format's own media type.
 */
const builtInCandidates = (codec: Codec, xml: XmlScope | undefined): ReadonlyArray<Candidate> =>
  builtInEntityFormats(codec, xml).map(({ covers, ...candidate }) => ({
    ...candidate,
    covers: (mediaType) => !MediaType.isRange(mediaType) && covers(mediaType),
  }))

const providedCandidates = (
  codec: Codec,
  levels: ProviderLevels<Reader | Writer>,
): ReadonlyArray<Candidate> =>
  levels.flatMap((level) =>
    level
      .flatMap((provider) => {
        const distance = distanceOf(provider.scope, codec)
        return distance === undefined
          ? []
          : provider.mediaTypes.map((mediaType) => ({ provider, distance, mediaType }))
      })
      .toSorted(
        (a, b) =>
          a.distance - b.distance ||
          MediaType.specificity(b.mediaType) - MediaType.specificity(a.mediaType) ||
          a.provider.priority - b.provider.priority,
      )
      .map(({ provider, mediaType }) => ({
        mediaType,
        covers: (narrower) => MediaType.includes(mediaType, narrower),
        format: { _tag: 'Provider', codec, by: provider },
      })),
  )

/**
 * Returns how distant a scope is from a codec, or `undefined` if the scope does not match. A smaller distance means a more
 * specific scope.
 */
const distanceOf = (scope: EntityScope, codec: Codec): number | undefined => {
  switch (scope._tag) {
    case 'Codec':
      return scope.codec === codec ? 0 : undefined
    case 'Name':
      return scope.name === codec.name ? 1 : undefined
    case 'Guard':
      return scope.is(codec) ? 2 : undefined
    case 'Any':
      return 3
  }
}
