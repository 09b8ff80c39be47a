/**
 * Path groups: the operations whose templates match the same paths, by method. Names of variables make no difference.
 */
import * as MediaType from '../http/media-type.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { Pattern } from '../endpoint/internal/path-pattern.ts'
import type { Plan } from './plan.ts'

/** Maximum number of segments that an expression in the middle of a template spans. */
export const maxSpannedSegments = 64

export interface PathGroup<P> {
  readonly template: string
  readonly pattern: Pattern
  /** In the order of the tree. */
  readonly methods: ReadonlyMap<string, ReadonlyArray<P>>
}

/** Groups plans by path. */
export const pathGroups = (plans: ReadonlyArray<Plan>): ReadonlyArray<PathGroup<Plan>> => {
  const byKey = new Map<string, Plan[]>()
  for (const plan of plans) append(byKey, plan.pattern.key, plan)
  return Array.from(byKey.values()).flatMap((together) => {
    const first = together[0]
    if (first === undefined) return []
    const methods = new Map<string, Plan[]>()
    for (const plan of together) append(methods, plan.method, plan)
    return { template: first.template, pattern: first.pattern, methods }
  })
}

const append = (lists: Map<string, Plan[]>, key: string, plan: Plan): void => {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [plan])
  else known.push(plan)
}

/**
 * Finds duplicate operations: same paths and method, and all media types of the second are media types of the first. An
 * operation without a request or response body matches any media type.
 */
export const duplicateOperations = (
  sites: ReadonlyArray<PathGroup<Plan>>,
): ReadonlyArray<Mistake> =>
  sites.flatMap(({ methods }) =>
    [...methods.values()].flatMap((plans) =>
      plans.flatMap((later, index) =>
        plans
          .slice(0, index)
          .filter((earlier) => covers(earlier, later))
          .map((earlier): Mistake => ({
            code: 'FW-ROUTE-002',
            concerns: [describe(earlier), describe(later)],
            remedy: 'merge them, or use different paths, methods or media types',
          })),
      ),
    ),
  )

const describe = ({ method, template, name }: Plan): string => `${method} ${template}  (${name})`

const covers = (earlier: Plan, later: Plan): boolean =>
  coversTypes(earlier.bodies, later.bodies) && coversTypes(earlier.offers, later.offers)

type Types = Plan['bodies']

const coversTypes = (earlier: Types, later: Types): boolean =>
  earlier.length === 0 ||
  (later.length > 0 && later.every(({ mediaType }) => earlier.some(equals(mediaType))))

const equals =
  (mediaType: MediaType.MediaType) =>
  ({ mediaType: other }: Types[number]): boolean =>
    MediaType.format(mediaType) === MediaType.format(other)
