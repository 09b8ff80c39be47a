/**
 * Finds the filters for requests that match a path, but no operation: preflight requests, and requests that are rejected with 405,
 * 406 or 415. Only filters of subtrees that cover paths are considered, such as `cors`.
 */
import type { FilterChain, PathFilters } from '../../compiler/filter-chain.ts'
import type { PathGroup } from '../../compiler/path-groups.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import * as Headers from '../../http/headers.ts'
import type { Exchange } from '../exchange.ts'
import type { CompiledFilters } from './compiled-filters.ts'
import { compileFilters } from './compiled-filters.ts'
import { pathMatcher } from '../routing/path-matcher.ts'

/** Returns the filters that cover the path of a request, or `undefined` if there are none. */
export type FindPathFilters = (
  request: Pick<Exchange, 'method' | 'path' | 'headers'>,
) => CompiledFilters | undefined

/** The filters for each method of a path group. */
type FiltersByMethod = ReadonlyMap<string, CompiledFilters | undefined>

/**
 * Creates the function that finds the filters of a path. Returns `undefined` if no subtree has filters that cover paths.
 *
 * Operations with the same path can belong to different subtrees. The filters are then those of the operations with the method of the
 * request or, for a preflight request, with the method that the page is going to use. If the path does not support this method, the
 * filters of any of its operations are used, so that a page can read the 405 response.
 */
export const findPathFilters = (
  groups: ReadonlyArray<PathGroup<Plan>>,
  root: FilterChain,
  settings: Settings,
  isCanonical: boolean,
): FindPathFilters | undefined => {
  if (!groups.some(({ methods }) => [...methods.values()].some(isCovered))) return undefined
  const compile = (forPath: PathFilters): CompiledFilters =>
    compileFilters({ ...root, forPath, response: forPath.response }, settings)
  const matcher = pathMatcher(
    groups.map(({ pattern, template, matrix, methods }) => ({
      pattern,
      template,
      matrix,
      value: new Map(
        Array.from(methods, ([method, [plan]]) => {
          const forPath = plan?.chain.forPath
          return [method, forPath === undefined ? undefined : compile(forPath)] as const
        }),
      ),
    })),
    isCanonical,
  )
  return (request) => {
    const found = (matcher.match(request.path)?.matches ?? []).map(({ value }) => value)
    const method = methodOf(request)
    const group = found.find((filters) => supports(filters, method))
    return group === undefined ? anyFilters(found) : group.get(group.has(method) ? method : 'GET')
  }
}

/** Whether a path group supports a method. GET operations handle HEAD if HEAD is not declared. */
const supports = (group: FiltersByMethod, method: string): boolean =>
  group.has(method) || (method === 'HEAD' && group.has('GET'))

const isCovered = ([plan]: ReadonlyArray<Plan>): boolean => plan?.chain.forPath !== undefined

/** Returns the method in `Access-Control-Request-Method` of a preflight request, or the method of any other request. */
const methodOf = ({ method, headers }: Parameters<FindPathFilters>[0]): string => {
  const requested =
    method === 'OPTIONS' ? Headers.first(headers, 'access-control-request-method') : undefined
  return requested ?? method
}

const anyFilters = (groups: ReadonlyArray<FiltersByMethod>): CompiledFilters | undefined => {
  for (const group of groups)
    for (const filters of group.values()) if (filters !== undefined) return filters
  return undefined
}
