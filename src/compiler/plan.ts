/**
 * The plan of an operation: a plain value with its parameters, bodies, handler and responses. It is computed once, when a
 * tree is compiled. `explain` prints it, and the interpreter runs it.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { AnyHandler, ParameterGroup } from '../endpoint/endpoint.ts'
import * as Status from '../http/status.ts'
import type { LinkMode, Attributes } from '../endpoint/internal/attributes.ts'
import { headerName } from '../endpoint/parameters.ts'
import { isFormPart } from '../endpoint/form.ts'
import type { AnyFormPart } from '../endpoint/form.ts'
import type { FilterChain } from './filter-chain.ts'
import type { BodyPlan, ResponsePlan, BodyOptions } from '../body/body-plan.ts'
import {
  groupByStatus,
  bodyPlans,
  formPlan,
  multipartFormPlan,
  responsePlan,
} from '../body/create-body-plans.ts'
import type { ProviderLevels } from '../body/entity/entity-providers.ts'
import type { Route } from './flatten.ts'
import type { Pattern } from '../endpoint/internal/path-pattern.ts'
import { compilePattern } from '../endpoint/internal/path-pattern.ts'

export interface Plan {
  readonly name: string
  readonly method: string
  readonly template: string
  readonly pattern: Pattern
  readonly parameters: Readonly<Record<ParameterGroup, ReadonlyArray<ParameterPlan>>>
  /** The form parts that are not parameters: structured parts and files. */
  readonly parts: ReadonlyArray<PartPlan>
  readonly queryMap: boolean
  /** The alternatives of the body; a form is one of them. */
  readonly bodies: ReadonlyArray<BodyPlan>
  /** The response of handler results without a status. */
  readonly success: ResponsePlan
  /** All declared responses by status. */
  readonly responses: ReadonlyMap<number, ResponsePlan>
  /** The offers of content negotiation: the bodies of all successful responses. */
  readonly offers: ReadonlyArray<BodyPlan>
  readonly headers: ReadonlyArray<string>
  readonly cacheControl: string | undefined
  /** The filters, mappers and providers that apply. */
  readonly chain: FilterChain
  /** The links that responses carry; see `injectLinks`. */
  readonly injectedLinks: InjectedLinks | undefined
  readonly attributes: Attributes
  readonly handler: AnyHandler
}

export interface InjectedLinks {
  readonly mode: LinkMode
  /** The entity of responses that declare none. */
  readonly codec: Codec | undefined
}

export interface ParameterPlan {
  readonly group: ParameterGroup
  /** The key in the handler's input. */
  readonly key: string
  /** The name in the request; header names are in lower case. */
  readonly name: string
  readonly codec: Codec
}

export interface PartPlan {
  /** The key in the handler's input, and the name of the part. */
  readonly key: string
  readonly kind: AnyFormPart['kind']
  readonly isOptional: boolean
  /** The body plan of a structured part. */
  readonly body: BodyPlan | undefined
}

/** Creates the plan of a route without configuration errors. */
export const planOf = ({ name, template, parsed, definition, chain, attributes }: Route): Plan => {
  const groups = definition.parameters
  const spanning = new Set<string>()
  groups.path.forEach((codec, variable) => {
    if (codec._tag === 'SegmentsType') spanning.add(variable)
  })
  const { readers, writers, xml, json } = chain.entities
  const said: BodyOptions = { xml, json }
  const parts = partsOf(groups.form, readers, said)
  const produced = bodyPlans(definition.produces, writers, chain.entities)
  const declared = definition.responses.map(responsePlan(chain.entities))
  const success: ResponsePlan = {
    status: definition.status ?? (produced.length === 0 ? 204 : 200),
    failure: false,
    alternatives: produced,
  }
  // with other declared successes, a result without a status is not a response
  const isDeclared =
    produced.length > 0 ||
    definition.status !== undefined ||
    declared.every(({ failure }) => failure)
  const responses = isDeclared ? [success, ...declared] : declared
  return {
    name,
    method: definition.method ?? '',
    template,
    pattern: compilePattern(isRight(parsed) ? parsed.right : [], spanning),
    parameters: {
      path: parametersOf('path', groups.path),
      query: parametersOf('query', groups.query),
      header: parametersOf('header', groups.header),
      cookie: parametersOf('cookie', groups.cookie),
      matrix: parametersOf('matrix', groups.matrix),
      form: parametersOf('form', fieldsOf(groups.form)),
    },
    parts,
    queryMap: definition.queryMap,
    bodies:
      parts.length > 0
        ? [multipartFormPlan]
        : groups.form.size > 0
          ? [formPlan, multipartFormPlan]
          : bodyPlans(definition.bodies, readers, said),
    success,
    responses: groupByStatus(responses),
    offers: responses.flatMap(({ status, failure, alternatives }) =>
      failure || !Status.isSuccess(status) ? [] : alternatives,
    ),
    headers: definition.headers.flat(),
    cacheControl: definition.cacheControl === '' ? undefined : definition.cacheControl,
    chain,
    injectedLinks: undefined,
    attributes,
    handler: definition.handler ?? (() => undefined),
  }
}

const parametersOf = (
  group: ParameterGroup,
  codecs: ReadonlyMap<string, Codec>,
): ReadonlyArray<ParameterPlan> => {
  if (codecs.size === 0) return none
  const plans: ParameterPlan[] = []
  codecs.forEach((codec, key) => {
    plans.push({ group, key, name: group === 'header' ? headerName(key) : key, codec })
  })
  return plans
}

const none: ReadonlyArray<never> = []

const fieldsOf = (declared: ReadonlyMap<string, Codec>): ReadonlyMap<string, Codec> =>
  declared.size === 0 ? declared : new Map([...declared].filter(([, one]) => !isFormPart(one)))

const partsOf = (
  declared: ReadonlyMap<string, Codec>,
  readers: ProviderLevels<Reader>,
  said: BodyOptions,
): ReadonlyArray<PartPlan> =>
  declared.size === 0
    ? none
    : Array.from(declared, ([key, one]): ReadonlyArray<PartPlan> => {
        if (!isFormPart(one)) return []
        const { kind, isOptional, representation } = one
        const [content] =
          representation === undefined ? none : bodyPlans([representation], readers, said)
        return [{ key, kind, isOptional, body: content }]
      }).flat()
