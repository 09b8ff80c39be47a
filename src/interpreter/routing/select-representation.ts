/**
 * Selects the representation of a response, based on the `Accept` header and, if the representations differ in language, on the
 * `Accept-Language` header.
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import type { AcceptLanguage } from '../../http/accept-language.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Quality from '../../http/quality.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { isTypedLater, offerOf } from '../../body/body-plan.ts'
import { contentTypeOf } from '../../body/charset.ts'
import type { RequestHeaders } from '../../http/headers.ts'
import { memoizeHeader } from '../../http/headers.ts'
import type { Plan } from '../../compiler/plan.ts'
import { byPreferences, differInLanguage } from './select-operation.ts'

/**
 * Returns the names of the request headers that the response depends on (RFC 9110, 12.5.5). `Accept` is one of them if there are
 * multiple representations, or if it determines the media type of a representation that declares a media range.
 */
export const varyingHeaders = (alternatives: ReadonlyArray<BodyPlan>): ReadonlyArray<string> => {
  const hasRange = alternatives.some(
    (plan) => MediaType.isRange(plan.mediaType) && !isTypedLater(plan),
  )
  return [
    ...(alternatives.length > 1 || hasRange ? ['Accept'] : []),
    ...(differInLanguage(alternatives) ? ['Accept-Language'] : []),
  ]
}

/** The representation selected for a success response. */
export interface SelectedResponse {
  /** The value of the `Content-Type` header, or `undefined` if the file or the reply determines the media type. */
  readonly contentType: string | undefined
  readonly language: string | undefined
}

/** Selects the representation of the success response. Returns `undefined` if the response has no body. */
export type SelectResponse = (headers: RequestHeaders) => SelectedResponse | undefined

/** A selected representation. */
export interface SelectedRepresentation {
  readonly plan: BodyPlan
  /** The value of the `Content-Type` header, or `undefined` if the reply must set it. */
  readonly contentType: string | undefined
}

/**
 * Returns a function that selects a representation. A malformed `Accept` header is treated as missing. For operations with
 * representations, routing rejects such a header beforehand.
 *
 * If no representation is acceptable, the function returns the one for a missing `Accept` header, because the operation has
 * already run (RFC 9110, 12.4.1).
 */
export const representationSelector = (
  alternatives: ReadonlyArray<BodyPlan>,
): ((
  accept: string | undefined,
  languages: AcceptLanguage,
) => SelectedRepresentation | undefined) => {
  const offers = alternatives.map(offerOf)
  const select = (
    accept: Accept.Accept,
    languages: AcceptLanguage,
  ): SelectedRepresentation | undefined => {
    const index = O.toUndefined(Accept.choose(accept, offers, languages))
    const plan = index === undefined ? undefined : alternatives[index]
    if (plan === undefined) return undefined
    const { mediaType, contentType } = plan
    if (!MediaType.isRange(mediaType) || isTypedLater(plan)) return { plan, contentType }
    const concrete = O.toUndefined(Accept.concrete(accept, mediaType))
    return { plan, contentType: concrete && contentTypeOf(MediaType.format(concrete), concrete) }
  }
  return (header, languages) => {
    const accept = parse(header)
    return (
      select(accept, languages) ??
      select(Accept.disregard(accept), languages) ??
      select(Accept.anything, languages)
    )
  }
}

const parse = (header: string | undefined): Accept.Accept =>
  O.getOrElse(() => Accept.anything)(Accept.parse(header ?? ''))

/**
 * Returns a function that checks the `Content-Type` of a reply whose representation declares a media range. The function returns
 * `false` if the client accepts media types within the range, but not this one.
 */
export const acceptsReplyType = (
  header: string | undefined,
  range: MediaType.MediaType,
): ((contentType: string) => boolean) => {
  const accept = parse(header)
  const isNegotiated = O.isSome(
    Accept.choose(accept, [{ mediaType: range, quality: Quality.mostPreferred }]),
  )
  return memoizeHeader((contentType = '') => {
    const mediaType = MediaType.parse(contentType)
    return (
      !isNegotiated ||
      O.isNone(mediaType) ||
      Accept.qualityOf(accept, mediaType.value) !== Quality.notAcceptable
    )
  })
}

/**
 * Returns a function that selects the representation of the success response of an operation. If the success response has no
 * representations, those of other success statuses are used. Nothing is prepared before the first call.
 */
export const responseSelector = ({
  success,
  offers,
}: Pick<Plan, 'success' | 'offers'>): SelectResponse => {
  const alternatives = success.alternatives.length > 0 ? success.alternatives : offers
  let selectResponse: SelectResponse | undefined
  return (headers) => (selectResponse ??= describeSelected(alternatives))(headers)
}

/** Returns a function that describes the representation selected by the headers of a request. */
export const describeSelected = (alternatives: ReadonlyArray<BodyPlan>): SelectResponse => {
  const select = representationSelector(alternatives)
  return byPreferences(alternatives, (accept, languages) => {
    const selected = select(accept, languages)
    if (selected === undefined) return undefined
    const { plan, contentType } = selected
    const isUnknown = isTypedLater(plan) && MediaType.isRange(plan.mediaType)
    return { contentType: isUnknown ? undefined : contentType, language: plan.language }
  })
}
