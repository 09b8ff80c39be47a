/**
 * Negotiates with clients that accept only error responses.
 *
 * Clients that OpenAPI Generator creates list a single type in `Accept`: the first JSON type of all responses. If the operation sends
 * text or bytes, this is the type of an error. A server may disregard `Accept` (RFC 9110, 12.5.1).
 */
import * as O from 'fp-ts/lib/Option.js'
import { responsePlan } from '../../body/create-body-plans.ts'
import type { Plan } from '../../compiler/plan.ts'
import * as Accept from '../../http/accept.ts'
import type { AcceptLanguage } from '../../http/accept-language.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'

/**
 * Returns the offer to send if `accept` lists only types of error responses of its operation. Returns `undefined` if no operation has
 * such error responses, or if the client excludes all its offers.
 */
export const chooseDisregarding = <A extends Accept.Offer & { readonly plan: Plan }>(
  accept: Accept.Accept,
  offers: ReadonlyArray<A>,
  languages: AcceptLanguage,
): A | undefined => {
  const remaining = offers.filter(({ plan }) => Accept.namesOnly(accept, errorTypes(plan)))
  const index = Accept.choose(Accept.disregard(accept), remaining, languages)
  return O.isNone(index) ? undefined : remaining[index.value]
}

/** Returns the media types of the error responses of an operation. */
const errorTypes = ({
  responses,
  chain: { early, request, preMatching, mappers, entities },
}: Plan): ReadonlyArray<MediaType.MediaType> => {
  const declaring = [
    ...preMatching,
    ...[...early, ...request].map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ]
  const declared = declaring.flatMap((filter) => filter.responses)
  const types = [...responses.values(), ...declared.map(responsePlan(entities))]
    .filter(({ failure, status }) => failure || !Status.isSuccess(status))
    .flatMap(({ alternatives }) => alternatives.map(({ mediaType }) => mediaType))
  return [problemType, ...types.filter((type) => !MediaType.isRange(type))]
}

/** The media type of the errors that the framework detects (RFC 9457). */
const problemType: MediaType.MediaType = {
  type: 'application',
  subtype: 'problem+json',
  parameters: [],
}
