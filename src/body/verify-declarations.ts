/** The rules for declarations that servers and clients verify. A message that one of them sends is received by the other. */
import type { Definition, DeclaredResponse } from '../endpoint/endpoint.ts'
import type { ConfigurationErrorCode } from '../endpoint/definition/configuration-error.ts'
import type { PrefixVariable } from '../endpoint/tree/prefix-variables.ts'
import { repeatedVariable, repeatedVariables } from '../endpoint/tree/prefix-variables.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import * as Language from '../http/accept-language.ts'
import * as Grammar from '../http/grammar.ts'
import * as Status from '../http/status.ts'
import type { EntityProviders } from './entity-plan.ts'
import { entitiesWithoutProvider } from './entity-plan.ts'
import { parseDeclaredType } from './charset.ts'

/** Reports a configuration error. */
export type ReportError = (code: ConfigurationErrorCode, remedy: string) => void

/** Reports a missing or malformed method. */
export const verifyMethod = ({ method }: Definition, report: ReportError): void => {
  if (method === undefined) report('FW-ROUTE-004', 'declare a method: get(), post(), …')
  else if (!Grammar.isToken(method))
    report('FW-ROUTE-004', `invalid method ${JSON.stringify(method)}: expected a token`)
}

/** Reports declarations that contradict each other. */
export const verifyConflicts = (
  { conflicts, parameters }: Definition,
  variables: ReadonlyArray<PrefixVariable>,
  report: ReportError,
): void => {
  repeatedVariables(variables, parameters.path).forEach((name) =>
    report('FW-ROUTE-005', repeatedVariable(name)),
  )
  conflicts.forEach((conflict) => report('FW-ROUTE-005', conflict))
}

/** Reports malformed names of headers and cookies. */
export const verifyParameterNames = ({ parameters }: Definition, report: ReportError): void => {
  parameters.header.forEach((_, name) => {
    if (!Grammar.isToken(name))
      report('FW-PARAM-001', `invalid header name ${JSON.stringify(name)}`)
  })
  parameters.cookie.forEach((_, name) => {
    if (/[=;]/.test(name) || name.trim() !== name)
      report('FW-PARAM-001', `invalid cookie name ${JSON.stringify(name)}`)
  })
}

/** Reports malformed media types and languages. */
export const verifyRepresentations = (
  representations: ReadonlyArray<AnyRepresentation>,
  report: ReportError,
): void =>
  representations.forEach(({ mediaType, language }) => {
    if (parseDeclaredType(mediaType) === undefined)
      report('FW-MEDIA-001', `invalid media type ${JSON.stringify(mediaType)}`)
    if (language !== undefined && !Language.isTag(language))
      report('FW-MEDIA-001', `invalid language tag ${JSON.stringify(language)}`)
  })

/** Reports entities that no reader or writer supports. A request body is received by servers, and sent by clients. */
export const verifyEntities = (
  received: ReadonlyArray<AnyRepresentation>,
  sent: ReadonlyArray<AnyRepresentation>,
  { readers, writers, xml }: EntityProviders,
  report: ReportError,
): void => {
  entitiesWithoutProvider(received, readers, xml).forEach((entity) =>
    report('FW-MEDIA-002', `no reader for ${entity}: add one with withReader(…)`),
  )
  entitiesWithoutProvider(sent, writers, xml).forEach((entity) =>
    report('FW-MEDIA-002', `no writer for ${entity}: add one with withWriter(…)`),
  )
}

/** Reports invalid statuses, and representations of responses that have no body. */
export const verifyResponses = (
  responses: ReadonlyArray<DeclaredResponse>,
  report: ReportError,
): void => {
  responses.forEach(({ status }) => {
    if (!Status.isStatus(status))
      report('FW-RESP-001', `invalid status ${status}: expected an integer from 200 to 999`)
  })
  responses.forEach(({ status, representations }) => {
    if (representations.length > 0 && !Status.allowsBody(status))
      report(
        'FW-RESP-001',
        `responses with status ${status} have no body: remove the representation`,
      )
  })
}
