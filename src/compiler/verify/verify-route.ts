/** Verifies routes one by one. `path-groups.ts` finds conflicts between routes. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ParameterGroup, DeclaredResponse } from '../../endpoint/endpoint.ts'
import { isFormPart } from '../../endpoint/form.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import * as Template from '../../endpoint/internal/path-template.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Status from '../../http/status.ts'
import * as RedosCheck from '../../regex-safety/redos-check.ts'
import { schemasIn } from '../../codec/visibility/restrictions.ts'
import { charsetErrors } from '../../body/text/charset.ts'
import { parseDeclaredType } from '../../body/declared-type.ts'
import { entitiesWithoutProvider } from '../../body/entity/entity-plan.ts'
import { codecsOf } from '../nested-representations.ts'
import { receivedRepresentations, sentRepresentations } from '../operation-representations.ts'
import type { Route } from '../flatten.ts'
import type {
  ConfigurationErrorCode,
  Mistake,
} from '../../endpoint/internal/configuration-error.ts'
import { splitSegments, compositeExpressions } from '../../endpoint/internal/path-pattern.ts'
import { maxSpannedSegments } from '../path-groups.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { halErrors } from './verify-hal.ts'

/**
 * Returns the configuration errors of a route. Rules report errors by a callback: returning empty lists caused a third of
 * the allocations of compiling a tree.
 */
export const verifyRoute = (route: Route): ReadonlyArray<Mistake> => {
  const found: Mistake[] = []
  const wrong: Wrong = (code, remedy) => {
    found.push({ code, concerns: [routeTitle(route)], remedy })
  }
  rules.forEach((rule) => rule(route, wrong))
  return found
}

/** Reports a configuration error of the route. */
type Wrong = (code: ConfigurationErrorCode, remedy: string) => void

type Rule = (route: Route, wrong: Wrong) => void

/** Returns the title of a route in configuration errors. */
export const routeTitle = ({ name, template: path, definition }: Route): string =>
  `${definition.method ?? '(no method)'} ${path}  (${name})`

const complete: Rule = ({ definition: { method, handler } }, wrong) => {
  if (method === undefined) wrong('FW-ROUTE-004', 'declare a method: get(), post(), …')
  else if (!Grammar.isToken(method))
    wrong('FW-ROUTE-004', `invalid method ${JSON.stringify(method)}: expected a token`)
  if (handler === undefined) wrong('FW-ROUTE-004', 'declare a handler: handle(…)')
}

const template: Rule = (route, wrong) => {
  const { template: path, parsed } = route
  const { parameters: groups } = route.definition
  if (isLeft(parsed)) return wrong('FW-ROUTE-001', parsed.left)
  if (!parsed.right.some((part) => part._tag === 'Variable')) return
  const segments = splitSegments(parsed.right)
  const spanning = segments.map((parts) =>
    parts.some(
      (part) =>
        part._tag === 'Variable' &&
        (part.regex !== undefined || groups.path.get(part.name)?._tag === 'SegmentsType'),
    ),
  )
  segments.forEach((parts, index) => {
    const isLast = index === segments.length - 1
    const ends = !spanning[index] ? 1 : isLast ? 2 : maxSpannedSegments
    const times = spanning.slice(0, index).includes(true) ? ends * maxSpannedSegments : ends
    const own = Template.variables(parts).flatMap(({ name, regex }) =>
      regex === undefined ? none : objections(`{${name}:${regex}}`, regex, times),
    )
    // several safe expressions in one segment can be ambiguous in combination
    const found =
      own.length > 0
        ? own
        : compositeExpressions(parts).flatMap((source) => objections(path, source, times))
    found.forEach((objection) => wrong('FW-ROUTE-003', objection))
  })
}

const none: ReadonlyArray<never> = []

/** Returns the ReDoS risks of an expression that a request matches against up to `times` strings. */
const objections = (written: string, source: string, times: number): ReadonlyArray<string> =>
  O.match(
    () => [],
    (found: RedosCheck.RegexDiagnostic) => [
      `${written}: ${RedosCheck.remedy(found)}${RedosCheck.format(found)}`,
    ],
  )(RedosCheck.checkTemplate(source, times))

const conflicts: Rule = ({ definition }, wrong) => {
  const { parameters: groups, bodies, method } = definition
  definition.conflicts.forEach((sentence) => wrong('FW-ROUTE-005', sentence))
  if (groups.form.size > 0 && bodies.length > 0)
    wrong('FW-ROUTE-005', 'declared with a form and a body: keep one')
  if (groups.form.size > 0 && (method === 'GET' || method === 'HEAD'))
    wrong('FW-ROUTE-005', `${method} requests cannot have a form`)
}

const kinds: ReadonlyArray<ParameterGroup> = ['path', 'query', 'header', 'cookie', 'matrix', 'form']

const parameters: Rule = ({ definition: { parameters: groups } }, wrong) => {
  kinds.forEach((group) => {
    if (groups[group].has('__proto__'))
      wrong('FW-PARAM-001', `invalid name of a ${group} parameter: __proto__`)
  })
  groups.header.forEach((_, name) => {
    if (!Grammar.isToken(name)) wrong('FW-PARAM-001', `invalid header name ${JSON.stringify(name)}`)
  })
}

