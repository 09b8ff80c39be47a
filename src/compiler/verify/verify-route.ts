/** Verifies each route separately. Conflicts between routes are found by `path-groups.ts`. */
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type {
  DeclarationIssue,
  Definition,
  ParameterGroup,
  DeclaredResponse,
} from '../../endpoint/endpoint.ts'
import { isFormPart } from '../../endpoint/body.ts'
import { declarationIssues, misplacedIssues } from '../../endpoint/internal/declaration-issues.ts'
import { describeValue } from '../../endpoint/internal/describe-value.ts'
import { repeatedVariable, repeatedVariables } from '../../endpoint/internal/prefix-variables.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Status from '../../http/status.ts'
import { schemasIn } from '../../codec/visibility/restrictions.ts'
import { halErrors } from './hal-errors.ts'
import { exampleErrors } from './verify-examples.ts'
import { charsetErrors } from '../../body/charset.ts'
import { languageErrors } from '../../body/create-body-plans.ts'
import { parseDeclaredType } from '../../body/declared-type.ts'
import { entitiesWithoutProvider } from '../../body/entity/entity-plan.ts'
import {
  codecsOf,
  receivedRepresentations,
  sentRepresentations,
} from '../operation-representations.ts'
import type { Route } from '../flatten.ts'
import type { TreeScope } from '../../endpoint/internal/tree-scope.ts'
import type {
  ConfigurationErrorCode,
  ConfigurationIssue,
} from '../../endpoint/internal/configuration-error.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { nestedIn } from '../../body/body-plan.ts'
import { disjointRepresentations, ineffectiveRepresentations } from './verify-effects.ts'
import { verifyTemplate } from './verify-template.ts'

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
  const report: Report = (code, remedy) => {
    issues.push({ code, concerns: [routeTitle(route)], remedy })
  }
  rules.forEach((rule) => rule(route, report))
  if (!isContract) implementationRules.forEach((rule) => rule(route, report))
  return issues
}

/** Returns the declarations of a route that TypeScript rejects. */
export const verifyDeclarations = (route: Route): ReadonlyArray<ConfigurationIssue> => {
  const issues = declarationIssues(route.definition)
  return (issues.length > 0 ? issues : representedIssues(route)).map((issue) => ({
    ...issue,
    concerns: [routeTitle(route)],
  }))
}

/** Returns the errors in the codecs of all representations, including those of filters and error mappers. */
const representedIssues = (route: Route): ReadonlyArray<DeclarationIssue> =>
  misplacedIssues(
    sentRepresentations(route)
      .concat(receivedRepresentations(route))
      .flatMap(({ format }) => codecsOf(format)),
  )

/** Reports a configuration error in a route. */
type Report = (code: ConfigurationErrorCode, remedy: string) => void

type Rule = (route: Route, report: Report) => void

/** Returns the title that identifies a route in configuration errors. */
export const routeTitle = ({ name, template: path, definition }: Route): string =>
  isEmpty(definition) ? name : `${definition.method ?? '(no method)'} ${path}  (${name})`

/** Whether a definition replaces a value that is not an endpoint (`FW-ROUTE-008`). */
const isEmpty = ({ method, template: path }: Definition): boolean =>
  method === undefined && path === ''

const none: ReadonlyArray<never> = []

const methods: Rule = ({ definition: { method } }, report) => {
  if (method === undefined) report('FW-ROUTE-004', 'declare a method: get(), post(), …')
  else if (!Grammar.isToken(method))
    report('FW-ROUTE-004', `invalid method ${JSON.stringify(method)}: expected a token`)
}

const handled: Rule = ({ definition: { handler } }, report) => {
  if (handler === undefined)
    report('FW-ROUTE-004', 'declare a handler: handle(…), implement(…) or implementAll(…)')
  else if (typeof handler !== 'function')
    report('FW-ROUTE-004', `expected a function in handle(…), got ${describeValue(handler)}`)
}

