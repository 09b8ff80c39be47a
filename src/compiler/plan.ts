/**
 * Creates the plan for an operation. A plan is a plain object that describes parameters, bodies, the handler and responses. It is
 * computed once, when the tree is compiled. The interpreter executes plans, and `describeRoutes` describes them as text.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import type { Reader } from '../endpoint/reader.ts'
import type {
  AnyHandler,
  DeclaredPreconditions,
  DeclaredResponse,
  ParameterGroup,
} from '../endpoint/endpoint.ts'
import type { Headers } from '../http/headers.ts'
import * as Status from '../http/status.ts'
import type { LinkMode, Attributes } from '../endpoint/definition/attributes.ts'
import { defaultResponse } from '../endpoint/internal/default-response.ts'
import { headersOf } from '../endpoint/internal/response-headers.ts'
import { headerName } from '../endpoint/definition/header-name.ts'
import { isFormPart, requiresMultipart } from '../endpoint/body.ts'
import type { AnyFormPart } from '../endpoint/body.ts'
import type { FilterChain } from './filter-chain.ts'
import type { BodyPlan, ResponsePlan, BodyOptions } from '../body/body-plan.ts'
import {
  groupByStatus,
  bodyPlans,
  formPlan,
  multipartFormPlan,
  responsePlan,
} from '../body/create-body-plans.ts'
import type { ProviderLevels } from '../body/entity-plan.ts'
import type { Route } from './flatten.ts'
import type { Pattern } from '../endpoint/definition/path-pattern.ts'
import { compilePattern } from '../endpoint/definition/path-pattern.ts'
import type { TreeOperation } from '../endpoint/tree/tree-operations.ts'
import { codecOfSlot, withPrefixCodecs } from '../endpoint/tree/prefix-variables.ts'

/** The plan for an operation. It contains everything that the interpreter needs to process requests. */
export interface Plan {
  readonly name: string
  /** The operation as declared, from which clients for calls within the process are created. */
  readonly source: TreeOperation
  readonly method: string
  readonly template: string
  readonly pattern: Pattern
  readonly parameters: Readonly<Record<ParameterGroup, ReadonlyArray<ParameterPlan>>>
  /**
   * The variables in the path prefixes of the enclosing trees. They fill slots, and are not part of the handler's input. The key of
   * each parameter is the key of its slot.
   */
  readonly prefixParameters: ReadonlyArray<ParameterPlan>
  /** The form parts that are not parameters, such as structured parts, files and maps of all fields. */
  readonly parts: ReadonlyArray<PartPlan>
  /** Whether the handler receives all query parameters as a map. */
  readonly queryMap: boolean
  /** The representations accepted as request bodies, including forms. */
  readonly bodies: ReadonlyArray<BodyPlan>
  /** The response for handler results that do not specify a status. */
  readonly success: ResponsePlan
  /** All declared responses, keyed by status code. */
  readonly responses: ReadonlyMap<number, ResponsePlan>
  /** The bodies of all successful responses. Content negotiation selects one of them. */
  readonly offers: ReadonlyArray<BodyPlan>
  /** The headers added to every response, as alternating names and values. */
  readonly headers: ReadonlyArray<string>
  readonly cacheControl: string | undefined
  /** The preconditions that are evaluated before the handler runs. `undefined` if none are declared. */
  readonly preconditions: DeclaredPreconditions | undefined
  /** The filters, mappers and providers that apply to the operation. */
  readonly chain: FilterChain
  /** The links added to responses by `injectLinks`. */
  readonly injectedLinks: InjectedLinks | undefined
  /** `undefined` if the operation is not deprecated. */
  readonly deprecation: DeprecationPlan | undefined
  readonly attributes: Attributes
  readonly handler: AnyHandler
  /** Prepares the handler before a server starts listening. Does not throw errors. */
  readonly prepare?: () => void
}

/** Describes which links are added to the responses of an operation. */
export interface InjectedLinks {
  readonly mode: LinkMode
  /** The entity whose links are added to responses without a declared entity. */
  readonly codec: Codec | undefined
}

