/** The result of compiling a tree, and handlers that have access to it. */
import type { AnyHandler, UnhandledEndpoint } from '../endpoint/endpoint.ts'
import { updateDefinition } from '../endpoint/endpoint.ts'
import type { HandledEndpoint, Handler } from '../endpoint/handle.ts'
import { implement } from '../endpoint/handle.ts'
import type { Ready } from '../endpoint/internal/declaration-errors.ts'
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

/**
 * Adds a handler that has access to the whole tree in which the endpoint is served. `make` is called when the tree is compiled. The
 * function that it receives returns the tree, and can be called as soon as a request arrives.
 */
export const handleWithTree =
  <S>(make: (tree: () => CompiledTree) => Handler<S>) =>
  (endpoint: UnhandledEndpoint<S> & Ready<S>): HandledEndpoint<S> =>
    updateDefinition(implement<S>(endpoint, notServed), () => ({
      // the handler is type-checked against `S` above, because the definition has no types
      treeHandler: make as (tree: () => CompiledTree) => AnyHandler,
    }))

const notServed = (): never => {
  throw new Error('the operation describes the tree in which it is served: use serve or inMemory')
}

/** Creates the handler of an operation that {@link handleWithTree} was applied to. Returns other plans unchanged. */
export const bindTree = (plan: Plan, tree: () => CompiledTree): Plan => {
  const { treeHandler } = plan.source.definition
  if (treeHandler === undefined) return plan
  // only `handleWithTree` sets this member, so the function expects a compiled tree
  return { ...plan, handler: treeHandler(tree as () => never) }
}
