/** The result of compiling a tree, and handlers that have access to it. */
import { treeHandlers } from '../endpoint/tree-handler.ts'
import type { ExcludedRoute } from './conditions.ts'
import type { FilterChain } from './filter-chain.ts'
import type { LinkTable } from './links/link-table.ts'
import type { Plan } from './plan.ts'
import type { LoggerByCategory } from './settings/log-category.ts'
import type { Configuration } from './settings/resolve-expressions.ts'
import type { Settings } from './settings/settings.ts'

/** The result of compiling a tree. It contains everything that can be determined without a request. */
export interface CompiledTree {
  readonly plans: ReadonlyArray<Plan>
  /** The filter chain for requests that match no operation. */
  readonly root: FilterChain
  readonly settings: Settings
  readonly configuration: Configuration
  readonly loggerOf: LoggerByCategory
  readonly links: LinkTable
  /** Returns the routes excluded by conditions. The list is recomputed on each call. */
  readonly excludedRoutes: () => ReadonlyArray<ExcludedRoute>
}

const { handleWithTree: add, createHandler } = treeHandlers<CompiledTree>()

/** Adds a handler that has access to the whole tree in which the endpoint is served. */
export const handleWithTree = add

/** Creates the handler of an operation that {@link handleWithTree} was applied to. Returns other plans unchanged. */
export const bindTree = (plan: Plan, tree: () => CompiledTree): Plan => {
  const bound = createHandler(plan.source.definition, tree)
  return bound === undefined ? plan : { ...plan, ...bound }
}
