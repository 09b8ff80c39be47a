/** Verifies a tree of endpoints and creates a plan for each operation. */
import { withAcceptQuery } from './accept-query.ts'
import type { TreeInput } from '../endpoint/routes.ts'
import * as Category from './settings/logger.ts'
import { checkAccess } from './access.ts'
import { conditionCheck, includedRoutes, excludedRoutes, testsProfile } from './conditions.ts'
import type { Configuration } from './settings/resolve-expressions.ts'
import { defaultConfiguration } from './settings/resolve-expressions.ts'
import { conflictingExecutionModes, describeFilter, verifyScopes } from './verify/verify-scopes.ts'
import type { MisplacedFilter } from './flatten.ts'
import { flatten } from './flatten.ts'
import { rateLimitPass } from './rate-limits.ts'
import { planDeprecations } from './deprecation.ts'
import { planLinks } from './links/link-table.ts'
import type { Logger } from './settings/logger.ts'
import type { Attributes } from '../endpoint/definition/attributes.ts'
import type { Store } from '../endpoint/definition/store.ts'
import { inMemoryStore } from '../store/in-memory-store.ts'
import { checkTree } from '../endpoint/internal/combinator.ts'
import { silentLogger } from './settings/logger.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { ConfigurationError, format } from '../endpoint/definition/configuration-error.ts'
import { duplicateIds } from './operation-id.ts'
import { planOf } from './plan.ts'
import type { Plan } from './plan.ts'
import type { FilterChain } from './filter-chain.ts'
import type { LinkTable } from './links/link-table.ts'
import type { ExcludedRoute } from './conditions.ts'
import { treeHandlers } from '../endpoint/tree-handler.ts'
import { visibilityPass } from './visibility.ts'
import type { Settings } from './settings/settings.ts'
import { defaultSettings } from './settings/settings.ts'
import { duplicateOperations, pathGroups } from './path-groups.ts'
import { ineffectiveLimits } from './verify/verify-effects.ts'
import { verifyDeclarations, verifyRoute } from './verify/verify-route.ts'
import { verifyXml } from './verify/verify-xml.ts'

/** The result of compiling a tree. It contains everything that can be determined without a request. */
export interface CompiledTree {
  readonly plans: ReadonlyArray<Plan>
  /** The filter chain for requests that match no operation. */
  readonly root: FilterChain
  readonly settings: Settings
  readonly configuration: Configuration
  readonly loggerOf: Category.LoggerByCategory
  readonly links: LinkTable
  /** Returns the store of an operation. */
  readonly storeOf: StoreOf
  /** Returns the routes excluded by conditions. The list is recomputed on each call. */
  readonly excludedRoutes: () => ReadonlyArray<ExcludedRoute>
}

/** Returns the store that `withStore` selects for an operation or, by default, the store in memory of the tree. */
export type StoreOf = (attributes: Pick<Attributes, 'store'>) => Store

const createStores = (): StoreOf => {
  let shared: Store | undefined
  return ({ store }) => store ?? (shared ??= inMemoryStore())
}

const { handleWithTree: add, createHandler } = treeHandlers<CompiledTree>()

/** Adds a handler that has access to the whole tree in which the endpoint is served. */
export const handleWithTree = add

/** Creates the handler of an operation that {@link handleWithTree} was applied to. Returns other plans unchanged. */
const bindTree = (plan: Plan, tree: () => CompiledTree): Plan => {
  const bound = createHandler(plan.source.definition, tree)
  return bound === undefined ? plan : { ...plan, ...bound }
}

/** Options for {@link compileTree}. */
export interface CompileOptions {
  /** The logger for all log categories. Default: a logger that discards all lines. */
  readonly logger?: Logger
  /** The profile and properties. Default: the `prod` profile, with the settings as properties. */
  readonly configuration?: Configuration
  /** Whether warnings about the tree are logged. Default: `true`. Workers do not log them again. */
  readonly logsWarnings?: boolean
  /**
   * Whether the tree may be a contract. A contract may lack handlers, values of slots and authentication filters, so it can be
   * described but not served. Default: `false`.
   */
  readonly isContract?: boolean
}

