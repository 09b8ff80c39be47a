/** Describes compiled operations as plain data, for programs that read the routes of an application. */
import type { AppliedCondition } from '../endpoint/condition.ts'
import type { Access } from '../endpoint/definition/attributes.ts'
import { isBlocking } from '../endpoint/definition/attributes.ts'
import type { SingleFilter } from '../endpoint/tree/tree-scope.ts'
import * as Condition from './conditions.ts'
import type { CompiledTree } from './compile.ts'
import type { Plan } from './plan.ts'

/** An operation as plain data, which can be written as JSON. */
export interface RouteDescription {
  /** The keys of the enclosing trees, followed by the key of the endpoint, joined by dots. */
  readonly name: string
  readonly method: string
  /** The path template, including all prefixes and `fw.rest.path`. */
  readonly path: string
  /** The media types of request bodies. Empty if the operation reads no body. */
  readonly consumes: ReadonlyArray<string>
  /** The media types of successful responses. */
  readonly produces: ReadonlyArray<string>
  readonly responses: ReadonlyArray<DescribedResponse>
  /** The callers that the operation allows. `null` if the operation has no access rule. */
  readonly access: DescribedAccess | null
  /** The filters of the operation in the order in which they run. */
  readonly filters: ReadonlyArray<DescribedFilter>
  readonly execution: 'blocking' | 'nonBlocking'
  /** The fulfilled conditions of the operation, with the values that they test. */
  readonly conditions: ReadonlyArray<string>
  readonly deprecated: boolean
  /** Whether OpenAPI documents omit the operation. */
  readonly hidden: boolean
}

/** A declared response of an operation. */
export interface DescribedResponse {
  readonly status: number
  /** Whether the response was declared with `fails`. */
  readonly failure: boolean
  /** Empty for responses without a body. */
  readonly mediaTypes: ReadonlyArray<string>
}

/** An access rule. Expressions in the names of roles are resolved. */
export interface DescribedAccess {
  readonly rule: 'permitAll' | 'denyAll' | 'authenticated' | 'rolesAllowed'
  /** The allowed roles. Empty unless the rule is `rolesAllowed`. */
  readonly roles: ReadonlyArray<string>
}

/** A filter of an operation. */
export interface DescribedFilter {
  /** The name of the filter, such as `cors`, or else of its function. Empty for an anonymous function. */
  readonly name: string
  /** When the filter runs. `path` filters also run for requests that match only the path of the operation. */
  readonly kind: 'preMatching' | 'path' | 'early' | 'request' | 'response'
  readonly priority: number
}

/** A route, filter, mapper or provider that conditions exclude from the application. */
export interface ExcludedDescription {
  readonly title: string
  /** The conditions that exclude it, with the values that they test. */
  readonly conditions: ReadonlyArray<string>
}

/** The routes of an application as plain data. */
export interface TreeDescription {
  readonly profile: string
  readonly routes: ReadonlyArray<RouteDescription>
  readonly excluded: ReadonlyArray<ExcludedDescription>
}

/** Describes the operations of a compiled tree in the order in which they are declared, and everything that conditions exclude. */
export const treeDescription = ({
  plans,
  configuration,
  settings,
  excludedRoutes,
}: Pick<
  CompiledTree,
  'plans' | 'configuration' | 'settings' | 'excludedRoutes'
>): TreeDescription => {
  const format: FormatConditions = (conditions) =>
    conditions.map((condition) => Condition.formatCondition(condition, configuration, settings))
  return {
    profile: configuration.profile,
    routes: plans.map(describeRoute(format)),
    excluded: excludedRoutes().map(({ title, conditions }) => ({
      title,
      conditions: format(conditions),
    })),
  }
}

type FormatConditions = (conditions: ReadonlyArray<AppliedCondition>) => ReadonlyArray<string>

const describeRoute =
  (format: FormatConditions) =>
  (plan: Plan): RouteDescription => {
    const { name, method, template, bodies, offers, responses, attributes } = plan
    const { access, documentation, conditions } = attributes
    return {
      name,
      method,
      path: template,
      consumes: mediaTypesOf(bodies),
      produces: mediaTypesOf(offers),
      responses: Array.from(responses.values(), ({ status, failure, alternatives }) => ({
        status,
        failure,
        mediaTypes: mediaTypesOf(alternatives),
      })),
      access: access === undefined ? null : describeAccess(access),
      filters: filtersOf(plan),
      execution: isBlocking(attributes) ? 'blocking' : 'nonBlocking',
      conditions: format(conditions),
      deprecated: plan.deprecation !== undefined,
      hidden: documentation?.hidden ?? false,
    }
  }

const mediaTypesOf = (
  bodies: ReadonlyArray<{ readonly contentType: string }>,
): ReadonlyArray<string> => [...new Set(bodies.map(({ contentType }) => contentType))]

const rules = {
  PermitAll: 'permitAll',
  DenyAll: 'denyAll',
  Authenticated: 'authenticated',
  Roles: 'rolesAllowed',
} as const

const describeAccess = (access: Access): DescribedAccess => ({
  rule: rules[access._tag],
  roles: access._tag === 'Roles' ? access.roles : [],
})

const filtersOf = ({
  chain: { preMatching, forPath, early, request, response },
}: Plan): ReadonlyArray<DescribedFilter> => {
  const describe =
    (kind: DescribedFilter['kind']) =>
    (filter: SingleFilter): DescribedFilter => ({
      name: nameOf(filter),
      kind,
      priority: filter.priority,
    })
  const pathFilters = forPath?.request ?? []
  return [
    ...preMatching.filter((filter) => !pathFilters.includes(filter)).map(describe('preMatching')),
    ...pathFilters.map(describe('path')),
    ...early.map(({ filter }) => describe('early')(filter)),
    ...request.map(({ filter }) => describe('request')(filter)),
    ...response.map(describe('response')),
  ]
}

const nameOf = (filter: SingleFilter): string => {
  if (filter.name !== undefined) return filter.name
  return filter._tag === 'RequestFilter' && filter.authentication !== undefined
    ? `authentication with ${filter.authentication.scheme}`
    : filter.run.name
}
