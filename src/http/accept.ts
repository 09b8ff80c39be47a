/**
 * The Accept field: which media types the client wants, and which of those on offer it gets.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'
import * as MediaType from './media-type.ts'
import * as Quality from './quality.ts'

/** The members of the field, in its order. */
export type Accept = ReadonlyArray<Preference>

export interface Preference {
  readonly range: MediaType.MediaType
  readonly quality: Quality.Quality
}

/** What the server can send. The media type may be a range, when the handler or the client settles the rest. */
export interface Offer {
  readonly mediaType: MediaType.MediaType
  /** The server's own weight (`qs`); an offer of weight 0 is the last resort. */
  readonly quality: Quality.Quality
}

/** What a request without the field accepts. */
export const anything: Accept = [
  { range: { type: '*', subtype: '*', parameters: [] }, quality: Quality.mostPreferred },
]

/** Members read of one field; those behind are ignored, so that the work for a request has a bound. */
const memberLimit = 64

/**
 * Reads the field. A malformed member is ignored when another is good; `none` when there are members and none is good.
 * A field without members is `anything`.
 *
 * ```text
 * Accept = #( media-range [ weight ] )
 * weight = OWS ";" OWS "q=" qvalue
 * ```
 *
 * Beyond the grammar, a lone asterisk is read as the range of everything and `.2` as `0.2`: Java's own client sends both
 * wherever its application says nothing, and would be answered 406 otherwise.
 *
 * Two kinds of parameters say nothing of the range and are left out: those behind the weight, which are the accept-ext
 * of the older RFC 7231, and `charset`, which does not tell one media type from another.
 */
export const parse = (text: string): O.Option<Accept> => {
  const members = Grammar.splitList(text).slice(0, memberLimit)
  const good = members.flatMap((member) => toArray(parseMember(member)))
  if (members.length === 0) return O.some(anything)
  return good.length === 0 ? O.none : O.some(good)
}

const toArray: <A>(option: O.Option<A>) => ReadonlyArray<A> = O.match(
  () => [],
  (value) => [value],
)

const parseMember = (text: string): O.Option<Preference> =>
  pipe(
    MediaType.parse(text.replace(/^\*(?!\/)/, '*/*')),
    O.chain(({ type, subtype, parameters }) => {
      const at = parameters.findIndex(([name]) => name === 'q')
      const own = at < 0 ? parameters : parameters.slice(0, at)
      const range = { type, subtype, parameters: own.filter(([name]) => name !== 'charset') }
      return pipe(
        O.fromNullable(parameters[at]),
        O.match(
          () => O.some(Quality.mostPreferred),
          ([, value]) => Quality.parse(value.startsWith('.') ? `0${value}` : value),
        ),
        O.map((quality) => ({ range, quality })),
      )
    }),
  )

/**
 * How much the client wants a media type: the weight of the most specific range that includes it, 0 when none does. Of
 * ranges that are equally specific the one with the greater weight decides.
 */
export const qualityOf = (accept: Accept, mediaType: MediaType.MediaType): Quality.Quality =>
  pipe(
    deciding(accept, mediaType),
    O.match(
      () => Quality.notAcceptable,
      ({ quality }) => quality,
    ),
  )

/**
 * The position of the preferred offer; `none` when the client accepts none. What comes first in this list decides:
 *
 * ```text
 * 1. an offer with a server weight before those of server weight 0
 * 2. the greater client weight
 * 3. the greater server weight
 * 4. the more specific range of the field
 * 5. a media type before a range, which may in the end come to nothing (`concrete`)
 * 6. the earlier offer
 * ```
 *
 * A range on offer has the weight of the media type that `concrete` makes of it, or else the best that anything in it
 * can have.
 */