/** The deprecation of an operation. */
export interface DeprecationPlan {
  /** The headers of all responses that do not depend on the request. */
  readonly headers: Headers
  readonly sunset: Date | undefined
  /** The operation that replaces the deprecated one, or the URL of its replacement. */
  readonly successor: Plan | string | undefined
  /**
   * The path of the operation that replaces the deprecated one. A number is the index of the path variable of the request that has the
   * value. `undefined` if there is no such operation, or if the request has no value for one of its variables.
   */
  readonly successorPath: ReadonlyArray<string | number> | undefined
}

/** The plan for a parameter. */
export interface ParameterPlan {
  readonly group: ParameterGroup
  /** The key of the parameter in the handler's input, or the key of the slot that a prefix variable fills. */
  readonly key: string
  /** The name of the parameter in requests. Header names are in lower case. */
  readonly name: string
  readonly codec: Codec
}

/** The plan for a form part that is not a parameter, such as a structured part, a file or a map of all fields. */
export interface PartPlan {
  /** The name of the part, which is also its key in the handler's input. */
  readonly key: string
  readonly kind: AnyFormPart['kind']
  readonly isOptional: boolean
  /** The plan for the body of a structured part. `undefined` for other parts, such as files. */
  readonly body: BodyPlan | undefined
}

/** Creates the plan for a route. The route must not have configuration errors. */
export const planOf = (route: Route): Plan => {
  const { name, template, parsed, prefixVariables, definition, chain, attributes } = route
  const groups = definition.parameters
  const spanning = new Set<string>()
  withPrefixCodecs(prefixVariables, groups.path).forEach((codec, variable) => {
    if (codec._tag === 'SegmentsType') spanning.add(variable)
  })
  const { readers, xml, json } = chain.entities
  const bodyOptions: BodyOptions = { xml, json }
  const parts = partsOf(groups.form, readers, bodyOptions)
  const toPlan = (declared: DeclaredResponse): ResponsePlan => {
    const planned = responsePlan(chain.entities)(declared)
    const headers = headersOf(definition, declared)
    return headers.length === 0 ? planned : { ...planned, headers }
  }
  const { response, declaredBy } = defaultResponse(definition)
  const success = toPlan(response)
  const declared = definition.responses.map(toPlan)
  const responses = declaredBy === 'produced' ? [success, ...declared] : declared
  return {
    name,
    source: { name, definition, scope: route.scope },
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
    prefixParameters: prefixVariables.map(({ name: variable, slot }) => ({
      group: 'path',
      key: slot.key,
      name: variable,
      codec: codecOfSlot(slot),
    })),
    parts,
    queryMap: definition.queryMap,
    bodies:
      parts.length > 0 && [...groups.form.values()].some(requiresMultipart)
        ? [multipartFormPlan]
        : groups.form.size > 0
          ? [formPlan, multipartFormPlan]
          : bodyPlans(definition.bodies, readers, bodyOptions),
    success,
    responses: groupByStatus(responses),
    offers: responses.flatMap(({ status, failure, alternatives }) =>
      failure || !Status.isSuccess(status) ? [] : alternatives,
    ),
    headers: definition.headers.flat(),
    cacheControl: definition.cacheControl === '' ? undefined : definition.cacheControl,
    preconditions: definition.preconditions,
    chain,
    injectedLinks: undefined,
    deprecation: undefined,
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
  declared.size === 0 ? declared : new Map([...declared].filter(([, codec]) => !isFormPart(codec)))

const partsOf = (
  declared: ReadonlyMap<string, Codec>,
  readers: ProviderLevels<Reader>,
  bodyOptions: BodyOptions,
): ReadonlyArray<PartPlan> =>
  declared.size === 0
    ? none
    : Array.from(declared, ([key, part]): ReadonlyArray<PartPlan> => {
        if (!isFormPart(part)) return []
        const { kind, isOptional, representation } = part
        const [body] =
          representation === undefined ? none : bodyPlans([representation], readers, bodyOptions)
        return [{ key, kind, isOptional, body }]
      }).flat()
