/** Creates body plans for declared request and response bodies. A body plan contains a media type and a format. */
import type { DeclaredResponse } from '../endpoint/endpoint.ts'
import { mergeJsonRules } from '../endpoint/definition/json-rules.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { Writer } from '../endpoint/writer.ts'
import type { XmlScope } from '../xml/context/xml-format.ts'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'
import type { BodyPlan, ResponsePlan, BodyOptions } from './body-plan.ts'
import type { EntityProviders, ProviderLevels } from './entity-plan.ts'
import { entityOffers } from './entity-plan.ts'
import { contentTypeOf, parseDeclaredType } from './charset.ts'
import { defaultVisibility } from './body-plan.ts'

/** The plan for a URL-encoded form. */
export const formPlan: BodyPlan = {
  mediaType: { type: 'application', subtype: 'x-www-form-urlencoded', parameters: [] },
  quality: Quality.mostPreferred,
  contentType: 'application/x-www-form-urlencoded',
  format: { _tag: 'Form' },
}

/** The plan for a multipart form. */
export const multipartFormPlan: BodyPlan = {
  mediaType: { type: 'multipart', subtype: 'form-data', parameters: [] },
  quality: Quality.mostPreferred,
  contentType: 'multipart/form-data',
  format: { _tag: 'MultipartForm' },
}

/** Returns a function that creates the plan for a declared response. */
export const responsePlan =
  (entities: EntityProviders) =>
  ({ status, failure, representations }: DeclaredResponse): ResponsePlan => ({
    status,
    failure,
    alternatives: bodyPlans(representations, entities.writers, entities),
  })

/** Creates the plans for declared responses, keyed by status code. */
export const responsesByStatus = (
  responses: ReadonlyArray<DeclaredResponse>,
  entities: EntityProviders,
): ReadonlyMap<number, ResponsePlan> => groupByStatus(responses.map(responsePlan(entities)))

/** Indexes responses by status code. If multiple responses have the same status code, the first one takes precedence. */
export const groupByStatus = (
  responses: ReadonlyArray<ResponsePlan>,
): ReadonlyMap<number, ResponsePlan> =>
  responses.reduce(
    (byStatus, response) =>
      byStatus.has(response.status) ? byStatus : byStatus.set(response.status, response),
    new Map<number, ResponsePlan>(),
  )

/**
 * Creates the body plans for representations. An entity has one plan for each media type in which it is available.
 *
 * `scope` contains the options declared on enclosing scopes. Options declared on a representation take precedence.
 */
export const bodyPlans = (
  representations: ReadonlyArray<AnyRepresentation>,
  providers: ProviderLevels<Reader | Writer>,
  scope: BodyOptions = noOptions,
): ReadonlyArray<BodyPlan> =>
  representations.flatMap(({ mediaType, format, language, validator, json, view }) => {
    const declared = parseDeclaredType(mediaType)
    if (declared === undefined) return []
    const { xml } = scope
    const rules = mergeJsonRules(scope.json, json)
    const visibility =
      view === undefined ? scope.visibility : { ...(scope.visibility ?? defaultVisibility), view }
    const options = {
      ...(language === undefined ? {} : { language }),
      ...(validator === undefined ? {} : { validator }),
      ...(rules === undefined ? {} : { json: rules }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(xml === undefined ? {} : { xml }),
    }
    if (format._tag === 'Entity')
      return entityOffers(format.codec, declared.mediaType, providers, xml).map((offer) => ({
        ...offer,
        ...options,
        format: inXmlScope(offer.format, xml),
        quality: declared.quality,
        contentType: contentTypeOf(MediaType.format(offer.mediaType), offer.mediaType),
      }))
    return [{ ...declared, format: inXmlScope(format, xml), ...options }]
  })

const noOptions: BodyOptions = {}

/** Applies the XML settings of a scope to an XML format. Returns other formats unchanged. */
const inXmlScope = <F extends BodyPlan['format']>(format: F, xml: XmlScope | undefined) =>
  xml !== undefined && format._tag === 'Xml' ? format.inScope(xml) : format
