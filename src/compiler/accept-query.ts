/** Adds the `Accept-Query` header (RFC 10008, 3) to the operations of resources that support the method QUERY. */
import * as AcceptQuery from '../http/accept-query.ts'
import * as Headers from '../http/headers.ts'
import { pathGroups } from './path-groups.ts'
import type { Plan } from './plan.ts'

/**
 * Adds the header to the responses to GET, HEAD, OPTIONS and QUERY, which clients read before they send a query. A header that an
 * operation declares takes precedence.
 */
export const withAcceptQuery = (plans: ReadonlyArray<Plan>): ReadonlyArray<Plan> => {
  const queries = plans.filter(({ method, bodies }) => method === 'QUERY' && bodies.length > 0)
  if (queries.length === 0) return plans
  const byPath = new Map(
    pathGroups(queries).map(({ pattern, methods }) => [
      pattern.key,
      AcceptQuery.format(
        [...methods.values()]
          .flat()
          .flatMap(({ bodies }) => bodies.map(({ mediaType }) => mediaType)),
      ),
    ]),
  )
  return plans.map((plan) => {
    const value = byPath.get(plan.pattern.key)
    return value === undefined ||
      !announcing.includes(plan.method) ||
      Headers.first(plan.headers, 'accept-query') !== undefined
      ? plan
      : { ...plan, headers: [...plan.headers, 'Accept-Query', value] }
  })
}

const announcing: ReadonlyArray<string> = ['GET', 'HEAD', 'OPTIONS', 'QUERY']