/**
 * Verifies a tree of endpoints and creates a plan for each operation. Excluded routes are not verified.
 *
 * Throws a {@link ConfigurationError} that lists all configuration errors. If `fw.rest.fail-on-duplicate` is `false`, duplicate
 * operations are only logged, and the first of them handles all requests. Codecs with the same name that do not share their links
 * are also logged.
 */
export const compileTree = (
  api: TreeInput,
  settings: Settings = defaultSettings,
  {
    logger = silentLogger,
    configuration = defaultConfiguration(settings),
    logsWarnings = true,
    isContract = false,
  }: CompileOptions = {},
): CompiledTree => {
  checkTree('the root', api)
  const allows = conditionCheck(configuration, settings)
  const tree = includedRoutes(api, allows)
  const { routes: declared, root, misplaced } = flatten(tree, settings['fw.rest.path'])
  const declarations = declared.map((route) => ({ route, errors: verifyDeclarations(route) }))
  // routes with such errors may contain values of wrong types, so they are not verified further
  const routes = declarations.filter(({ errors }) => errors.length === 0).map(({ route }) => route)
  const visibility = visibilityPass(configuration.property)
  const storeOf = createStores()
  const verified = routes
    .map(checkAccess(configuration.property, isContract))
    .map(rateLimitPass(storeOf, isContract))
    .map(visibility.route)
    .map(({ route, errors }) => ({ route, errors: [...errors, ...verifyRoute(route, isContract)] }))
  const errors = [
    ...misplaced.map(misplacedFilterError),
    ...verifyScopes(tree),
    ...conflictingExecutionModes(tree).map(executionModeError),
    ...declarations.flatMap((route) => route.errors),
    ...verified.flatMap((route) => route.errors),
    ...verifyXml(routes, settings),
  ]
  // a route with configuration errors has no plan and is not compared with other routes
  const valid = verified.filter((route) => route.errors.length === 0)
  const {
    plans: linked,
    links,
    errors: linkErrors,
    unshared,
  } = planLinks(
    withAcceptQuery(valid.map(({ route }) => planOf(route))).map((plan) =>
      bindTree(plan, () => compiled),
    ),
    settings['fw.http.public-url'],
  )
  const { plans, errors: deprecationErrors } = planDeprecations(linked)
  const duplicates = duplicateOperations(pathGroups(plans))
  const fatal: ReadonlyArray<ConfigurationIssue> = [
    ...errors,
    ...plans.flatMap((plan) => ineffectiveLimits(plan, settings)),
    ...linkErrors,
    ...deprecationErrors,
    ...duplicateIds(plans),
    ...(settings['fw.rest.fail-on-duplicate'] ? duplicates : []),
  ]
  if (fatal.length > 0) throw new ConfigurationError(fatal)
  const loggerOf = Category.loggersByCategory(logger, settings)
  if (logsWarnings) {
    const log = loggerOf(Category.serverCategory)
    const { profile, isProfileDefined = true } = configuration
    if (!isProfileDefined && !testsProfile(api, profile)) log.warn({ profile }, unusedProfile)
    if (duplicates.length > 0) log.warn({ issues: duplicates.length }, format(duplicates))
    for (const { codec, operations } of unshared) log.warn({ codec, operations }, unsharedLinks)
  }
  const compiled: CompiledTree = {
    plans,
    root: visibility.root(root),
    settings,
    configuration,
    loggerOf,
    links,
    storeOf,
    excludedRoutes: () => excludedRoutes(api, settings['fw.rest.path'], allows),
  }
  return compiled
}

const unusedProfile =
  'No property or condition refers to the active profile: check the value of FW_PROFILE or of the option profile'

const unsharedLinks =
  'Different codecs with the same name do not share links: use one codec, or rename one'

const misplacedFilterError = ([keys, filter]: MisplacedFilter): ConfigurationIssue => ({
  code: 'FW-FILTER-001',
  concerns: [keys],
  remedy: `${describeFilter(filter)} runs for every request: apply it to the root`,
})

const executionModeError = (keys: string): ConfigurationIssue => ({
  code: 'FW-ROUTE-005',
  concerns: [keys === '' ? 'the root' : keys],
  remedy: 'declared as both blocking and nonBlocking: keep one',
})
