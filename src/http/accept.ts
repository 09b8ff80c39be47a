/**
 * Parses the `Accept` header, which lists the media ranges accepted by a client, and selects a media type from those offered by
 * the server.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
import * as O from 'fp-ts/lib/Option.js'
import type { AcceptLanguage, LanguageMatch } from './accept-language.ts'
import * as Language from './accept-language.ts'
import * as Grammar from './grammar.ts'
import * as MediaType from './media-type.ts'
import * as Quality from './quality.ts'

/** A parsed `Accept` header. The members keep the order of the header. */
export type Accept = ReadonlyArray<Preference>

export interface Preference {
  readonly range: MediaType.MediaType
  readonly quality: Quality.Quality
}

/** A media type or media range offered by the server. */
export interface Offer {
  readonly mediaType: MediaType.MediaType
  /** The weight assigned by the server (`qs`). An offer with weight 0 is chosen only if no other offer is acceptable. */
  readonly quality: Quality.Quality
  /** Whether the media type is unknown until the body is opened, as is the case for files. Default: `false`. */
  readonly isTypedLater?: boolean
  /** The language tag of the representation. If `undefined`, the representation suits speakers of any language. */
  readonly language?: string | undefined
}

/** The preferences assumed for a request without an `Accept` header. */
export const anything: Accept = [
  { range: { type: '*', subtype: '*', parameters: [] }, quality: Quality.mostPreferred },
]

/**
 * Parses an `Accept` header in linear time. Ignores malformed members. Returns `none` if all members are malformed, and
 * {@link anything} if the header is empty.
 *
 * ```text
 * Accept = #( media-range [ weight ] )
 * weight = OWS ";" OWS "q=" qvalue
 * ```
 *
 * A lone asterisk is read as the range of all media types, and `.2` is read as `0.2`, because Java's built-in client sends both
 * by default.
 *
 * The `charset` parameter is dropped because it does not distinguish media types. Parameters after the weight are also dropped
 * (accept-ext in RFC 7231).
 */
export const parse = (text: string): O.Option<Accept> => {
  const members = Grammar.splitList(text)
  if (members.length === 0) return O.some(anything)
  const preferences: Preference[] = []
  for (const member of members) {
    const preference = parseMember(member)
    if (preference !== undefined) preferences.push(preference)
  }
  return preferences.length === 0 ? O.none : O.some(preferences)
}

const parseMember = (text: string): Preference | undefined => {
  if (text === '*') return anything[0]
  const isLoneAsterisk = text.startsWith('*') && text[1] !== '/'
  const parsed = MediaType.parse(isLoneAsterisk ? `*/*${text.slice(1)}` : text)
  if (O.isNone(parsed)) return undefined
  const { type, subtype, parameters } = parsed.value
  if (parameters.length === 0) return { range: parsed.value, quality: Quality.mostPreferred }
  const index = parameters.findIndex(([name]) => name === 'q')
  const mediaParameters = index < 0 ? parameters : parameters.slice(0, index)
  const weight = parameters[index]?.[1] ?? '1'
  const quality = O.toUndefined(Quality.parse(weight.startsWith('.') ? `0${weight}` : weight))
  return quality === undefined
    ? undefined
    : {
        range: {
          type,
          subtype,
          parameters: mediaParameters.filter(([name]) => name !== 'charset'),
        },
        quality,
      }
}

/**
 * Returns the client's weight for a media type, or 0 if no range includes the media type. The most specific range that includes
 * the media type determines the weight. If multiple such ranges are equally specific, the greatest weight applies.
 */
export const qualityOf = (accept: Accept, mediaType: MediaType.MediaType): Quality.Quality =>
  decidingMember(accept, mediaType)?.quality ?? Quality.notAcceptable

