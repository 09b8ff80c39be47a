/**
 * Prepares an operation for a client. Selects the representations, plans the responses that the client can receive, and
 * reports configuration errors.
 */
import { acceptsRanges } from '../http/method.ts'
import { isTypedLater } from '../body/body-plan.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan, ResponsePlan, BodyOptions } from '../body/body-plan.ts'
import { concernsEndpoint, selectProviders } from '../body/entity-plan.ts'
import type { EntityProviders } from '../body/entity-plan.ts'
import type { Codec } from '../codec/codec.ts'
import type { Definition, DeclaredResponse, ParameterMap } from '../endpoint/endpoint.ts'
import { valuesDecoder } from '../body/text-values.ts'
import type { ResponseHeader } from '../endpoint/internal/response-headers.ts'
import { headersOf } from '../endpoint/internal/response-headers.ts'
import { defaultResponse } from '../endpoint/internal/default-response.ts'
import type { TreeScope } from '../endpoint/tree/tree-scope.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { ApiKey, OperationInfo } from './exchange.ts'
import { bodyPlans } from '../body/create-body-plans.ts'
import { charsetErrors } from '../body/charset.ts'
import type { ReportError } from '../body/verify-declarations.ts'
import {
  verifyConflicts,
  verifyEntities,
  verifyParameterNames,
  verifyMethod,
  verifyRepresentations,
} from '../body/verify-declarations.ts'
import { mergeAttributes, rateLimitsOf } from '../endpoint/definition/attributes.ts'
import { isKeyed } from '../endpoint/definition/idempotency.ts'
import { quotaExceeded } from '../endpoint/problem.ts'
import { declarationIssues } from '../endpoint/tree/declaration-issues.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { join, parse, variables } from '../endpoint/definition/path-template.ts'
import type { Template } from '../endpoint/definition/path-template.ts'
import { withPrefixCodecs } from '../endpoint/tree/prefix-variables.ts'
import * as Grammar from '../http/grammar.ts'
import { messageOf } from '../http/platform-value.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'

/** A declared header, and the function that decodes its values. */
export interface ClientHeader extends ResponseHeader {
  readonly decode: ReturnType<typeof valuesDecoder>
}

/** A declared response. If `failure` is `true`, the call returns the response as a `Left`. */
export interface ClientResponsePlan extends ResponsePlan {
  /** Whether at least one declaration of the status has no body. */
  readonly mayBeEmpty: boolean
  /** Value of `body` in a decoded response without a body. */
  readonly emptyValue: null | undefined
  readonly headers: ReadonlyArray<ClientHeader>
}

/** Returns the responses declared by filters and error mappers in the enclosing scopes. */
const responsesOfScopes = (
  { layers, mappers }: TreeScope,
  info: OperationInfo,
  names: ReadonlyArray<string>,
): ReadonlyArray<DeclaredResponse> => [
  ...layers.flatMap((scope) =>
    scope._tag === 'Filter' &&
    scope.filter._tag !== 'ResponseFilter' &&
    concernsEndpoint(scope.filter, info, names)
      ? scope.filter.responses
      : [],
  ),
  ...mappers.flat().flatMap((mapper) => (mapper._tag === 'MapError' ? mapper.responses : [])),
]

/** Returns the API keys declared by authentication filters in the enclosing scopes. */
const apiKeysOfScopes = ({ layers }: TreeScope): ReadonlyArray<ApiKey> =>
  layers.flatMap((layer) =>
    layer._tag === 'Filter' && layer.filter._tag === 'RequestFilter'
      ? (layer.filter.authentication?.schemes ?? []).flatMap(({ scheme }) =>
          scheme.type === 'apiKey' ? [{ in: scheme.in, name: scheme.name }] : [],
        )
      : [],
  )

/**
 * Plans the responses for each declared status. Representations declared by the operation come first. Representations
 * declared by enclosing scopes for the same status are added as alternatives.
 */
