/** Looks for mistakes in each route by itself. What two routes do to each other is seen by `site.ts`. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Response } from '../endpoint/endpoint.ts'
import { isFormPart } from '../endpoint/form-part.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import * as Template from '../endpoint/template.ts'
import * as Grammar from '../http/grammar.ts'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'
import * as Status from '../http/status.ts'
import * as Backtracking from '../codec/backtracking/backtracking.ts'
import { unserved } from './entity-plan.ts'
import type { Route } from './flatten.ts'
import type { Code, Mistake } from './mistake.ts'
import { composed } from './pattern.ts'
import { halObjections } from './verify-hal.ts'

/** Everything that is wrong with a route. */
export const verify = (route: Route): ReadonlyArray<Mistake> =>
  [
    complete,
    template,
    contradictions,
    parameters,
    mediaTypes,
    entities,
    responses,
    needs,
    hal,
  ].flatMap((rule) => rule(route))

type Rule = (route: Route) => ReadonlyArray<Mistake>

/** How a mistake names a route. */
export const title = ({ name, template: path, definition }: Route): string =>
  `${definition.method ?? '(no method)'} ${path}  (${name})`

const mistake =
  (code: Code, route: Route) =>
  (remedy: string): Mistake => ({ code, concerns: [title(route)], remedy })

const complete: Rule = (route) => {
  const { method, handler } = route.definition
  return [
    ...(method === undefined ? ['give it a method: get(), post(), …'] : []),
    ...(method !== undefined && !Grammar.isToken(method)
      ? [`${JSON.stringify(method)} is not a method: use a token`]
      : []),
    ...(handler === undefined ? ['give it a handler: handle(…)'] : []),
  ].map(mistake('FW-ROUTE-004', route))
}

const template: Rule = (route) => {
  const parsed = Template.parse(route.template)
  if (isLeft(parsed)) return [mistake('FW-ROUTE-001', route)(parsed.left)]
  const own = Template.variables(parsed.right).flatMap(({ name, regex }) =>
    regex === undefined ? [] : objections(`{${name}:${regex}}`, regex),
  )
  // expressions that are harmless one by one can still share out a text among themselves in too many ways
  const found =
    own.length > 0
      ? own
      : composed(parsed.right).flatMap((source) => objections(route.template, source))
  return found.map(mistake('FW-ROUTE-003', route))
}

const objections = (written: string, source: string): ReadonlyArray<string> =>
  O.match(
    () => [],
    (found: Backtracking.Objection) => [`${written}: ${Backtracking.format(found)}`],
  )(Backtracking.objection(source))

const contradictions: Rule = (route) => {
  const { parameters: groups, bodies, method } = route.definition
  return [
    ...route.definition.contradictions,
    ...(groups.form.size > 0 && bodies.length > 0
      ? ['it has a form and a body: declare one of them']
      : []),
    ...(groups.form.size > 0 && (method === 'GET' || method === 'HEAD')
      ? [`${method} requests have no form`]
      : []),
  ].map(mistake('FW-ROUTE-005', route))
}

const parameters: Rule = (route) => {
  const groups = route.definition.parameters
  return [
    ...Object.entries(groups)
      .filter(([, codecs]) => codecs.has('__proto__'))
      .map(([group]) =>
        mistake('FW-PARAM-001', route)(`a ${group} parameter cannot be called __proto__`),
      ),
    ...[...groups.header.keys()]
      .filter((name) => !Grammar.isToken(name))
      .map((name) =>
        mistake('FW-PARAM-001', route)(`${JSON.stringify(name)} is not the name of a header field`),
      ),
  ]
}

const mediaTypes: Rule = (route) => {
  const { produces, responses: declared } = route.definition
  const bodies = readIn(route)
  const sent = [...produces, ...declared.flatMap(({ representations }) => representations)]
  const wrong = mistake('FW-MEDIA-001', route)
  return [
    ...[...bodies, ...sent]
      .filter(isMalformed)
      .map(({ mediaType }) => wrong(`${JSON.stringify(mediaType)} is not a media type`)),
    ...bodies
      .filter(({ format }) => format._tag === 'Custom' && format.read === undefined)
      .map(({ mediaType }) => wrong(`${mediaType} has no read function, so it cannot be a body`)),
    ...bodies
      .filter(({ format }) => onlySent.has(format._tag))
      .map(({ mediaType }) => wrong(`${mediaType} is only sent, so it cannot be a body`)),
    ...partsIn(route)
      .filter(({ format }) => noPart.has(format._tag))
      .map(({ mediaType }) => wrong(`${mediaType} in pieces cannot be a part of a form`)),
    ...sent
      .filter(({ format }) => onlyReceived.has(format._tag))
      .map(({ mediaType }) =>
        wrong(`${mediaType} is only received this way, so it cannot be sent`),
      ),
    ...sent
      .filter(({ format }) => format._tag === 'Custom' && format.write === undefined)
      .map(({ mediaType }) => wrong(`${mediaType} has no write function, so it cannot be sent`)),
  ]
}

