/** An operation of a contract in its place, and what is wrong with it for a client. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import type { ContentPlan, ResponsePlan, Said } from '../body/content-plan.ts'
import { contentsOf } from '../body/contents.ts'
import type { Entities } from '../body/entity/entities.ts'
import { entitiesOf, isConcerned } from '../body/entity/entities.ts'
import { unserved } from '../body/entity/entity-plan.ts'
import { unwritableCharsets } from '../body/text/declared-charset.ts'
import { declaredType } from '../body/declared-type.ts'
import type { Definition, DeclaredResponse } from '../endpoint/endpoint.ts'
import { mergeAttributes } from '../endpoint/internal/attributes.ts'
import type { ConfigurationErrorCode, Mistake } from '../endpoint/internal/configuration-error.ts'
import type { TreeScope } from '../endpoint/internal/tree-scope.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import { join, parse, variables } from '../endpoint/internal/path-template.ts'
import type { Template } from '../endpoint/internal/path-template.ts'
import * as Grammar from '../http/grammar.ts'
import type { OperationInfo } from './exchange.ts'

/** What a client reads off an endpoint: no handler, and nothing of what runs around it. */
export interface Operation {
  readonly info: OperationInfo
  readonly template: Template
  readonly definition: Definition
  readonly entities: Entities
  readonly bodies: ReadonlyArray<ContentPlan>
  /** All declared answers by status; `failure` says that one is on the left. */
  readonly responses: ReadonlyMap<number, AnswerPlan>
}

export interface AnswerPlan extends ResponsePlan {
  /** Whether one who declares it declares no content. */
  readonly mayBeEmpty: boolean
  /** What the value is without a content. */
  readonly nothing: null | undefined
}

/** An operation, or all of its mistakes. */
export const operationOf = (
  definition: Definition,
  place: TreeScope,
): E.Either<ReadonlyArray<Mistake>, Operation> => {
  const marks = mergeAttributes(place.attributes, definition.attributes)
  const name = place.keys.join('.')
  const template = join(place.path, definition.template) || '/'
  const info: OperationInfo = Object.freeze({ name, template, method: definition.method ?? '' })
  const entities = {
    ...entitiesOf('client', place.providers, (one) => isConcerned(one, info, marks.names)),
    xml: marks.xml,
    json: marks.json,
  }
  const around = answersAround(place, info, marks.names)
  const mistakes: Mistake[] = []
  const wrong = (code: ConfigurationErrorCode, remedy: string): void => {
    mistakes.push({
      code,
      concerns: [`${info.method || '(no method)'} ${template}  (${name})`],
      remedy,
    })
  }
  const parsed = parse(template)
  if (E.isLeft(parsed)) wrong('FW-ROUTE-001', parsed.left)
  else unreadable(parsed.right).forEach((sentence) => wrong('FW-ROUTE-003', sentence))
  if (definition.method === undefined) wrong('FW-ROUTE-004', 'give it a method: get(), post(), …')
  else if (!Grammar.isToken(definition.method))
    wrong('FW-ROUTE-004', `${JSON.stringify(definition.method)} is not a method: use a token`)
  const method = definition.method ?? ''
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method))
    wrong('FW-CLIENT-002', `fetch does not send ${method} requests`)
  if (/^(?:GET|HEAD)$/i.test(method) && definition.bodies.length > 0)
    wrong('FW-CLIENT-002', `fetch sends no content with ${method}`)
  definition.conflicts.forEach((sentence) => wrong('FW-ROUTE-005', sentence))
  for (const key of definition.parameters.cookie.keys())
    if (!Grammar.isToken(key))
      wrong('FW-PARAM-001', `${JSON.stringify(key)} is not the name of a cookie`)
  for (const key of definition.parameters.header.keys())
    if (!Grammar.isToken(key))
      wrong('FW-PARAM-001', `${JSON.stringify(key)} is not the name of a header field`)
  const received = [
    ...definition.produces,
    ...[...definition.responses, ...around].flatMap((one) => one.representations),
  ]
  for (const { mediaType } of [...definition.bodies, ...received])
    if (declaredType(mediaType) === undefined)
      wrong('FW-MEDIA-001', `${JSON.stringify(mediaType)} is not a media type`)
  unwritableCharsets(definition.bodies).forEach((remedy) => wrong('FW-MEDIA-001', remedy))
  unserved(definition.bodies, entities.writers, marks.xml).forEach((one) =>
    wrong('FW-MEDIA-002', `nothing writes ${one}: put a writer around it with withWriter(…)`),
  )
  unserved(received, entities.readers, marks.xml).forEach((one) =>
    wrong('FW-MEDIA-002', `nothing reads ${one}: put a reader around it with withReader(…)`),
  )
  for (const { format } of [...definition.bodies, ...received])
    if (format._tag === 'Xml')
      format.document.mistakes().forEach((sentence) => wrong('FW-XML-001', sentence))
  if (E.isLeft(parsed) || mistakes.length > 0) return E.left(mistakes)
  const said: Said = { xml: marks.xml, json: marks.json }
  return E.right({
    info,
    template: parsed.right,
    definition,
    entities,
    bodies: usable('write', contentsOf(definition.bodies, entities.writers, said)),
    responses: responsesOf(definition, around, (representations) =>
      usable('read', contentsOf(representations, entities.readers, said)),
    ),
  })
}

