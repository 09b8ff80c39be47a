/** Verifies each route separately. Conflicts between routes are found by `path-groups.ts`. */
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { DeclarationIssue, ParameterGroup, DeclaredResponse } from '../../endpoint/endpoint.ts'
import { declarationIssues, misplacedIssues } from '../../endpoint/tree/declaration-issues.ts'
import { describeValue } from '../../endpoint/definition/describe-value.ts'
import * as Grammar from '../../http/grammar.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import { schemasIn } from '../../codec/visibility/restrictions.ts'
import { exampleErrors } from './verify-examples.ts'
import { charsetErrors } from '../../body/charset.ts'
import type { ReportError } from '../../body/verify-declarations.ts'
import {
  verifyConflicts,
  verifyEntities,
  verifyParameterNames,
  verifyMethod,
  verifyRepresentations,
  verifyResponses,
} from '../../body/verify-declarations.ts'
import {
  codecsOf,
  partRepresentations,
  receivedRepresentations,
  sentRepresentations,
} from '../operation-representations.ts'
import { declaredByFilters } from '../filter-chain.ts'
import type { Route } from '../flatten.ts'
import { routeIssue } from '../flatten.ts'
import type { TreeScope } from '../../endpoint/tree/tree-scope.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { nestedIn } from '../../body/body-plan.ts'
import { disjointRepresentations, ineffectiveRepresentations } from './verify-effects.ts'
import { verifyIdempotency } from './verify-idempotency.ts'
import { verifyTemplate } from './verify-template.ts'
import { isHal } from '../../endpoint/representation.ts'
import { reservedMembers } from '../../body/formats/hal.ts'
import { acceptsOnlyLists } from '../../codec/standard-schema/accepted-types.ts'
import type { StandardType } from '../../codec/standard-schema/standard-schema.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import { membersOf, shapeOf } from '../links/entity.ts'

/**
 * Returns the configuration errors in a route. A contract needs neither handlers nor values of slots.
 *
 * Rules report errors through a callback. If each rule returned a list instead, empty lists would cause a third of the
 * allocations during compilation.
 */
export const verifyRoute = (
  route: Route,
  isContract = false,
): ReadonlyArray<ConfigurationIssue> => {
  const issues: ConfigurationIssue[] = []
  const report: ReportError = (code, remedy) => void issues.push(routeIssue(route, code)(remedy))
  rules.forEach((rule) => rule(route, report))
  if (!isContract) implementationRules.forEach((rule) => rule(route, report))
  return issues
}

/** Returns the declarations of a route that TypeScript rejects. */
export const verifyDeclarations = (route: Route): ReadonlyArray<ConfigurationIssue> => {
  const issues = declarationIssues(route.definition)
  return (issues.length > 0 ? issues : representedIssues(route)).map(({ code, remedy }) =>
    routeIssue(route, code)(remedy),
  )
}

/** Returns the errors in the codecs of all representations, including those of filters and error mappers. */
const representedIssues = (route: Route): ReadonlyArray<DeclarationIssue> =>
  misplacedIssues(
    sentRepresentations(route)
      .concat(receivedRepresentations(route))
      .flatMap(({ format }) => codecsOf(format)),
  )

type Rule = (route: Route, report: ReportError) => void

const none: ReadonlyArray<never> = []

const handled: Rule = ({ definition: { handler } }, report) => {
  if (handler === undefined)
    report('FW-ROUTE-004', 'declare a handler: handle(…), implement(…) or implementAll(…)')
  else if (typeof handler !== 'function')
    report('FW-ROUTE-004', `expected a function in handle(…), got ${describeValue(handler)}`)
}

const conflicts: Rule = ({ definition, prefixVariables }, report) => {
  const { parameters: groups, bodies, method } = definition
  verifyConflicts(definition, prefixVariables, report)
  if (groups.form.size > 0 && bodies.length > 0)
    report('FW-ROUTE-005', 'declared with a form and a body: keep one')
  if (groups.form.size > 0 && /^(?:GET|HEAD|TRACE)$/.test(method ?? ''))
    report('FW-ROUTE-005', `${method} requests cannot have a form`)
  ineffectiveRepresentations(definition).forEach((remedy) => report('FW-ROUTE-005', remedy))
}

const parameterGroups: ReadonlyArray<ParameterGroup> = [
  'path',
  'query',
  'header',
  'cookie',
  'matrix',
  'form',
]