const conflicts: Rule = ({ definition, prefixVariables }, report) => {
  const { parameters: groups, bodies, method } = definition
  repeatedVariables(prefixVariables, groups.path).forEach((name) =>
    report('FW-ROUTE-005', repeatedVariable(name)),
  )
  definition.conflicts.forEach((conflict) => report('FW-ROUTE-005', conflict))
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

const parameters: Rule = ({ definition: { parameters: groups } }, report) => {
  parameterGroups.forEach((group) => {
    if (groups[group].has('__proto__'))
      report('FW-PARAM-001', `invalid ${group} parameter name: __proto__`)
  })
  groups.header.forEach((_, name) => {
    if (!Grammar.isToken(name))
      report('FW-PARAM-001', `invalid header name ${JSON.stringify(name)}`)
  })
  groups.cookie.forEach((_, name) => {
    if (/[=;]/.test(name) || name.trim() !== name)
      report('FW-PARAM-001', `invalid cookie name ${JSON.stringify(name)}`)
  })
}

const mediaTypes: Rule = (route, report) => {
  const parts = partsIn(route)
  const bodies = route.definition.bodies.concat(parts)
  const sent = representationsOf(route.definition.produces, route.definition.responses)
  const data = sent.flatMap(dataOf)
  bodies.concat(sent, data).forEach((representation) => {
    if (isMalformed(representation))
      report('FW-MEDIA-001', `invalid media type ${JSON.stringify(representation.mediaType)}`)
    languageErrors(representation).forEach((remedy) => report('FW-MEDIA-001', remedy))
  })
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
  sent.concat(data).forEach(({ mediaType, format }) => {
    const { cannotSend } = bodyFormat(format)
    if (cannotSend !== undefined) report('FW-MEDIA-001', `${mediaType} ${cannotSend}`)
  })
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

/** Returns the representations declared for the form parts of a route. */
const partsIn = ({ definition }: Route): ReadonlyArray<AnyRepresentation> =>
  definition.parameters.form.size === 0
    ? none
    : [...definition.parameters.form.values()].flatMap((part) =>
        isFormPart(part) && part.representation !== undefined ? [part.representation] : [],
      )

/** Returns the representations in `produces` and in all declared responses. */
const representationsOf = (
  produces: ReadonlyArray<AnyRepresentation>,
  declared: ReadonlyArray<DeclaredResponse>,
): ReadonlyArray<AnyRepresentation> => {
  if (declared.length === 0) return produces
  return produces.concat(declared.map(({ representations }) => representations).flat())
}

const entities: Rule = (route, report) => {
  const { produces, responses: declared, bodies } = route.definition
  const { early, request, mappers, entities: providers } = route.chain
  const { readers, writers, xml } = providers
  const filters = early.concat(request)
  const sent = representationsOf(
    produces,
    declared.concat(
      filters.flatMap(({ filter }) => filter.responses),
      mappers.flatMap((level) =>
        level.flatMap((mapper) => (mapper._tag === 'MapError' ? mapper.responses : none)),
      ),
    ),
  )
  entitiesWithoutProvider(bodies.concat(partsIn(route)), readers, xml).forEach((entity) =>
    report('FW-MEDIA-002', `no reader for ${entity}: add one with withReader(…)`),
  )
  entitiesWithoutProvider(sent, writers, xml).forEach((entity) =>
    report('FW-MEDIA-002', `no writer for ${entity}: add one with withWriter(…)`),
  )
}

/** Whether the media type of a representation is malformed. */
export const isMalformed = ({ mediaType }: AnyRepresentation): boolean =>
  parseDeclaredType(mediaType) === undefined

const responses: Rule = ({ definition }, report) => {
  const { responses: declared, produces, headers } = definition
  const produced: ReadonlyArray<DeclaredResponse> =
    produces.length === 0
      ? none
      : [{ status: definition.status ?? 200, failure: false, representations: produces }]
  const all = produced.concat(declared)
  all.forEach(({ status }) => {
    if (!Status.isStatus(status))
      report('FW-RESP-001', `invalid status ${status}: expected an integer from 200 to 999`)
  })
  all.forEach(({ status, representations }) => {
    if (representations.length > 0 && !Status.allowsBody(status))
      report(
        'FW-RESP-001',
        `responses with status ${status} have no body: remove the representation`,
      )
  })
  repeated(all.map(({ status }) => status)).forEach((status) =>
    report('FW-RESP-001', `status ${status} is declared more than once`),
  )
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
  methods,
  verifyTemplate,
  conflicts,
  parameters,
  mediaTypes,
  entities,
  responses,
  hal,
  schemas,
  examples,
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