/** A representation of the application's own that lacks a direction is left to others, as long as there is another one. */
const usable = (
  direction: 'read' | 'write',
  contents: ReadonlyArray<ContentPlan>,
): ReadonlyArray<ContentPlan> => {
  const fit = contents.filter(
    ({ format }) => format._tag !== 'Custom' || format[direction] !== undefined,
  )
  return fit.length === 0 ? contents : fit
}

/** What is wrong with the expressions of a template; one that no client has to fear may still be too slow for a server. */
const unreadable = (template: Template): ReadonlyArray<string> =>
  variables(template).flatMap(({ name, regex = '' }) => {
    try {
      void new RegExp(regex, 'u')
      return []
    } catch (error) {
      return [`{${name}:${regex}}: ${reason(error)}`]
    }
  })

/** What the engine says behind the expression. */
const reason = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)

/** The answers that filters and mappers declare. */
const answersAround = (
  { layers, mappers }: TreeScope,
  info: OperationInfo,
  names: ReadonlyArray<string>,
): ReadonlyArray<DeclaredResponse> => [
  ...layers.flatMap((one) =>
    one._tag === 'Filter' &&
    one.filter._tag !== 'ResponseFilter' &&
    isConcerned(one.filter, info, names)
      ? one.filter.responses
      : [],
  ),
  ...mappers.flat().flatMap((mapper) => (mapper._tag === 'MapError' ? mapper.responses : [])),
]

/** The operation's own come first; where others have one of its statuses, their contents are alternatives of it. */
const responsesOf = (
  { method, produces, status, responses }: Definition,
  around: ReadonlyArray<DeclaredResponse>,
  contents: (representations: ReadonlyArray<AnyRepresentation>) => ReadonlyArray<ContentPlan>,
): ReadonlyMap<number, AnswerPlan> => {
  const isDeclared =
    produces.length > 0 || status !== undefined || responses.every(({ failure }) => failure)
  const usual: DeclaredResponse = {
    status: status ?? (produces.length === 0 ? 204 : 200),
    failure: false,
    representations: produces,
  }
  const byStatus = new Map<number, AnswerPlan>()
  for (const one of [...(isDeclared ? [usual] : []), ...responses, ...around]) {
    const before = byStatus.get(one.status)
    byStatus.set(one.status, {
      status: one.status,
      failure: before?.failure ?? one.failure,
      alternatives: [...(before?.alternatives ?? []), ...contents(one.representations)],
      mayBeEmpty: before?.mayBeEmpty === true || one.representations.length === 0,
      nothing: undefined,
    })
  }
  const whole = method === 'GET' && isDeclared ? byStatus.get(200) : undefined
  const files = whole?.alternatives.filter(({ format }) => format._tag === 'File') ?? []
  // the server sends what is asked for of a file by ranges
  if (whole?.failure === false && files.length > 0 && !byStatus.has(206))
    byStatus.set(206, { ...whole, status: 206, alternatives: files, mayBeEmpty: false })
  const nothing = isDeclared && !byStatus.has(204) ? nothingOf(produces) : undefined
  if (nothing !== undefined) byStatus.set(204, nothing)
  return byStatus
}

/** A server that is given nothing to send says so by the status, where the values that it produces may be nothing. */
const nothingOf = (produces: ReadonlyArray<AnyRepresentation>): AnswerPlan | undefined => {
  const reads = (value: null | undefined): boolean =>
    produces.some(
      ({ format }) =>
        'codec' in format && format.codec !== undefined && isRead(format.codec, value),
    )
  const nothing = reads(undefined) ? [undefined] : reads(null) ? [null] : []
  return nothing.length === 0
    ? undefined
    : { status: 204, failure: false, alternatives: [], mayBeEmpty: true, nothing: nothing[0] }
}

/** A codec of the application's own may throw for what it does not take. */
const isRead = (codec: Codec, value: unknown): boolean => {
  try {
    return E.isRight(codec.decode(value))
  } catch {
    return false
  }
}
