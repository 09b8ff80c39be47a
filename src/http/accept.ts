/**
 * The `Accept` header: the media ranges that a client accepts, and the choice among the media types on offer.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as MediaType from './media-type.ts'
import * as Quality from './quality.ts'

/** The members of the header, in their order. */
export type Accept = ReadonlyArray<Preference>

export interface Preference {
  readonly range: MediaType.MediaType
  readonly quality: Quality.Quality
}

/** What the server can send. The media type may be a range. */
export interface Offer {
  readonly mediaType: MediaType.MediaType
  /** The server's own weight (`qs`); an offer of weight 0 is the last resort. */
  readonly quality: Quality.Quality
  /** Whether a media type inside the range is determined only when the body is opened, as that of a file is. Default: false. */
  readonly isTypedLater?: boolean
}

/** The preferences of a request without the header. */
export const anything: Accept = [
  { range: { type: '*', subtype: '*', parameters: [] }, quality: Quality.mostPreferred },
]

/**
 * Parses an `Accept` header. Ignores malformed members; returns `none` if all members are malformed, and `anything` if
 * there are none. Reads every member, in time linear in the text: the limit of the header section bounds them.
 *
 * ```text
 * Accept = #( media-range [ weight ] )
 * weight = OWS ";" OWS "q=" qvalue
 * ```
 *
 * Beyond the grammar, a lone asterisk is read as the range of all types and `.2` as `0.2`: Java's own client sends both by default.
 *
 * Drops parameters after the weight, which are the accept-ext of RFC 7231, and `charset`, which does not distinguish media types.
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
  const own = index < 0 ? parameters : parameters.slice(0, index)
  const weight = parameters[index]?.[1] ?? '1'
  const quality = O.toUndefined(Quality.parse(weight.startsWith('.') ? `0${weight}` : weight))
  return quality === undefined
    ? undefined
    : { range: { type, subtype, parameters: own.filter(([name]) => name !== 'charset') }, quality }
}

/**
 * Returns the client's weight of a media type: that of the most specific range that includes it, or 0 if none does. Of equally
 * specific ranges, the greatest weight counts.
 */
export const qualityOf = (accept: Accept, mediaType: MediaType.MediaType): Quality.Quality =>
  deciding(accept, mediaType)?.quality ?? Quality.notAcceptable

/**
 * Returns the index of the preferred offer, or `none` if the client accepts none. The first difference in this list decides:
 *
 * ```text
 * 1. an offer with a media type to send (see `concrete`) before a range without one
 * 2. an offer with a server weight before those of server weight 0
 * 3. the greater client weight
 * 4. a media type that one side names before `application/octet-stream` for a range that neither narrows
 * 5. the greater server weight
 * 6. the more specific range of the header
 * 7. a media type before a range
 * 8. the earlier offer
 * ```
 *
 * The client's weight of a range on offer is that of its `concrete` media type, otherwise the best of anything inside it.
 */
export const choose = (accept: Accept, offers: ReadonlyArray<Offer>): O.Option<number> => {
  const candidates = offers.flatMap((offer, index): ReadonlyArray<Candidate> => {
    const resolved = resolve(accept, offer.mediaType)
    const preference = resolved === undefined ? best(accept, offer.mediaType) : resolved.preference
    return preference === undefined || preference.quality === Quality.notAcceptable
      ? []
      : [{ index, offer, resolved, preference }]
  })
  const chosen = greatest(candidates, byPreference)
  return chosen === undefined ? O.none : O.some(chosen.index)
}

/**
 * Returns the media type to send for one on offer: a media type unchanged. For a range, the media type inside it that the
 * client names with the greatest weight; if there is none, `application/octet-stream`, where both sides allow that; else `none`.
 *
 * @see https://jakarta.ee/specifications/restful-ws/3.1/jakarta-restful-ws-spec-3.1.html section 3.8, steps 9 and 10
 */
export const concrete = (
  accept: Accept,
  offered: MediaType.MediaType,
): O.Option<MediaType.MediaType> =>
  O.fromNullable(MediaType.isRange(offered) ? resolve(accept, offered)?.mediaType : offered)

/** The media type to send for an offer, and the member of the header that decides about it. */
interface Resolved {
  readonly mediaType: MediaType.MediaType
  readonly preference: Preference | undefined
  /** Whether the offer or the client names the media type. */
  readonly isNamed: boolean
}

const resolve = (accept: Accept, offered: MediaType.MediaType): Resolved | undefined => {
  if (!MediaType.isRange(offered))
    return { mediaType: offered, preference: deciding(accept, offered), isNamed: true }
  const named = greatest(accept, byQuality, (member) => isNamedInside(offered, member))
  // no other member is more specific about the media type that this one names
  if (named !== undefined) return { mediaType: named.range, preference: named, isNamed: true }
  if (!MediaType.includes(offered, octetStream)) return undefined
  const preference = deciding(accept, octetStream)
  return preference === undefined || preference.quality === Quality.notAcceptable
    ? undefined
    : { mediaType: octetStream, preference, isNamed: false }
}

const isNamedInside = (offered: MediaType.MediaType, { range, quality }: Preference): boolean =>
  quality !== Quality.notAcceptable &&
  !MediaType.isRange(range) &&
  MediaType.includes(offered, range)

const octetStream: MediaType.MediaType = {
  type: 'application',
  subtype: 'octet-stream',
  parameters: [],
}

/** The member that decides about a media type. */
const deciding = (accept: Accept, mediaType: MediaType.MediaType): Preference | undefined =>
  greatest(accept, bySpecificity, ({ range }) => MediaType.includes(range, mediaType))

/** The member with the greatest weight that anything inside a range on offer can have. */
const best = (accept: Accept, offered: MediaType.MediaType): Preference | undefined => {
  const outside = deciding(accept, offered)
  return greatest(
    accept,
    byQuality,
    (member) => member === outside || MediaType.includes(offered, member.range),
  )
}

/** An acceptable offer and the member that makes it so. */
interface Candidate {
  readonly index: number
  readonly offer: Offer
  readonly resolved: Resolved | undefined
  readonly preference: Preference
}

/** Positive if the first value precedes the second. */
type Order<A> = (a: A, b: A) => number

/** Returns the greatest of the values that are `included`; of equal ones the earliest. */
const greatest = <A>(
  values: ReadonlyArray<A>,
  order: Order<A>,
  included: (value: A) => boolean = () => true,
): A | undefined => {
  let found: A | undefined
  for (const value of values)
    if (included(value) && (found === undefined || order(value, found) > 0)) found = value
  return found
}

/** Orders by the first of the keys that differs. */
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
  ({ preference }) => weight(preference),
  ({ offer, resolved }) => Number(offer.isTypedLater === true || resolved?.isNamed === true),
  ({ offer }) => offer.quality,
  ({ preference }) => named(preference),
  ({ preference }) => parameterCount(preference),
  ({ offer }) => Number(!MediaType.isRange(offer.mediaType)),
)

/** Returns the media types and ranges that the client accepts, the most preferred first, in the order of the header among equals. */
export const preferred = (accept: Accept): ReadonlyArray<MediaType.MediaType> =>
  accept
    .filter(({ quality }) => quality !== Quality.notAcceptable)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
