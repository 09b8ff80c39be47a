/** From the contents that a description declares to their plans. */
import * as O from 'fp-ts/lib/Option.js'
import type { Response } from '../endpoint/endpoint.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { Writer } from '../endpoint/writer.ts'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'
import type { ContentPlan, ResponsePlan } from './content-plan.ts'
import type { Entities, Levels } from './entities.ts'
import { entityOffers, unweighted } from './entity-plan.ts'
import type { Projecting } from './projecting.ts'
import { unsaid } from './projecting.ts'

/** The content of a URL-encoded form. */
export const form: ContentPlan = {
  mediaType: { type: 'application', subtype: 'x-www-form-urlencoded', parameters: [] },
  quality: Quality.mostPreferred,
  contentType: 'application/x-www-form-urlencoded',
  format: { _tag: 'Form' },
}

/** The content of a multipart form. */
export const multipartForm: ContentPlan = {
  mediaType: { type: 'multipart', subtype: 'form-data', parameters: [] },
  quality: Quality.mostPreferred,
  contentType: 'multipart/form-data',
  format: { _tag: 'MultipartForm' },
}

/** A declared answer as a plan. */
export const responsePlan =
  ({ writers, projecting }: Entities) =>
  ({ status, failure, representations }: Response): ResponsePlan => ({
    status,
    failure,
    alternatives: contentsOf(representations, writers, projecting),
  })

/** Declared answers as plans. */
export const responsesByStatus = (
  responses: ReadonlyArray<Response>,
  entities: Entities,
): ReadonlyMap<number, ResponsePlan> => byStatus(responses.map(responsePlan(entities)))

/** In the order in which they were declared; of several with one status the first counts. */
export const byStatus = (
  responses: ReadonlyArray<ResponsePlan>,
): ReadonlyMap<number, ResponsePlan> =>
  responses.reduce(
    (known, response) =>
      known.has(response.status) ? known : known.set(response.status, response),
    new Map<number, ResponsePlan>(),
  )

/** Representations as plans, those that are left to readers or writers as these take care of them. */
export const contentsOf = (
  representations: ReadonlyArray<AnyRepresentation>,
  providers: Levels<Reader | Writer>,
  projecting?: Projecting,
): ReadonlyArray<ContentPlan> =>
  representations.flatMap(({ mediaType, format, validator, view }) => {
    const parsed = MediaType.parse(mediaType)
    if (O.isNone(parsed)) return []
    const qs = O.toUndefined(MediaType.parameter(parsed.value, 'qs'))
    const own = unweighted(parsed.value)
    const weight = qs === undefined ? O.none : Quality.parse(qs)
    const quality = O.isSome(weight) ? weight.value : Quality.mostPreferred
    const shown = view === undefined ? projecting : { ...(projecting ?? unsaid), view }
    const said = {
      ...(validator === undefined ? {} : { validator }),
      ...(shown === undefined ? {} : { projecting: shown }),
    }
    if (format._tag === 'Entity')
      return entityOffers(format.codec, own, providers).map((offer) => ({
        ...offer,
        ...said,
        quality,
        contentType: contentType(MediaType.format(offer.mediaType), offer.mediaType),
      }))
    return [
      {
        mediaType: own,
        quality,
        contentType: contentType(qs === undefined ? mediaType : MediaType.format(own), own),
        format,
        ...said,
      },
    ]
  })

/** Text says that it is UTF-8; JSON (RFC 8259, 11) and event streams have no other encoding and say nothing. */
export const contentType = (written: string, mediaType: MediaType.MediaType): string =>
  mediaType.type === 'text' &&
  mediaType.subtype !== 'event-stream' &&
  O.isNone(MediaType.parameter(mediaType, 'charset'))
    ? `${written};charset=UTF-8`
    : written