const planResponses = (
  definition: Definition,
  scopeResponses: ReadonlyArray<DeclaredResponse>,
  plansOf: (representations: ReadonlyArray<AnyRepresentation>) => ReadonlyArray<BodyPlan>,
): ReadonlyMap<number, ClientResponsePlan> => {
  const { response: byDefault, declaredBy } = defaultResponse(definition)
  const isProduced = declaredBy === 'produced'
  const byStatus = new Map<number, ClientResponsePlan>()
  const declared = [...(isProduced ? [byDefault] : []), ...definition.responses, ...scopeResponses]
  for (const response of declared) {
    const previous = byStatus.get(response.status)
    byStatus.set(response.status, {
      status: response.status,
      failure: previous?.failure ?? response.failure,
      alternatives: [...(previous?.alternatives ?? []), ...plansOf(response.representations)],
      mayBeEmpty: previous?.mayBeEmpty === true || response.representations.length === 0,
      emptyValue: undefined,
      headers:
        previous?.headers ??
        headersOf(definition, response).map((header) => ({
          ...header,
          decode: valuesDecoder(header.codec),
        })),
    })
  }
  const success = acceptsRanges(definition.method) && isProduced ? byStatus.get(200) : undefined
  const files = success?.alternatives.filter(isTypedLater) ?? []
  // a server responds to range requests for files with 206, even if this status is not declared
  if (success?.failure === false && files.length > 0 && !byStatus.has(206))
    byStatus.set(206, { ...success, status: 206, alternatives: files, mayBeEmpty: false })
  const noContent =
    declaredBy !== 'none' && !byStatus.has(204)
      ? planNoContent(byDefault.representations)
      : undefined
  if (noContent !== undefined) byStatus.set(204, noContent)
  return byStatus
}

/**
 * Plans the 204 response that a server sends for `undefined`, and that servers of earlier versions send for `null`. Returns
 * `undefined` if no codec of the default response accepts either value.
 */
const planNoContent = (
  representations: ReadonlyArray<AnyRepresentation>,
): ClientResponsePlan | undefined => {
  const isAccepted = (value: null | undefined): boolean =>
    representations.some(
      ({ format }) =>
        'codec' in format && format.codec !== undefined && isAcceptedBy(format.codec, value),
    )
  const values = isAccepted(undefined) ? [undefined] : isAccepted(null) ? [null] : []
  return values.length === 0
    ? undefined
    : {
        status: 204,
        failure: false,
        alternatives: [],
        mayBeEmpty: true,
        emptyValue: values[0],
        headers: [],
      }
}

/** Whether a codec accepts a value. If a custom codec throws an exception, the value is not accepted. */
const isAcceptedBy = (codec: Codec, value: unknown): boolean => {
  try {
    return E.isRight(codec.decode(value))
  } catch {
    return false
  }
}

/** Parts of an endpoint that are used by a client. */
export interface ClientOperation {
  readonly info: OperationInfo
  readonly template: Template
  readonly definition: Definition
  /** Codecs of the path parameters, including the variables in the prefixes of the enclosing trees. */
  readonly path: ParameterMap
  readonly entities: EntityProviders
  readonly bodies: ReadonlyArray<BodyPlan>
  /** Declared responses by status. */
  readonly responses: ReadonlyMap<number, ClientResponsePlan>
}

/** Matches the methods that `fetch` converts to upper case. */
const normalizedMethod = /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i

/**
 * Prepares an operation. If a client cannot call the operation, returns a `Left` that contains all configuration
 * errors.
 */