const mediaTypes: Rule = (route, wrong) => {
  const parts = partsIn(route)
  const bodies = route.definition.bodies.concat(parts)
  const sent = representationsOf(route.definition.produces, route.definition.responses)
  const data = sent.flatMap(dataOf)
  bodies.concat(sent, data).forEach((one) => {
    if (isMalformed(one))
      wrong('FW-MEDIA-001', `invalid media type ${JSON.stringify(one.mediaType)}`)
  })
  const fixed = contentTypeIn(route.definition.headers)
  const typed = fixed === undefined ? sent : sent.map((one) => ({ ...one, mediaType: fixed }))
  charsetErrors(typed).forEach((remedy) => wrong('FW-MEDIA-001', remedy))
  bodies.forEach(({ mediaType, format }) => {
    const { cannotReceive } = bodyFormat(format)
    if (cannotReceive !== undefined) wrong('FW-MEDIA-001', `${mediaType} ${cannotReceive}`)
  })
  parts.forEach(({ mediaType, format }) => {
    if (bodyFormat(format).isStreamed)
      wrong('FW-MEDIA-001', `${mediaType} is streamed, so it cannot be a part of a form`)
  })
  sent.concat(data).forEach(({ mediaType, format }) => {
    const { cannotSend } = bodyFormat(format)
    if (cannotSend !== undefined) wrong('FW-MEDIA-001', `${mediaType} ${cannotSend}`)
  })
  data.forEach(({ mediaType, format }) => {
    if (!bodyFormat(format).isTextual)
      wrong('FW-MEDIA-001', `${mediaType} is not text, so it cannot be the data of events`)
  })
}

/** The `Content-Type` that an operation declares for all of its responses. */
const contentTypeIn = (
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): string | undefined => headers.findLast(([name]) => name.toLowerCase() === 'content-type')?.[1]

/** The representations of the data of events. */
const dataOf = ({ format }: AnyRepresentation): ReadonlyArray<AnyRepresentation> =>
  format._tag === 'EventStream' ? bodyFormat(format).nested : none

const hal: Rule = (route, wrong) => {
  halErrors(sentRepresentations(route), receivedRepresentations(route)).forEach((sentence) =>
    wrong('FW-HAL-001', sentence),
  )
}

/** Returns the representations of form parts. */
const partsIn = ({ definition }: Route): ReadonlyArray<AnyRepresentation> =>
  definition.parameters.form.size === 0
    ? none
    : [...definition.parameters.form.values()].flatMap((one) =>
        isFormPart(one) && one.representation !== undefined ? [one.representation] : [],
      )

/** Returns the representations of all responses. */
const representationsOf = (
  produces: ReadonlyArray<AnyRepresentation>,
  answers: ReadonlyArray<DeclaredResponse>,
): ReadonlyArray<AnyRepresentation> => {
  if (answers.length === 0) return produces
  return produces.concat(answers.map(({ representations }) => representations).flat())
}

const entities: Rule = (route, wrong) => {
  const { produces, responses: declared, bodies } = route.definition
  const { early, request, mappers, entities: around } = route.chain
  const { readers, writers, xml } = around
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
  entitiesWithoutProvider(bodies.concat(partsIn(route)), readers, xml).forEach((one) =>
    wrong('FW-MEDIA-002', `no reader for ${one}: add one with withReader(…)`),
  )
  entitiesWithoutProvider(sent, writers, xml).forEach((one) =>
    wrong('FW-MEDIA-002', `no writer for ${one}: add one with withWriter(…)`),
  )
}

/** Whether the media type of a representation is malformed. */
export const isMalformed = ({ mediaType }: AnyRepresentation): boolean =>
  parseDeclaredType(mediaType) === undefined

const responses: Rule = ({ definition }, wrong) => {
  const { responses: declared, produces, headers } = definition
  const produced: ReadonlyArray<DeclaredResponse> =
    produces.length === 0
      ? none
      : [{ status: definition.status ?? 200, failure: false, representations: produces }]
  const all = produced.concat(declared)
  all.forEach(({ status }) => {
    if (!Status.isStatus(status))
      wrong('FW-RESP-001', `invalid status ${status}: expected an integer from 200 to 999`)
  })
  all.forEach(({ status, representations }) => {
    if (representations.length > 0 && !Status.allowsBody(status))
      wrong(
        'FW-RESP-001',
        `responses with status ${status} have no body: remove the representation`,
      )
  })
  repeated(all.map(({ status }) => status)).forEach((status) =>
    wrong('FW-RESP-001', `the status ${status} is declared more than once`),
  )
  headers.forEach(([name, value]) => {
    if (!Grammar.isToken(name) || !Grammar.isHeaderValue(value))
      wrong('FW-RESP-001', `invalid header ${JSON.stringify(name)}`)
  })
}

/** Returns the statuses that occur more than once. */
const repeated = (statuses: ReadonlyArray<number>): ReadonlySet<number> =>
  new Set(statuses.filter((status, index) => statuses.indexOf(status) !== index))

const needs: Rule = ({ chain: { needs: own, early, request } }, wrong) => {
  const filtering = early.concat(request).flatMap((step) => step.needs)
  own.concat(filtering).forEach(({ key, source }) => {
    if (source === undefined)
      wrong(
        'FW-NEED-001',
        `provide slot "${key}" with provide({ ${key}: … }) or from an earlier filter`,
      )
  })
}

/** Schemas of other libraries that would send undeclared members. */
const schemas: Rule = (route, wrong) => {
  const sent = sentRepresentations(route).flatMap(({ format }) => codecsOf(format))
  new Set(sent.flatMap(schemasIn)).forEach(({ name, keepsUndeclared }) => {
    if (keepsUndeclared())
      wrong(
        'FW-RESP-001',
        `the ${name} schema keeps undeclared members: give standard a function that returns the declared ones`,
      )
  })
}

const rules: ReadonlyArray<Rule> = [
  complete,
  template,
  conflicts,
  parameters,
  mediaTypes,
  entities,
  responses,
  needs,
  hal,
  schemas,
]
