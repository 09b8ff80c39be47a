/**
 * Adds the filters that enforce rate limits to the filter chains of operations.
 *
 * Limits by address are checked before authentication, and all others after it. Both run before the body is read.
 */
import type { Attributes, RateLimit } from '../endpoint/definition/attributes.ts'
import { rateLimitsOf } from '../endpoint/definition/attributes.ts'
import type { Store } from '../endpoint/definition/store.ts'
import type { AppliedLimit } from '../store/request-limiter.ts'
import { rateLimitFilter } from '../store/request-limiter.ts'
import type { CheckedRoute } from './access.ts'
import { accessPriority, missingAuthentication } from './access.ts'
import type { FilterStep } from './filter-chain.ts'
import type { Route } from './flatten.ts'
import { routeIssue } from './flatten.ts'

/** The priority of the filter for limits by address. */
const addressPriority = 900
/** The priority of the filter for all other limits. */
const callerPriority = 1900

/** A limit with the beginning of the keys of its quotas, which all operations with the limit share. */
interface SharedLimit {
  readonly prefix: string
  readonly store: Store
}

/**
 * Creates a pass that adds filters for the rate limits of routes, and reports configuration errors in them. The routes must be passed in
 * the order of the tree. A contract needs no authentication filters.
 */
export const rateLimitPass = (
  storeOf: (attributes: Attributes) => Store,
  isContract: boolean,
): ((checked: CheckedRoute) => CheckedRoute) => {
  const shared = new Map<RateLimit, SharedLimit>()
  return (checked) => {
    const limits = namedLimits(rateLimitsOf(checked.route.attributes))
    if (limits.length === 0) return checked
    const { route } = checked
    const store = storeOf(route.attributes)
    const applied = limits.map(([name, limit]): AppliedLimit => {
      const known = shared.get(limit) ?? { prefix: prefixOf(route, name, limit), store }
      shared.set(limit, known)
      return { limit, name, prefix: known.prefix }
    })
    const addressLimits = applied.filter(({ limit }) => limit.by === 'address')
    const callerLimits = applied.filter(({ limit }) => limit.by !== 'address')
    const { early } = route.chain
    const first = indexOf(
      early,
      ({ filter }) => filter.authentication !== undefined || filter.priority >= addressPriority,
    )
    const second = Math.max(
      first,
      indexOf(early, ({ filter }) => filter.priority >= accessPriority),
    )
    const step = (own: ReadonlyArray<AppliedLimit>, priority: number): ReadonlyArray<FilterStep> =>
      own.length === 0
        ? []
        : [{ filter: rateLimitFilter(own.toReversed(), store, priority), needs: [] }]
    const isAuthenticated = early.slice(0, second).some(({ filter }) => filter.authentication)
    const byPrincipal = callerLimits.some(({ limit }) => limit.by === 'principal')
    return {
      route: {
        ...route,
        chain: {
          ...route.chain,
          early: [
            ...early.slice(0, first),
            ...step(addressLimits, addressPriority),
            ...early.slice(first, second),
            ...step(callerLimits, callerPriority),
            ...early.slice(second),
          ],
        },
      },
      errors: [
        ...checked.errors,
        ...(byPrincipal && !isAuthenticated && !isContract
          ? [routeIssue(route, 'FW-ACCESS-002')(missingAuthentication)]
          : []),
        ...conflicts(limits, shared, store).map(routeIssue(route, 'FW-ROUTE-005')),
      ],
    }
  }
}

type NamedLimit = readonly [name: string, limit: RateLimit]

/** Returns limits with their names, or with default names. */
const namedLimits = (limits: ReadonlyArray<RateLimit>): ReadonlyArray<NamedLimit> => {
  const unnamed = limits.filter(({ name }) => name === undefined)
  return limits.map((limit) => {
    const index = unnamed.indexOf(limit)
    return [limit.name ?? (index === 0 ? 'default' : `default-${index + 1}`), limit]
  })
}

/** Returns remedies for limits with the same name, and for limits that would be counted in several stores. */
const conflicts = (
  limits: ReadonlyArray<NamedLimit>,
  shared: ReadonlyMap<RateLimit, SharedLimit>,
  store: Store,
): ReadonlyArray<string> => {
  const names = limits.map(([name]) => name)
  return limits.flatMap(([name, limit], index) => [
    ...(names.indexOf(name) < index
      ? [
          `two rate limits have the name ${name}: set the option name of one, as in rateLimit({ name: 'login', … })`,
        ]
      : []),
    ...(shared.get(limit)?.store === store
      ? []
      : [
          `the rate limit ${name} applies to operations with different stores: apply withStore to a tree that contains all of them`,
        ]),
  ])
}

/**
 * Returns the beginning of the keys of a limit. `route` is the first operation with the limit. Servers that share a store have the same
 * keys. A limit with another rate has other keys, because the quotas of one are not valid for the other.
 */
const prefixOf = (
  { name: operation }: Route,
  name: string,
  { limit, window, rate }: RateLimit,
): string => `rate:${operation}:${name}:${limit}/${window}/${rate.burst}:`

/** Returns the index of the first step that passes a test, or the number of steps. */
const indexOf = (steps: ReadonlyArray<FilterStep>, test: (step: FilterStep) => boolean): number => {
  const index = steps.findIndex(test)
  return index < 0 ? steps.length : index
}
