/** Creates the plans of declared bodies and responses. */
import type { DeclaredResponse } from '../endpoint/endpoint.ts'
import { mergeJsonRules } from '../endpoint/internal/json-rules.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { Writer } from '../endpoint/writer.ts'
import type { XmlScope } from '../xml/context/xml-format.ts'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'
import type { BodyPlan, ResponsePlan, BodyOptions } from './body-plan.ts'
import type { EntityProviders, ProviderLevels } from './entity/entity-providers.ts'
import { contentTypeOf, parseDeclaredType } from './declared-type.ts'
import { entityOffers } from './entity/entity-plan.ts'
import { defaultVisibility } from './visibility.ts'

/** The plan of a URL-encoded form. */
export const formPlan: BodyPlan = {
  mediaType: { type: 'application', subtype: 'x-www-form-urlencoded', parameters: [] },
  quality: Quality.mostPreferred,
  contentType: 'application/x-www-form-urlencoded',
  format: { _tag: 'Form' },
}

/** The plan of a multipart form. */
export const multipartFormPlan: BodyPlan = {
  mediaType: { type: 'multipart', subtype: 'form-data', parameters: [] },
  quality: Quality.mostPreferred,
  contentType: 'multipart/form-data',
  format: { _tag: 'MultipartForm' },
}

/** Creates the plan of a declared response. */
export const responsePlan =
  (entities: EntityProviders) =>
  ({ status, failure, representations }: DeclaredResponse): ResponsePlan => ({
    status,
    failure,
    alternatives: bodyPlans(representations, entities.writers, entities),
  })

/** Creates the plans of declared responses, by status. */
export const responsesByStatus = (
  responses: ReadonlyArray<DeclaredResponse>,
  entities: EntityProviders,
): ReadonlyMap<number, ResponsePlan> => groupByStatus(responses.map(responsePlan(entities)))

/** Groups responses by status. The first of several responses with the same status takes precedence. */
export const groupByStatus = (
  responses: ReadonlyArray<ResponsePlan>,
): ReadonlyMap<number, ResponsePlan> =>
  responses.reduce(
    (known, response) =>
      known.has(response.status) ? known : known.set(response.status, response),
    new Map<number, ResponsePlan>(),
  )

/** Creates the plans of representations. Entities are resolved to their readers, writers or built-in formats. */
export const bodyPlans = (
  representations: ReadonlyArray<AnyRepresentation>,
  providers: ProviderLevels<Reader | Writer>,
  outside: BodyOptions = unmarked,
): ReadonlyArray<BodyPlan> =>
  representations.flatMap(({ mediaType, format, validator, json, view }) => {
    const declared = parseDeclaredType(mediaType)
    if (declared === undefined) return []
    const { xml } = outside
    const rules = mergeJsonRules(outside.json, json)
    const visibility =
      view === undefined
        ? outside.visibility
        : { ...(outside.visibility ?? defaultVisibility), view }
    const said = {
      ...(validator === undefined ? {} : { validator }),
      ...(rules === undefined ? {} : { json: rules }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(xml === undefined ? {} : { xml }),
    }
    if (format._tag === 'Entity')
      return entityOffers(format.codec, declared.mediaType, providers, xml).map((offer) => ({
        ...offer,
        ...said,
        format: within(offer.format, xml),
        quality: declared.quality,
        contentType: contentTypeOf(MediaType.format(offer.mediaType), offer.mediaType),
      }))
    return [{ ...declared, format: within(format, xml), ...said }]
  })

const unmarked: BodyOptions = {}

/** Applies the XML context of the scope to an XML format. */
const within = <F extends BodyPlan['format']>(format: F, xml: XmlScope | undefined) =>
  xml !== undefined && format._tag === 'Xml' ? format.inScope(xml) : format