/**
 * Returns the index of the preferred offer, or `none` if the client does not accept the media type of any offer. Offers are
 * ranked by the criteria below. Each criterion applies only to offers that the previous criteria do not distinguish.
 *
 * ```text
 *  1. offers that `concrete` resolves to a media type, and offers with `isTypedLater`
 *  2. offers with a server weight greater than 0
 *  3. greater product of the client weights for the media type and the language
 *  4. greater client weight for the media type
 *  5. media types named by the client or the server, rather than the fallback `application/octet-stream`
 *  6. greater server weight
 *  7. more specific range in the `Accept` header
 *  8. more specific range in the `Accept-Language` header, then the earlier range
 *  9. media types rather than ranges
 * 10. order of the offers
 * ```
 *
 * A language that the client does not accept has the weight 0, but does not exclude an offer. A representation in another language
 * is more useful than an error (RFC 9110, 12.5.4).
 *
 * The client weight of an offered range is the weight of the media type returned by {@link concrete}. If `concrete` returns
 * `none`, the client weight is the greatest weight that a media type inside the range could have.
 */
export const choose = (
  accept: Accept,
  offers: ReadonlyArray<Offer>,
  languages: AcceptLanguage = [],
): O.Option<number> => {
  const candidates = offers.flatMap((offer, index): ReadonlyArray<Candidate> => {
    const resolved = resolve(accept, offer.mediaType)
    const preference =
      resolved === undefined ? bestMember(accept, offer.mediaType) : resolved.preference
    return preference === undefined || preference.quality === Quality.notAcceptable
      ? []
      : [
          {
            index,
            offer,
            resolved,
            preference,
            language: Language.match(languages, offer.language),
          },
        ]
  })
  const chosen = greatest(candidates, byPreference)
  return chosen === undefined ? O.none : O.some(chosen.index)
}

/**
 * Returns the media type to send for an offer. An offered media type is returned unchanged.
 *
 * For an offered range, returns the media type with the highest weight among those within the range that the client lists. If the
 * client lists no such type, returns `application/octet-stream` or `text/plain` if both the range and the client allow it, and `none`
 * otherwise. The reply then has to set the media type.
 *
 * @see https://jakarta.ee/specifications/restful-ws/3.1/jakarta-restful-ws-spec-3.1.html section 3.8, steps 9 and 10
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-4.1.4 for the fallback of `text/*`
 */
export const concrete = (
  accept: Accept,
  offered: MediaType.MediaType,
): O.Option<MediaType.MediaType> =>
  O.fromNullable(MediaType.isRange(offered) ? resolve(accept, offered)?.mediaType : offered)

/** Whether all media types that the client accepts are among `types`. `false` if the client accepts no media type. */
export const namesOnly = (accept: Accept, types: ReadonlyArray<MediaType.MediaType>): boolean => {
  const accepted = accept.filter(isAcceptable)
  return (
    accepted.length > 0 &&
    accepted.every(({ range }) => types.some((type) => MediaType.includes(type, range)))
  )
}

/** Returns preferences that accept all media types except those that the client excludes with the weight 0. */
export const disregard = (accept: Accept): Accept => {
  const excluded = accept.filter((member) => !isAcceptable(member))
  return excluded.some(({ range }) => range.type === '*') ? excluded : [...excluded, ...anything]
}

const isAcceptable = ({ quality }: Preference): boolean => quality !== Quality.notAcceptable

/** The media type to send for an offer, and the `Accept` member that determines its weight. */
interface Resolved {
  readonly mediaType: MediaType.MediaType
  readonly preference: Preference | undefined
  /** Whether the offer or the client explicitly names the media type, rather than a media range that includes it. */
  readonly isNamed: boolean
}

const resolve = (accept: Accept, offered: MediaType.MediaType): Resolved | undefined => {
  if (!MediaType.isRange(offered))
    return { mediaType: offered, preference: decidingMember(accept, offered), isNamed: true }
  const named = greatest(accept, byQuality, (member) => isNamedInside(offered, member))
  // no other member is more specific than the one that names the media type
  if (named !== undefined) return { mediaType: named.range, preference: named, isNamed: true }
  for (const mediaType of fallbacks) {
    const preference = decidingMember(accept, mediaType)
    if (MediaType.includes(offered, mediaType) && preference && isAcceptable(preference))
      return { mediaType, preference, isNamed: false }
  }
  return undefined
}

