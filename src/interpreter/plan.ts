/**
 * The plan of an operation: a plain value that says what to extract, decode, call and encode. It is worked out once, when a
 * tree is compiled; `explain` prints it, and what runs an operation reads nothing else.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Codec } from '../codec/codec.ts'
import type { AnyHandler, Group, Response } from '../endpoint/endpoint.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { AnyRepresentation, Format } from '../endpoint/representation.ts'
import * as Template from '../endpoint/template.ts'
import type { Writer } from '../endpoint/writer.ts'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'
import * as Status from '../http/status.ts'
import type { Marks } from '../endpoint/marks.ts'
import type { Chain } from './chain.ts'
import type { Entities, Levels } from './entities.ts'
import { entityOffers, unweighted } from './entity-plan.ts'
import type { Route } from './flatten.ts'
import type { Pattern } from './pattern.ts'
import { patternOf } from './pattern.ts'

export interface Plan {
  readonly name: string
  readonly method: string
  readonly template: string
  readonly pattern: Pattern
  readonly parameters: Readonly<Record<Group, ReadonlyArray<ParameterPlan>>>
  readonly queryMap: boolean
  /** The alternatives of the body; a form is one of them. */
  readonly bodies: ReadonlyArray<ContentPlan>
  /** What bare values are sent as. */
  readonly success: ResponsePlan
  /** All declared responses by status. */
  readonly responses: ReadonlyMap<number, ResponsePlan>
  /** What is negotiated with `Accept`: the contents of all successful responses. */
  readonly offers: ReadonlyArray<ContentPlan>
  readonly headers: ReadonlyArray<string>
  readonly cacheControl: string | undefined
  /** What stands around it. */
  readonly chain: Chain
  readonly marks: Marks
  readonly handler: AnyHandler
}

export interface ParameterPlan {
  readonly group: Group
  /** The key in the handler's input. */
  readonly key: string
  /** The name in the request; header names are in lower case. */
  readonly name: string
  readonly codec: Codec
}

export interface ContentPlan {
  readonly mediaType: MediaType.MediaType
  /** The server's own weight. */
  readonly quality: Quality.Quality
  /** The text of `Content-Type`; for a range, the negotiated type is sent instead. */
  readonly contentType: string
  readonly format: BuiltInFormat | ProvidedFormat
}

/** What the engine reads and writes itself. */
export type BuiltInFormat = Exclude<Format, { readonly _tag: 'Entity' }> | { readonly _tag: 'Form' }

/** What a reader or writer of the application's own takes care of. */
export interface ProvidedFormat {
  readonly _tag: 'Provider'
  readonly codec: Codec
  readonly by: Reader | Writer
}

export interface ResponsePlan {
  readonly status: number
  /** Whether a `Left` may find its way here. */
  readonly failure: boolean
  readonly alternatives: ReadonlyArray<ContentPlan>
}

/** The plan of a route in which `verify` found no mistake. */
export const planOf = ({ name, template, definition, chain, marks }: Route): Plan => {
  const parsed = Template.parse(template)
  const groups = definition.parameters
  const spanning = new Set<string>()
  groups.path.forEach((codec, variable) => {
    if (codec._tag === 'SegmentsType') spanning.add(variable)
  })
  const { readers, writers } = chain.entities
  const produced = contentsOf(definition.produces, writers)
  const declared = definition.responses.map(responsePlan(writers))
  const success: ResponsePlan = {
    status: definition.status ?? (produced.length === 0 ? 204 : 200),
    failure: false,
    alternatives: produced,
  }
  // where other successes are declared, nothing is produced by a bare value
  const isDeclared =
    produced.length > 0 ||
    definition.status !== undefined ||
    declared.every(({ failure }) => failure)
  const responses = isDeclared ? [success, ...declared] : declared
  return {
    name,
    method: definition.method ?? '',
    template,
    pattern: patternOf(isRight(parsed) ? parsed.right : [], spanning),
    parameters: {
      path: parametersOf('path', groups.path),
      query: parametersOf('query', groups.query),
      header: parametersOf('header', groups.header),
      cookie: parametersOf('cookie', groups.cookie),
      matrix: parametersOf('matrix', groups.matrix),
      form: parametersOf('form', groups.form),
    },
    queryMap: definition.queryMap,
    bodies: groups.form.size > 0 ? [form] : contentsOf(definition.bodies, readers),
    success,
    responses: byStatus(responses),
    offers: responses.flatMap(({ status, failure, alternatives }) =>
      failure || !Status.isSuccess(status) ? [] : alternatives,
    ),
    headers: definition.headers.flat(),
    cacheControl: definition.cacheControl === '' ? undefined : definition.cacheControl,
    chain,
    marks,
    handler: definition.handler ?? (() => undefined),
  }
}