const parameters: Rule = ({ definition }, report) => {
  parameterGroups.forEach((group) => {
    if (definition.parameters[group].has('__proto__'))
      report('FW-PARAM-001', `invalid ${group} parameter name: __proto__`)
  })
  verifyParameterNames(definition, report)
}

const mediaTypes: Rule = (route, report) => {
  const parts = partRepresentations(route)
  const bodies = route.definition.bodies.concat(parts)
  const sent = representationsOf(route.definition.produces, route.definition.responses)
  const data = sent.flatMap(dataOf)
  verifyRepresentations(bodies.concat(sent, data), report)
  const fixed = contentTypeIn(route.definition.headers)
  const typed =
    fixed === undefined
      ? sent
      : sent.map((representation) => ({ ...representation, mediaType: fixed }))
  charsetErrors(typed).forEach((remedy) => report('FW-MEDIA-001', remedy))
  bodies.forEach(({ mediaType, format }) => {
    const { cannotReceive } = bodyFormat(format)
    if (cannotReceive !== undefined) report('FW-MEDIA-001', `${mediaType} ${cannotReceive}`)
  })
  parts.forEach(({ mediaType, format }) => {
    if (bodyFormat(format).isStreamed)
      report('FW-MEDIA-001', `${mediaType} is streamed, so it cannot be used for a form part`)
  })
  verifySent(sent.concat(data), report)
  data.forEach(({ mediaType, format }) => {
    if (!bodyFormat(format).isTextual)
      report('FW-MEDIA-001', `${mediaType} is not text, so it cannot be used as event data`)
  })
}

/** Returns the `Content-Type` header declared for all responses of an operation. */
const contentTypeIn = (
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): string | undefined => headers.findLast(([name]) => name.toLowerCase() === 'content-type')?.[1]

/** Returns the representations of the event data in an event stream. Returns an empty array for all other representations. */
const dataOf = ({ format }: AnyRepresentation): ReadonlyArray<AnyRepresentation> =>
  format._tag === 'EventStream' ? nestedIn(format) : none

const hal: Rule = (route, report) => {
  halErrors(sentRepresentations(route), receivedRepresentations(route)).forEach((remedy) =>
    report('FW-HAL-001', remedy),
  )
}

/** Returns the representations in `produces` and in all declared responses. */
const representationsOf = (
  produces: ReadonlyArray<AnyRepresentation>,
  declared: ReadonlyArray<DeclaredResponse>,
): ReadonlyArray<AnyRepresentation> => {
  if (declared.length === 0) return produces
  return produces.concat(declared.map(({ representations }) => representations).flat())
}

const entities: Rule = (route, report) => {
  const { definition, chain } = route
  const byFilters = declaredByFilters({ ...chain, preMatching: none })
  const sent = representationsOf(definition.produces, definition.responses.concat(byFilters))
  verifyEntities(receivedRepresentations(route), sent, chain.entities, report)
}

/** Reports representations that cannot be sent. */
export const verifySent = (
  representations: ReadonlyArray<AnyRepresentation>,
  report: ReportError,
): void =>
  representations.forEach(({ mediaType, format }) => {
    const { cannotSend } = bodyFormat(format)
    if (cannotSend !== undefined) report('FW-MEDIA-001', `${mediaType} ${cannotSend}`)
  })

const responses: Rule = ({ definition }, report) => {
  const { responses: declared, produces, headers } = definition
  const produced: ReadonlyArray<DeclaredResponse> =
    produces.length === 0
      ? none
      : [{ status: definition.status ?? 200, failure: false, representations: produces }]
  const all = produced.concat(declared)
  verifyResponses(all, report)
  repeated(all.map(({ status }) => status)).forEach((status) =>
    report('FW-RESP-001', `status ${status} is declared more than once`),
  )
  definition.responseHeaders.forEach(({ status, codecs }) => {
    if (status !== undefined && !all.some((response) => response.status === status))
      report('FW-RESP-001', `headers are declared for the undeclared status ${status}`)
    codecs.forEach((codec, key) => {
      const { isCollection, separator } = parameterShape(codec)
      if (!Grammar.isToken(key)) report('FW-RESP-001', `invalid header ${JSON.stringify(key)}`)
      if (isCollection && separator === undefined)
        report('FW-RESP-001', `the header ${key} is a list: declare it with separated(",")`)
    })
  })
  headers.forEach(([name, value]) => {
    if (!Grammar.isToken(name) || !Grammar.isHeaderValue(value))
      report('FW-RESP-001', `invalid header ${JSON.stringify(name)}`)
  })
}

