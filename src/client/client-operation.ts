/** Prepares an operation of a contract for a client, and verifies it. */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan, BodyOptions } from '../body/body-plan.ts'
import { bodyPlans } from '../body/create-body-plans.ts'
import type { EntityProviders } from '../body/entity/entity-providers.ts'
import { selectProviders, concernsEndpoint } from '../body/entity/entity-providers.ts'
import { entitiesWithoutProvider } from '../body/entity/entity-plan.ts'
import { charsetErrors } from '../body/text/charset.ts'
import { parseDeclaredType } from '../body/declared-type.ts'
import type { Definition } from '../endpoint/endpoint.ts'
import { mergeAttributes } from '../endpoint/internal/attributes.ts'
import type { ConfigurationErrorCode, Mistake } from '../endpoint/internal/configuration-error.ts'
import type { TreeScope } from '../endpoint/internal/tree-scope.ts'
import { join, parse, variables } from '../endpoint/internal/path-template.ts'
import type { Template } from '../endpoint/internal/path-template.ts'
import * as Grammar from '../http/grammar.ts'
import type { OperationInfo } from './exchange.ts'
import type { ClientResponsePlan } from './response/response-plan.ts'
import { planResponses, responsesOfScopes } from './response/response-plan.ts'

/** The parts of an endpoint that a client uses. */
export interface ClientOperation {
  readonly info: OperationInfo
  readonly template: Template
  readonly definition: Definition
  readonly entities: EntityProviders
  readonly bodies: ReadonlyArray<BodyPlan>
  /** All declared responses by status. */
  readonly responses: ReadonlyMap<number, ClientResponsePlan>
}

/** Prepares an operation, or returns all its configuration errors. */
export const clientOperation = (
  definition: Definition,
  scope: TreeScope,
): E.Either<ReadonlyArray<Mistake>, ClientOperation> => {
  const attributes = mergeAttributes(scope.attributes, definition.attributes)
  const name = scope.keys.join('.')
  const template = join(scope.path, definition.template) || '/'
  const info: OperationInfo = Object.freeze({ name, template, method: definition.method ?? '' })
  const entities = {
    ...selectProviders('client', scope.providers, (provider) =>
      concernsEndpoint(provider, info, attributes.names),
    ),
    xml: attributes.xml,
    json: attributes.json,
  }
  const scopeResponses = responsesOfScopes(scope, info, attributes.names)
  const mistakes: Mistake[] = []
  const fail = (code: ConfigurationErrorCode, remedy: string): void => {
    mistakes.push({
      code,
      concerns: [`${info.method || '(no method)'} ${template}  (${name})`],
      remedy,
    })
  }
  const parsed = parse(template)
  if (E.isLeft(parsed)) fail('FW-ROUTE-001', parsed.left)
  else invalidExpressions(parsed.right).forEach((detail) => fail('FW-ROUTE-003', detail))
  if (definition.method === undefined)
    fail('FW-ROUTE-004', 'missing method: add get(), post() or another one')
  else if (!Grammar.isToken(definition.method))
    fail('FW-ROUTE-004', `invalid method ${JSON.stringify(definition.method)}: must be a token`)
  const method = definition.method ?? ''
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method))
    fail('FW-CLIENT-002', `fetch does not send ${method} requests`)
  if (/^(?:GET|HEAD)$/i.test(method) && definition.bodies.length > 0)
    fail('FW-CLIENT-002', `fetch sends no body with ${method}`)
  definition.conflicts.forEach((detail) => fail('FW-ROUTE-005', detail))
  for (const key of definition.parameters.cookie.keys())
    if (!Grammar.isToken(key)) fail('FW-PARAM-001', `invalid cookie name ${JSON.stringify(key)}`)
  for (const key of definition.parameters.header.keys())
    if (!Grammar.isToken(key)) fail('FW-PARAM-001', `invalid header name ${JSON.stringify(key)}`)
  const received = [
    ...definition.produces,
    ...[...definition.responses, ...scopeResponses].flatMap(
      ({ representations }) => representations,
    ),
  ]
  for (const { mediaType } of [...definition.bodies, ...received])
    if (parseDeclaredType(mediaType) === undefined)
      fail('FW-MEDIA-001', `invalid media type ${JSON.stringify(mediaType)}`)
  charsetErrors(definition.bodies).forEach((remedy) => fail('FW-MEDIA-001', remedy))
  entitiesWithoutProvider(definition.bodies, entities.writers, attributes.xml).forEach((entity) =>
    fail('FW-MEDIA-002', `no writer for ${entity}: add one with withWriter(…)`),
  )
  entitiesWithoutProvider(received, entities.readers, attributes.xml).forEach((entity) =>
    fail('FW-MEDIA-002', `no reader for ${entity}: add one with withReader(…)`),
  )
  for (const { format } of [...definition.bodies, ...received])
    if (format._tag === 'Xml')
      format.binding.errors().forEach((detail) => fail('FW-XML-001', detail))
  if (E.isLeft(parsed) || mistakes.length > 0) return E.left(mistakes)
  const said: BodyOptions = { xml: attributes.xml, json: attributes.json }
  return E.right({
    info,
    template: parsed.right,
    definition,
    entities,
    bodies: supported('write', bodyPlans(definition.bodies, entities.writers, said)),
    responses: planResponses(definition, scopeResponses, (representations) =>
      supported('read', bodyPlans(representations, entities.readers, said)),
    ),
  })
}

/** Drops custom representations without the given direction, unless there are no others. */
const supported = (
  direction: 'read' | 'write',
  contents: ReadonlyArray<BodyPlan>,
): ReadonlyArray<BodyPlan> => {
  const matching = contents.filter(
    ({ format }) => format._tag !== 'Custom' || format[direction] !== undefined,
  )
  return matching.length === 0 ? contents : matching
}

/** Describes the invalid regular expressions of a template. Expressions are not checked for ReDoS, which affects servers only. */
const invalidExpressions = (template: Template): ReadonlyArray<string> =>
  variables(template).flatMap(({ name, regex = '' }) => {
    try {
      void new RegExp(regex, 'u')
      return []
    } catch (error) {
      return [`{${name}:${regex}}: ${syntaxErrorOf(error)}`]
    }
  })

/** The message of the engine without the expression that it repeats. */
const syntaxErrorOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