const hal: Rule = (route) => {
  const { produces, responses: declared } = route.definition
  const sent = [...produces, ...declared.flatMap(({ representations }) => representations)]
  return halObjections(sent, readIn(route)).map(mistake('FW-HAL-001', route))
}

/** What is no body: a request says these in forms of its own. */
const onlySent: ReadonlySet<AnyRepresentation['format']['_tag']> = new Set([
  'JsonStream',
  'TextStream',
  'EventStream',
  'File',
  'MultipartOutput',
])

const onlyReceived: ReadonlySet<AnyRepresentation['format']['_tag']> = new Set([
  'FileBody',
  'MultipartInput',
  'MultipartStream',
])

/** What is never there as a whole. */
const noPart: ReadonlySet<AnyRepresentation['format']['_tag']> = new Set([
  ...onlySent,
  ...onlyReceived,
  'ByteStream',
])

/** What is read as a body, or as a part of one. */
const readIn = (route: Route): ReadonlyArray<AnyRepresentation> => [
  ...route.definition.bodies,
  ...partsIn(route),
]

const partsIn = ({ definition }: Route): ReadonlyArray<AnyRepresentation> =>
  [...definition.parameters.form.values()].flatMap((one) =>
    isFormPart(one) && one.representation !== undefined ? [one.representation] : [],
  )

const entities: Rule = (route) => {
  const { produces, responses: declared } = route.definition
  const { early, request, mappers, entities: around } = route.chain
  const { readers, writers } = around
  const answering = [
    ...[...early, ...request].map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ]
  const answers = [...declared, ...answering.flatMap((one) => one.responses)]
  const sent = [...produces, ...answers.flatMap(({ representations }) => representations)]
  return [
    ...unserved(readIn(route), readers).map(
      (one) => `nothing reads ${one}: put a reader around it with withReader(…)`,
    ),
    ...unserved(sent, writers).map(
      (one) => `nothing writes ${one}: put a writer around it with withWriter(…)`,
    ),
  ].map(mistake('FW-MEDIA-002', route))
}

/** Whether the media type of a representation cannot be read. */
export const isMalformed = ({ mediaType }: AnyRepresentation): boolean => {
  const parsed = MediaType.parse(mediaType)
  if (O.isNone(parsed)) return true
  const qs = MediaType.parameter(parsed.value, 'qs')
  return O.isSome(qs) && O.isNone(Quality.parse(qs.value))
}

const responses: Rule = (route) => {
  const { definition } = route
  const { responses: declared, produces, headers } = definition
  const produced: ReadonlyArray<Response> =
    produces.length === 0
      ? []
      : [{ status: definition.status ?? 200, failure: false, representations: produces }]
  const all = [...produced, ...declared]
  const statuses = all.map(({ status }) => status)
  const twice = new Set(statuses.filter((status, index) => statuses.indexOf(status) !== index))
  return [
    ...all
      .filter(({ status }) => !Status.isStatus(status))
      .map(({ status }) => `${status} is not a status: use an integer from 200 to 999`),
    ...all
      .filter(
        ({ status, representations }) => representations.length > 0 && !Status.hasContent(status),
      )
      .map(
        ({ status }) =>
          `a response with status ${status} has no content: declare it without a representation`,
      ),
    ...[...twice].map((status) => `the status ${status} is declared more than once`),
    ...headers
      .filter(([name, value]) => !Grammar.isToken(name) || !Grammar.isFieldValue(value))
      .map(([name]) => `the header field ${JSON.stringify(name)} cannot be sent as it is written`),
  ].map(mistake('FW-RESP-001', route))
}

const needs: Rule = (route) => {
  const { needs: own, early, request } = route.chain
  return [own, ...[...early, ...request].map((step) => step.needs)]
    .flat()
    .filter(({ source }) => source === undefined)
    .map(({ key }) =>
      mistake(
        'FW-NEED-001',
        route,
      )(`fill the slot "${key}" with provide({ ${key}: … }), or with a filter that runs before`),
    )
}