/** Returns the status codes that occur more than once in a list. */
const repeated = (statuses: ReadonlyArray<number>): ReadonlySet<number> =>
  new Set(statuses.filter((status, index) => statuses.indexOf(status) !== index))

const needs: Rule = ({ chain: { needs: handlerNeeds, early, request }, scope }, report) => {
  const filterNeeds = early.concat(request).flatMap((step) => step.needs)
  handlerNeeds.concat(filterNeeds).forEach(({ key, source }) => {
    if (source === undefined) report('FW-NEED-001', needRemedy(scope, key))
  })
}

/** Returns the remedy for a slot without a value. A filter does not see what is applied to the tree before the filter. */
const needRemedy = ({ layers, variables }: TreeScope, key: string): string => {
  if (variables.some(({ slot }) => slot.key === key))
    return `apply prefix(…) after withFilter(…): the prefix that fills the slot "${key}" is inside the filter that needs it`
  if (layers.some((layer) => layer._tag === 'Provided' && Object.hasOwn(layer.values, key)))
    return `apply provide({ ${key}: … }) after withFilter(…): it is inside the filter that needs the slot "${key}"`
  return `provide a value for the slot "${key}": use provide({ ${key}: … }) or an earlier filter`
}

/** Reports Standard Schemas whose values cannot be encoded without undeclared members, because encoding would throw a `TypeError`. */
const schemas: Rule = (route, report) => {
  const sent = sentRepresentations(route).flatMap(({ format }) => codecsOf(format))
  new Set(sent.flatMap(schemasIn)).forEach(({ encodingProblem }) => {
    const problem = encodingProblem()
    if (problem !== undefined) report('FW-RESP-001', problem)
  })
}

const examples: Rule = (route, report) => {
  exampleErrors(route).forEach((remedy) => report('FW-DOC-001', remedy))
}

const rules: ReadonlyArray<Rule> = [
  ({ definition }, report) => verifyMethod(definition, report),
  verifyTemplate,
  conflicts,
  parameters,
  mediaTypes,
  entities,
  responses,
  hal,
  schemas,
  examples,
  verifyIdempotency,
]

/** Reports values that cannot be sent, and a body in a request whose method gives it no meaning (RFC 9110, 9.3.1, 9.3.2 and 9.3.8). */
const messages: Rule = (route, report) => {
  const { method = '', bodies } = route.definition
  disjointRepresentations(route).forEach((remedy) => report('FW-ROUTE-005', remedy))
  if (bodies.length > 0 && /^(?:GET|HEAD|TRACE)$/.test(method))
    report(
      'FW-ROUTE-005',
      `${method} requests cannot have a body: use post(), or remove the body with body()`,
    )
  if (/^(?:get|head|post|put|patch|delete|options)$/i.test(method) && /[a-z]/.test(method))
    report(
      'FW-ROUTE-004',
      `invalid method ${JSON.stringify(method)}: write ${method.toUpperCase()}`,
    )
}

/** The rules for trees that are served. */
const implementationRules: ReadonlyArray<Rule> = [handled, needs, messages]

/** Returns a remedy for each error in the sent and received representations of a route. */
export const halErrors = (
  sent: ReadonlyArray<AnyRepresentation>,
  received: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<string> =>
  [...sent, ...received].some(({ format }) => isHal(format))
    ? [
        ...[...new Set([...sent, ...received])].flatMap(halFormatErrors),
        ...received
          .filter(({ format }) => isHal(format) && shapeOf(format.codec)?.isCollection === true)
          .map(({ mediaType }) => `a request body of type ${mediaType} cannot be a collection`),
      ]
    : []

const halFormatErrors = ({ format }: AnyRepresentation): ReadonlyArray<string> => {
  if (!isHal(format)) return []
  const shape = shapeOf(format.codec)
  if (shape === undefined)
    return [
      isStandardType(format.codec)
        ? remedyForSchema(format.codec)
        : `${format.codec.name} is neither an object nor a collection of objects`,
    ]
  const members = membersOf(shape.entity)
  return reservedMembers
    .filter((name) => members?.has(name) === true)
    .map((name) => `${shape.codec.name} declares the reserved member ${name}: rename the member`)
}

const remedyForSchema = ({ schema, name }: StandardType<unknown, unknown>): string =>
  acceptsOnlyLists(schema)
    ? `the ${name} schema describes a list: pass the schema of its elements, as in hal(list(schema))`
    : `the ${name} schema has no JSON Schema of an object: provide one, or use a codec such as t.type({ … })`