export const clientOperation = (
  definition: Definition,
  scope: TreeScope,
): E.Either<ReadonlyArray<ConfigurationIssue>, ClientOperation> => {
  const attributes = mergeAttributes(scope.attributes, definition.attributes)
  const name = scope.keys.join('.')
  const template = join(scope.path, definition.template) || '/'
  const apiKeys = apiKeysOfScopes(scope)
  const info: OperationInfo = Object.freeze({
    name,
    template,
    method: definition.method ?? '',
    ...(apiKeys.length === 0 ? {} : { apiKeys }),
    ...(isKeyed(definition.method, attributes.idempotency) ? { isKeyed: true } : {}),
  })
  const entities = {
    ...selectProviders('client', scope.providers, (provider) =>
      concernsEndpoint(provider, info, attributes.names),
    ),
    xml: attributes.xml,
    json: attributes.json,
  }
  const scopeResponses = [
    ...responsesOfScopes(scope, info, attributes.names),
    ...(rateLimitsOf(attributes).length === 0 ? [] : [quotaExceeded]),
  ]
  const issues: ConfigurationIssue[] = []
  const fail: ReportError = (code, remedy) => {
    issues.push({ code, concerns: [operationTitle(info)], remedy })
  }
  declarationIssues(definition).forEach(({ code, remedy }) => fail(code, remedy))
  // the other declarations may contain values of wrong types
  if (issues.length > 0) return E.left(issues)
  const parsed = parse(template)
  if (E.isLeft(parsed)) fail('FW-ROUTE-001', parsed.left)
  else describeInvalidExpressions(parsed.right).forEach((detail) => fail('FW-ROUTE-003', detail))
  verifyMethod(definition, fail)
  const method = definition.method ?? ''
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method))
    fail('FW-CLIENT-002', `fetch cannot send ${method} requests`)
  if (normalizedMethod.test(method) && method !== method.toUpperCase())
    fail('FW-CLIENT-002', `fetch sends ${method} as ${method.toUpperCase()}: declare that method`)
  if (/^(?:GET|HEAD)$/i.test(method) && definition.bodies.length > 0)
    fail('FW-CLIENT-002', `fetch cannot send ${method} requests with a body`)
  verifyConflicts(definition, scope.variables, fail)
  for (const key of definition.parameters.cookie.keys())
    if (!Grammar.isToken(key)) fail('FW-PARAM-001', `invalid cookie name ${JSON.stringify(key)}`)
  verifyParameterNames(definition, fail)
  const received = [
    ...definition.produces,
    ...[...definition.responses, ...scopeResponses].flatMap(
      ({ representations }) => representations,
    ),
  ]
  verifyRepresentations([...definition.bodies, ...received], fail)
  charsetErrors(definition.bodies).forEach((remedy) => fail('FW-MEDIA-001', remedy))
  verifyEntities(received, definition.bodies, entities, fail)
  for (const { format } of [...definition.bodies, ...received])
    if (format._tag === 'Xml')
      format.binding.errors().forEach((detail) => fail('FW-XML-001', detail))
  if (E.isLeft(parsed) || issues.length > 0) return E.left(issues)
  const options: BodyOptions = { xml: attributes.xml, json: attributes.json }
  return E.right({
    info,
    template: parsed.right,
    definition,
    path: withPrefixCodecs(scope.variables, definition.parameters.path),
    entities,
    bodies: selectSupported('write', bodyPlans(definition.bodies, entities.writers, options)),
    responses: planResponses(definition, scopeResponses, (representations) =>
      selectSupported('read', bodyPlans(representations, entities.readers, options)),
    ),
  })
}

/**
 * Omits the custom representations that cannot be read or written, depending on `direction`. If no representation would
 * remain, returns all of them.
 */
const selectSupported = (
  direction: 'read' | 'write',
  plans: ReadonlyArray<BodyPlan>,
): ReadonlyArray<BodyPlan> => {
  const matching = plans.filter(
    ({ format }) => format._tag !== 'Custom' || format[direction] !== undefined,
  )
  return matching.length === 0 ? plans : matching
}

/**
 * Describes the invalid regular expressions in a template. Expressions are not checked for ReDoS (denial of service
 * through slow regular expressions), because ReDoS affects only servers.
 */
const describeInvalidExpressions = (template: Template): ReadonlyArray<string> =>
  variables(template).flatMap(({ name, regex = '' }) => {
    try {
      void new RegExp(regex, 'u')
      return []
    } catch (error) {
      return [`{${name}:${regex}}: ${syntaxErrorMessage(error)}`]
    }
  })

/** Returns the error message from the JavaScript engine, without the regular expression that it quotes. */
const syntaxErrorMessage = (error: unknown): string => messageOf(error).replace(/^.*: /s, '')