export const choose = (accept: Accept, offers: ReadonlyArray<Offer>): O.Option<number> =>
  pipe(
    offers.flatMap((offer, index): ReadonlyArray<Candidate> =>
      pipe(
        decidingOffer(accept, offer.mediaType),
        O.filter(({ quality }) => quality !== Quality.notAcceptable),
        O.map((preference) => ({ index, offer, preference })),
        toArray,
      ),
    ),
    first(byPreference),
    O.map(({ index }) => index),
  )

/**
 * The media type to send for one on offer. A media type is itself. A range becomes the media type inside it that the
 * client names with the greatest weight; when it names none, `application/octet-stream`, where both sides allow that;
 * else `none`, and the handler has to say what it sends.
 *
 * @see https://jakarta.ee/specifications/restful-ws/3.1/jakarta-restful-ws-spec-3.1.html section 3.8, steps 9 and 10
 */
export const concrete = (
  accept: Accept,
  offered: MediaType.MediaType,
): O.Option<MediaType.MediaType> =>
  MediaType.isRange(offered)
    ? pipe(
        within(accept, offered).filter(
          ({ range, quality }) => !MediaType.isRange(range) && quality > 0,
        ),
        first(byQuality),
        O.map(({ range }) => range),
        O.alt(() => O.some(octetStream)),
        O.filter((mediaType) => MediaType.includes(offered, mediaType)),
        O.filter((mediaType) => qualityOf(accept, mediaType) > 0),
      )
    : O.some(offered)

const octetStream: MediaType.MediaType = {
  type: 'application',
  subtype: 'octet-stream',
  parameters: [],
}

const within = (accept: Accept, offered: MediaType.MediaType): Accept =>
  accept.filter(({ range }) => MediaType.includes(offered, range))

/** The member that says how much the client wants this media type. */
const deciding = (accept: Accept, mediaType: MediaType.MediaType): O.Option<Preference> =>
  pipe(
    accept.filter(({ range }) => MediaType.includes(range, mediaType)),
    first(bySpecificity),
  )

/** The same of an offer: also of a range of which nobody has said yet what it will become. */
const decidingOffer = (accept: Accept, offered: MediaType.MediaType): O.Option<Preference> =>
  pipe(
    concrete(accept, offered),
    O.match(
      () =>
        pipe([...within(accept, offered), ...toArray(deciding(accept, offered))], first(byQuality)),
      (mediaType) => deciding(accept, mediaType),
    ),
  )

/** An acceptable offer and the member that makes it so. */
interface Candidate {
  readonly index: number
  readonly offer: Offer
  readonly preference: Preference
}

/** Positive when the first value comes before the second. */
type Order<A> = (a: A, b: A) => number

/** The greatest; the earliest of equals. */
const first =
  <A extends object>(order: Order<A>) =>
  (values: ReadonlyArray<A>): O.Option<A> =>
    O.fromNullable(values.toSorted((a, b) => order(b, a))[0])

/** Orders by the first of the keys that differs. */
const by =
  <A>(...keys: ReadonlyArray<(value: A) => number>): Order<A> =>
  (a, b) =>
    keys.reduce((before, key) => before || key(a) - key(b), 0)

const weight = ({ quality }: Preference): number => quality
const named = ({ range }: Preference): number =>
  Number(range.type !== '*') + Number(range.subtype !== '*')
const parameterCount = ({ range }: Preference): number => range.parameters.length

const bySpecificity = by(named, parameterCount, weight)
const byQuality = by(weight, named, parameterCount)
const byPreference = by<Candidate>(
  ({ offer }) => Number(offer.quality !== Quality.notAcceptable),
  ({ preference }) => weight(preference),
  ({ offer }) => offer.quality,
  ({ preference }) => named(preference),
  ({ preference }) => parameterCount(preference),
  ({ offer }) => Number(!MediaType.isRange(offer.mediaType)),
)

/** The media types and ranges that are wanted at all, the most preferred first, in the order of the field among equals. */
export const preferred = (accept: Accept): ReadonlyArray<MediaType.MediaType> =>
  accept
    .filter(({ quality }) => quality !== Quality.notAcceptable)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
