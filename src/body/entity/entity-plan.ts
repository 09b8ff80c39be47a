/**
 * Selects the reader or writer of an entity when a tree is compiled. All media types of providers and built-in formats are
 * offered. The provider of each media type is selected in this order:
 *
 * ```text
 * 1. the innermost scope
 * 2. declared for the codec, for its name, by a guard, for all codecs
 * 3. the more specific media type
 * 4. the lower priority
 * 5. the order of declaration
 * 6. built-in formats
 * ```
 */
import type { Codec } from '../../codec/codec.ts'
import type { EntityScope } from '../../endpoint/entity.ts'
import type { Reader } from '../../endpoint/reader.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Writer } from '../../endpoint/writer.ts'
import type { XmlScope } from '../../xml/context/xml-format.ts'
import * as MediaType from '../../http/media-type.ts'
import { builtInEntityFormats } from './built-in-entity.ts'
import type { ProviderLevels } from './entity-providers.ts'
import type { BodyPlan } from '../body-plan.ts'
import { parseDeclaredType } from '../declared-type.ts'

/** The format of an entity for a media type or range. */
export type EntityOffer = Pick<BodyPlan, 'mediaType' | 'format'>

/** Returns the formats of an entity within a media type or range; empty if no provider supports it. */
export const entityOffers = (
  codec: Codec,
  within: MediaType.MediaType,
  levels: ProviderLevels<Reader | Writer>,
  xml: XmlScope | undefined,
): ReadonlyArray<EntityOffer> => {
  const candidates = [...provided(codec, levels), ...builtIn(codec, xml)]
  const offered = new Map(
    candidates.flatMap((candidate) => {
      const mediaType = common(within, candidate)
      return mediaType === undefined ? [] : [[MediaType.format(mediaType), mediaType] as const]
    }),
  )
  return [...offered.values()].flatMap((mediaType) => {
    const server = candidates.find(({ covers }) => covers(mediaType))
    return server === undefined ? [] : [{ mediaType, format: server.format }]
  })
}

/** Returns the entities without a provider, such as `Book as text/csv`. */
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

/** Returns the intersection of a candidate and a media type or range: the narrower one. */
const common = (
  within: MediaType.MediaType,
  { mediaType, covers }: Candidate,
): MediaType.MediaType | undefined =>
  MediaType.includes(within, mediaType) ? mediaType : covers(within) ? within : undefined

/** Built-in formats do not narrow media ranges. */
const builtIn = (codec: Codec, xml: XmlScope | undefined): ReadonlyArray<Candidate> =>
  builtInEntityFormats(codec, xml).map(({ covers, ...candidate }) => ({
    ...candidate,
    covers: (mediaType) => !MediaType.isRange(mediaType) && covers(mediaType),
  }))

const provided = (
  codec: Codec,
  levels: ProviderLevels<Reader | Writer>,
): ReadonlyArray<Candidate> =>
  levels.flatMap((level) =>
    level
      .flatMap((by) => {
        const distance = distanceOf(by.scope, codec)
        return distance === undefined
          ? []
          : by.mediaTypes.map((mediaType) => ({ by, distance, mediaType }))
      })
      .toSorted(
        (a, b) =>
          a.distance - b.distance ||
          MediaType.specificity(b.mediaType) - MediaType.specificity(a.mediaType) ||
          a.by.priority - b.by.priority,
      )
      .map(({ by, mediaType }) => ({
        mediaType,
        covers: (narrower) => MediaType.includes(mediaType, narrower),
        format: { _tag: 'Provider', codec, by },
      })),
  )

/** Returns the distance between a scope and a codec; `undefined` if the scope does not match. */
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