const parametersOf = (
  group: Group,
  codecs: ReadonlyMap<string, Codec>,
): ReadonlyArray<ParameterPlan> =>
  codecs.size === 0
    ? none
    : Array.from(codecs, ([key, codec]) => ({
        group,
        key,
        name: group === 'header' ? fieldName(key) : key,
        codec,
      }))

const none: ReadonlyArray<never> = []

/** `userAgent` is `user-agent`; a name that is written with hyphens or capitals throughout stays what it is. */
const fieldName = (key: string): string =>
  (/^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(key)
    ? key.replaceAll(/[A-Z]/g, '-$&')
    : key
  ).toLowerCase()

const form: ContentPlan = {
  mediaType: { type: 'application', subtype: 'x-www-form-urlencoded', parameters: [] },
  quality: Quality.mostPreferred,
  contentType: 'application/x-www-form-urlencoded',
  format: { _tag: 'Form' },
}

const responsePlan =
  (writers: Levels<Writer>) =>
  ({ status, failure, representations }: Response): ResponsePlan => ({
    status,
    failure,
    alternatives: contentsOf(representations, writers),
  })

/** Declared answers as plans. */
export const responsesByStatus = (
  responses: ReadonlyArray<Response>,
  { writers }: Entities,
): ReadonlyMap<number, ResponsePlan> => byStatus(responses.map(responsePlan(writers)))

/** In the order in which they were declared; of several with one status the first counts. */
const byStatus = (responses: ReadonlyArray<ResponsePlan>): ReadonlyMap<number, ResponsePlan> =>
  responses.reduce(
    (known, response) =>
      known.has(response.status) ? known : known.set(response.status, response),
    new Map<number, ResponsePlan>(),
  )

const contentsOf = (
  representations: ReadonlyArray<AnyRepresentation>,
  providers: Levels<Reader | Writer>,
): ReadonlyArray<ContentPlan> =>
  representations.flatMap(({ mediaType, format }) => {
    const parsed = MediaType.parse(mediaType)
    if (O.isNone(parsed)) return []
    const qs = O.toUndefined(MediaType.parameter(parsed.value, 'qs'))
    const own = unweighted(parsed.value)
    const weight = qs === undefined ? O.none : Quality.parse(qs)
    const quality = O.isSome(weight) ? weight.value : Quality.mostPreferred
    if (format._tag === 'Entity')
      return entityOffers(format.codec, own, providers).map((offer) => ({
        ...offer,
        quality,
        contentType: contentType(MediaType.format(offer.mediaType), offer.mediaType),
      }))
    return [
      {
        mediaType: own,
        quality,
        contentType: contentType(qs === undefined ? mediaType : MediaType.format(own), own),
        format,
      },
    ]
  })

/** Text says that it is UTF-8; JSON has no other encoding and says nothing (RFC 8259, 11). */
export const contentType = (written: string, mediaType: MediaType.MediaType): string =>
  mediaType.type === 'text' && O.isNone(MediaType.parameter(mediaType, 'charset'))
    ? `${written};charset=UTF-8`
    : written
