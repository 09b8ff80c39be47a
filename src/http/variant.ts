/**
 * Selects one of several variants of a representation by media type, language and content coding (proactive negotiation).
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.1
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from './accept.ts'
import * as Language from './accept-language.ts'
import type { MediaType } from './media-type.ts'
import * as Quality from './quality.ts'

/** A variant. A property that is `undefined` does not affect the selection. */
export interface OfferedVariant {
  readonly mediaType: MediaType | undefined
  /** The weight that the server assigns to the variant. */
  readonly quality: Quality.Quality
  readonly language: string | undefined
  /** The content coding. If `undefined`, the variant has no content coding. */
  readonly encoding: string | undefined
}

/** The values of the headers that affect the selection. A value is `undefined` if the request does not have the header. */
export interface NegotiationHeaders {
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  readonly acceptEncoding: string | undefined
}

/**
 * Returns the index of the preferred variant, or `none` if the client accepts none of them. Variants are ranked by the criteria
 * below. Each criterion applies only to variants that the previous criteria do not distinguish.
 *
 * ```text
 * 1. greater product of the client weights for the media type and the language
 * 2. greater client weight for the media type
 * 3. greater server weight
 * 4. more specific range in the `Accept-Language` header, then the earlier range
 * 5. greater client weight for the content coding
 * 6. order of the variants
 * ```
 *
 * A header that is missing or malformed accepts everything, but variants without a content coding are preferred.
 */
export const choose = (
  { accept, acceptLanguage, acceptEncoding }: NegotiationHeaders,
  variants: ReadonlyArray<OfferedVariant>,
): O.Option<number> => {
  const mediaRanges = O.getOrElse(() => Accept.anything)(Accept.parse(accept ?? ''))
  const languages = Language.parse(acceptLanguage ?? '')
  let best: { readonly index: number; readonly rank: Rank } | undefined
  for (const [index, { mediaType, quality, language, encoding }] of variants.entries()) {
    const media =
      mediaType === undefined ? Quality.mostPreferred : Accept.qualityOf(mediaRanges, mediaType)
    const match = Language.match(languages, language)
    const coding = Quality.codingQuality(acceptEncoding, encoding)
    if (media * match.quality * coding === Quality.notAcceptable) continue
    const rank = [
      media * match.quality,
      media,
      quality,
      match.specificity,
      -match.position,
      coding,
    ] as const
    if (best === undefined || isGreater(rank, best.rank)) best = { index, rank }
  }
  return best === undefined ? O.none : O.some(best.index)
}

/** The values of the criteria, in descending order of importance. */
type Rank = ReadonlyArray<number>

const isGreater = (a: Rank, b: Rank): boolean => {
  const index = a.findIndex((value, position) => value !== b[position])
  return index >= 0 && (a[index] ?? 0) > (b[index] ?? 0)
}

/** Returns the names of the request headers that affect the selection, for the `Vary` header (RFC 9110, 12.5.5). */
export const varyingHeaders = (
  variants: ReadonlyArray<Pick<OfferedVariant, 'mediaType' | 'language' | 'encoding'>>,
): ReadonlyArray<string> => [
  ...(variants.some(({ mediaType }) => mediaType !== undefined) ? ['Accept'] : []),
  ...(variants.some(({ language }) => language !== undefined) ? ['Accept-Language'] : []),
  ...(variants.some(({ encoding }) => encoding !== undefined) ? ['Accept-Encoding'] : []),
]
