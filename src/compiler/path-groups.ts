/**
 * Groups operations whose path templates match the same paths, regardless of the names of variables. Within a group, operations
 * are listed by method.
 */
import * as MediaType from '../http/media-type.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import type { Pattern } from '../endpoint/definition/path-pattern.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import type { Plan } from './plan.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'

/** Maximum number of path segments matched by a variable. A variable in the last segment of a template has no limit. */
export const maxSpannedSegments = 64

/** Operations whose templates match the same paths. */
export interface PathGroup<P> {
  readonly template: string
  readonly pattern: Pattern
  /** The names of the matrix parameters that at least one of the operations declares. */
  readonly matrix: ReadonlySet<string>
  /** The operations for each method, in the order in which they are declared. */
  readonly methods: ReadonlyMap<string, ReadonlyArray<P>>
}

/** Groups plans whose path templates match the same paths. */
export const pathGroups = (plans: ReadonlyArray<Plan>): ReadonlyArray<PathGroup<Plan>> => {
  const byKey = new Map<string, Plan[]>()
  for (const plan of plans) append(byKey, plan.pattern.key, plan)
  return Array.from(byKey.values()).flatMap((group) => {
    const first = group[0]
    if (first === undefined) return []
    const methods = new Map<string, Plan[]>()
    for (const plan of group) append(methods, plan.method, plan)
    const matrix = group.flatMap(({ parameters }) => parameters.matrix.map(({ name }) => name))
    return { template: first.template, pattern: first.pattern, matrix: new Set(matrix), methods }
  })
}

const append = (lists: Map<string, Plan[]>, key: string, plan: Plan): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [plan])
  else list.push(plan)
}

/**
 * Finds duplicate operations. Two operations are duplicates if they match the same paths and method, and the first accepts and
 * produces all media types and languages declared by the second.
 *
 * An operation without a request body counts as accepting any media type. An operation without a response body counts as
 * producing any media type.
 */
export const duplicateOperations = (
  groups: ReadonlyArray<PathGroup<Plan>>,
): ReadonlyArray<ConfigurationIssue> =>
  groups.flatMap(({ methods }) =>
    [...methods.values()].flatMap((plans) =>
      plans.flatMap((later, index) =>
        plans
          .slice(0, index)
          .filter((earlier) => covers(earlier, later))
          .map((earlier): ConfigurationIssue => ({
            code: 'FW-ROUTE-002',
            concerns: [operationTitle(earlier), operationTitle(later)],
            remedy: 'merge them, or use different paths, methods, media types or languages',
          })),
      ),
    ),
  )

const covers = (earlier: Plan, later: Plan): boolean =>
  coversBodies(earlier.bodies, later.bodies, hasSameType) &&
  coversBodies(earlier.offers, later.offers, (a, b) => hasSameType(a, b) && hasSameLanguage(a, b))

const coversBodies = (
  earlier: ReadonlyArray<BodyPlan>,
  later: ReadonlyArray<BodyPlan>,
  equals: (a: BodyPlan, b: BodyPlan) => boolean,
): boolean =>
  earlier.length === 0 ||
  (later.length > 0 && later.every((plan) => earlier.some((other) => equals(plan, other))))

const hasSameType = (a: BodyPlan, b: BodyPlan): boolean =>
  MediaType.format(a.mediaType) === MediaType.format(b.mediaType)

const hasSameLanguage = (a: BodyPlan, b: BodyPlan): boolean =>
  a.language?.toLowerCase() === b.language?.toLowerCase()
