/** Compiles a tree of endpoints: verifies it and makes the plan of each operation. */
import type { AnyNode } from '../endpoint/routes.ts'
import type { FilterChain } from './filter-chain.ts'
import * as Category from './settings/log-category.ts'
import type { LoggerByCategory } from './settings/log-category.ts'
import { checkAccess } from './access.ts'
import { conditionCheck } from './conditions/condition.ts'
import type { Configuration } from './settings/configuration.ts'
import { defaultConfiguration } from './settings/configuration.ts'
import { conflictingExecutionModes, verifyScopes } from './verify/verify-scopes.ts'
import { flatten } from './flatten.ts'
import { planLinks } from './links/link-plan.ts'
import type { LinkTable } from './links/link-table.ts'
import { includedRoutes } from './conditions/conditional-routes.ts'
import type { Logger } from './settings/logger.ts'
import { silentLogger } from './settings/logger.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import { MistakesError, format } from '../endpoint/internal/configuration-error.ts'
import type { ExcludedRoute } from './conditions/excluded-routes.ts'
import { excludedRoutes } from './conditions/excluded-routes.ts'
import type { Plan } from './plan.ts'
import { planOf } from './plan.ts'
import { visibilityPass } from './visibility.ts'
import type { Settings } from './settings/settings.ts'
import { defaultSettings } from './settings/settings.ts'
import { duplicateOperations, pathGroups } from './path-groups.ts'
import { verifyRoute } from './verify/verify-route.ts'
import { verifyXml } from './verify/verify-xml.ts'

/** Options of {@link compileTree}. */
export interface CompileOptions {
  readonly logger?: Logger
  /** The profile `prod` and the properties of the settings by default. */
  readonly configuration?: Configuration
}

/** The result of compiling a tree: the decisions that do not depend on a request. */
export interface CompiledTree {
  readonly plans: ReadonlyArray<Plan>
  /** The filters and mappers of requests that match no operation. */
  readonly root: FilterChain
  readonly settings: Settings
  readonly configuration: Configuration
  readonly loggerOf: LoggerByCategory
  readonly links: LinkTable
  /** The routes that conditions exclude; computed when it is called. */
  readonly excludedRoutes: () => ReadonlyArray<ExcludedRoute>
}

/**
 * Compiles a tree. Throws a {@link MistakesError} that lists all configuration errors of the tree. Excluded routes are not
 * verified. Duplicates are logged instead when `fw.rest.fail-on-duplicate` is `false`; the first operation then serves the requests.
 */
export const compileTree = (
  api: AnyNode,
  settings: Settings = defaultSettings,
  { logger = silentLogger, configuration = defaultConfiguration(settings) }: CompileOptions = {},
): CompiledTree => {
  const allows = conditionCheck(configuration, settings)
  const tree = includedRoutes(api, allows)
  const { routes, root, misplaced } = flatten(tree, settings['fw.rest.path'])
  const projects = visibilityPass(configuration.property)
  const verified = routes
    .map(checkAccess(configuration.property))
    .map(projects.route)
    .map(({ route, errors: found }) => ({ route, mistakes: [...found, ...verifyRoute(route)] }))
  const mistakes = [
    ...misplaced.map(([keys]) => misplacement(keys)),
    ...verifyScopes(tree),
    ...conflictingExecutionModes(tree).map(indecision),
    ...verified.flatMap((one) => one.mistakes),
    ...verifyXml(routes, settings),
  ]
  // a route with configuration errors has no plan and is not compared with others
  const planned = verified
    .filter((one) => one.mistakes.length === 0)
    .map(({ route }) => planOf(route))
  const { plans, links, errors: unlinked } = planLinks(planned, settings['fw.http.public-url'])
  const twice = duplicateOperations(pathGroups(plans))
  const fatal: ReadonlyArray<Mistake> = settings['fw.rest.fail-on-duplicate']
    ? [...mistakes, ...unlinked, ...twice]
    : [...mistakes, ...unlinked]
  if (fatal.length > 0) throw new MistakesError(fatal)
  const loggerOf = Category.loggersByCategory(logger, settings)
  if (twice.length > 0)
    loggerOf(Category.serverCategory).warn({ mistakes: twice.length }, format(twice))
  return {
    plans,
    root: projects.root(root),
    settings,
    configuration,
    loggerOf,
    links,
    excludedRoutes: () => excludedRoutes(api, settings['fw.rest.path'], allows),
  }
}

const misplacement = (keys: string): Mistake => ({
  code: 'FW-FILTER-001',
  concerns: [keys],
  remedy: 'pre-matching filters run for every request: apply it to the root',
})

const indecision = (keys: string): Mistake => ({
  code: 'FW-ROUTE-005',
  concerns: [keys === '' ? 'the whole tree' : keys],
  remedy: 'declared as both blocking and nonBlocking: keep one',
})
