/**
 * Selects the readers or writers for an entity when a route tree is compiled. Readers and writers are called providers.
 *
 * An entity is available in all media types supported by a matching provider or a built-in format. Providers take precedence over
 * built-in formats. If multiple providers support a media type, one is selected by these criteria, in this order:
 *
 * ```text
 * 1. the innermost scope
 * 2. the more specific target: the codec, its name, a guard, all codecs
 * 3. the more specific media type
 * 4. the lower priority value
 * 5. the order of declaration
 * ```
 */
import type { Codec } from '../codec/codec.ts'
import { isSingleValue } from '../codec/codec-structure.ts'
import type { XmlScope } from '../xml/context/xml-format.ts'
import type { BuiltInFormat, BodyPlan, BodyOptions } from './body-plan.ts'
import type { EntityScope, Runtime } from '../endpoint/entity.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { Writer } from '../endpoint/writer.ts'
import * as MediaType from '../http/media-type.ts'
import { parseDeclaredType } from './charset.ts'
import type { EndpointInfo } from '../endpoint/context.ts'
import type { FilterOrder } from '../endpoint/filter.ts'
import type {
  AnyEntityProvider,
  ReaderInterceptor,
  WriterInterceptor,
} from '../endpoint/interceptor.ts'

/** A built-in format that can represent an entity. */
export interface BuiltInEntityFormat {
  /** The media type that is offered if the representation declares a media range that includes it. */
  readonly mediaType: MediaType.MediaType
  /** Whether the format supports `mediaType`. */
  readonly covers: (mediaType: MediaType.MediaType) => boolean
  readonly format: BuiltInFormat
}

/** Returns the built-in formats for a codec, in order of preference. */
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

/** Whether a codec describes bytes. Such a codec has no `_tag`, accepts a `Uint8Array` and rejects a plain object. */
const isByteCodec = (codec: Codec): boolean =>
  codec._tag === undefined && codec.is(new Uint8Array()) && !codec.is({})

/** A media type in which an entity is available, and the format for this media type. */
export type EntityOffer = Pick<BodyPlan, 'mediaType' | 'format'>

/**
 * Returns the formats in which an entity is available for a media type or range. Returns an empty array if neither a provider nor a
 * built-in format supports the entity.
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

/**
 * Returns a description, such as `Book as text/csv`, of each entity representation that no provider or built-in format supports.
 */
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
 * Returns the intersection of a media type or range with the media type of a candidate. If one of them includes the other, the
 * intersection is the narrower one. Otherwise, returns `undefined`.
 */
const intersection = (
  range: MediaType.MediaType,
  { mediaType, covers }: Candidate,
): MediaType.MediaType | undefined =>
  MediaType.includes(range, mediaType) ? mediaType : covers(range) ? range : undefined

/**
 * Returns the built-in formats as candidates. A built-in format never covers a media range. If a range is declared, each format is
 * therefore offered with its own media type.
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
 * Returns a number that indicates how specifically a scope matches a codec. Lower numbers are more specific. Returns `undefined`
 * if the scope does not match.
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

/** The readers, writers and interceptors that apply to an operation. */
export interface EntityProviders extends BodyOptions {
  /** The readers declared by each scope, starting with the innermost scope. */
  readonly readers: ProviderLevels<Reader>
  readonly writers: ProviderLevels<Writer>
  /**
   * The interceptors in ascending order of their priority values. Interceptors with equal values are sorted by scope, starting
   * with the outermost, and then by order of declaration.
   */
  readonly readerInterceptors: ReadonlyArray<ReaderInterceptor>
  readonly writerInterceptors: ReadonlyArray<WriterInterceptor>
}

/** The providers declared by each scope, starting with the innermost scope. */
export type ProviderLevels<P> = ReadonlyArray<ReadonlyArray<P>>

export const noProviders: EntityProviders = Object.freeze({
  readers: [],
  writers: [],
  readerInterceptors: [],
  writerInterceptors: [],
})

/**
 * Selects the providers that apply to an operation. `side` specifies whether providers for the client or for the server are
 * selected.
 */
export const selectProviders = (
  side: Runtime,
  levels: ProviderLevels<AnyEntityProvider>,
  applies: (order: FilterOrder) => boolean,
): EntityProviders => {
  if (levels.length === 0) return noProviders
  const applicable = levels.map((level) =>
    level.filter((provider) => (provider.runtime ?? side) === side && applies(provider)),
  )
  const byPriority = applicable
    .toReversed()
    .flat()
    .toSorted((a, b) => a.priority - b.priority)
  return {
    readers: applicable.map((level) => level.filter((provider) => provider._tag === 'Reader')),
    writers: applicable.map((level) => level.filter((provider) => provider._tag === 'Writer')),
    readerInterceptors: byPriority.filter((provider) => provider._tag === 'ReaderInterceptor'),
    writerInterceptors: byPriority.filter((provider) => provider._tag === 'WriterInterceptor'),
  }
}

/**
 * Whether a provider or filter applies to an operation. All names of the provider or filter must be listed in `bound`. If
 * `endpoint` is `undefined`, providers and filters with an `appliesTo` function do not apply.
 */
export const concernsEndpoint = (
  { names, appliesTo }: FilterOrder,
  endpoint: EndpointInfo | undefined,
  bound: ReadonlyArray<string>,
): boolean =>
  names.every((name) => bound.includes(name)) &&
  (appliesTo === undefined || (endpoint !== undefined && appliesTo(endpoint)))