const isNamedInside = (offered: MediaType.MediaType, member: Preference): boolean =>
  isAcceptable(member) && !MediaType.isRange(member.range) && isInside(offered, member)

/**
 * Whether the range of an `Accept` member is inside an offered range. Types of problem documents (RFC 9457) are in no range, because
 * they are the types of errors.
 */
const isInside = (offered: MediaType.MediaType, { range }: Preference): boolean =>
  MediaType.includes(offered, range) && !range.subtype.startsWith('problem+')

/** The media types that are sent for an offered range if the client lists no type within the range. */
const fallbacks: ReadonlyArray<MediaType.MediaType> = [
  { type: 'application', subtype: 'octet-stream', parameters: [] },
  { type: 'text', subtype: 'plain', parameters: [] },
]

/** Returns the `Accept` member that determines the weight of a media type: the most specific one that includes the media type. */
const decidingMember = (accept: Accept, mediaType: MediaType.MediaType): Preference | undefined =>
  greatest(accept, bySpecificity, ({ range }) => MediaType.includes(range, mediaType))

/**
 * Returns the media range in the `Accept` header with the highest weight among those that match `offered` or, if `offered` is a range
 * such as `text/*`, at least one media type in it.
 */
const bestMember = (accept: Accept, offered: MediaType.MediaType): Preference | undefined => {
  const outside = decidingMember(accept, offered)
  return greatest(accept, byQuality, (member) => member === outside || isInside(offered, member))
}

/** An acceptable offer, together with the `Accept` member that accepts it. */
interface Candidate {
  readonly index: number
  readonly offer: Offer
  readonly resolved: Resolved | undefined
  readonly preference: Preference
  readonly language: LanguageMatch
}

/** Compares two values. Returns a positive number if the first value is preferred. */
type Order<A> = (a: A, b: A) => number

/**
 * Returns the greatest of the values for which `isIncluded` returns `true`. If multiple values are equal, returns the first one.
 */
const greatest = <A>(
  values: ReadonlyArray<A>,
  order: Order<A>,
  isIncluded: (value: A) => boolean = () => true,
): A | undefined => {
  let found: A | undefined
  for (const value of values)
    if (isIncluded(value) && (found === undefined || order(value, found) > 0)) found = value
  return found
}

/** Creates an order that compares two values by the first key for which they differ. */
const by =
  <A>(...keys: ReadonlyArray<(value: A) => number>): Order<A> =>
  (a, b) => {
    for (const key of keys) {
      const difference = key(a) - key(b)
      if (difference !== 0) return difference
    }
    return 0
  }

const weight = ({ quality }: Preference): number => quality
const named = ({ range }: Preference): number =>
  Number(range.type !== '*') + Number(range.subtype !== '*')
const parameterCount = ({ range }: Preference): number => range.parameters.length

const bySpecificity = by(named, parameterCount, weight)
const byQuality = by(weight, named, parameterCount)
const byPreference = by<Candidate>(
  ({ offer, resolved }) => Number(offer.isTypedLater === true || resolved !== undefined),
  ({ offer }) => Number(offer.quality !== Quality.notAcceptable),
  ({ preference, language }) => weight(preference) * language.quality,
  ({ preference }) => weight(preference),
  ({ offer, resolved }) => Number(offer.isTypedLater === true || resolved?.isNamed === true),
  ({ offer }) => offer.quality,
  ({ preference }) => named(preference),
  ({ preference }) => parameterCount(preference),
  ({ language }) => language.specificity,
  ({ language }) => -language.position,
  ({ offer }) => Number(!MediaType.isRange(offer.mediaType)),
)

/**
 * Returns the media types and ranges accepted by the client, in descending order of preference. Equally preferred ranges are
 * returned in the order in which they appear in the header.
 */
export const preferred = (accept: Accept): ReadonlyArray<MediaType.MediaType> =>
  accept
    .filter(isAcceptable)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
