/** Compiles a tree of endpoints: verifies it and makes the plan of each operation. */
import type { AnyNode } from '../endpoint/routes.ts'
import type { Chain } from './filter-chain.ts'
import * as Category from './settings/log-category.ts'
import type { LoggerOf } from './settings/log-category.ts'
import { restrict } from './access.ts'
import { allowing } from './conditions/condition.ts'
import type { Configuration } from './settings/configuration.ts'
import { settingsAlone } from './settings/configuration.ts'
import { undecided } from './verify/execution-mode.ts'
import { flatten } from './flatten.ts'
import { link } from './links/link-plan.ts'
import type { LinkTable } from './links/link-table.ts'
import { included } from './conditions/conditional-routes.ts'
import type { Logger } from './settings/logger.ts'
import { silent } from './settings/logger.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import { MistakesError, format } from '../endpoint/internal/configuration-error.ts'
import type { Omission } from './conditions/excluded-routes.ts'
import { omissions } from './conditions/excluded-routes.ts'
import type { Plan } from './plan.ts'
import { planOf } from './plan.ts'
import { project } from './visibility.ts'
import type { Settings } from './settings/settings.ts'
import { defaults } from './settings/settings.ts'
import { duplicates, sitesOf } from './path-groups.ts'
import { verify } from './verify/verify-route.ts'
import { verifyAround } from './verify/verify-scopes.ts'
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
  readonly root: Chain
  readonly settings: Settings
  readonly configuration: Configuration
  readonly loggerOf: LoggerOf
  readonly links: LinkTable
  /** The routes that conditions exclude; computed when it is called. */
  readonly omissions: () => ReadonlyArray<Omission>
}

/**
 * Compiles a tree. Throws a {@link MistakesError} that lists all configuration errors of the tree. Excluded routes are not
 * verified. Duplicates are logged instead when `fw.rest.fail-on-duplicate` is `false`; the first operation then serves the requests.
 */
export const compileTree = (
  api: AnyNode,
  settings: Settings = defaults,
  { logger = silent, configuration = settingsAlone(settings) }: CompileOptions = {},
): CompiledTree => {
  const allows = allowing(configuration, settings)
  const tree = included(api, allows)
  const { routes, root, misplaced } = flatten(tree, settings['fw.rest.path'])
  const projects = project(configuration.property)
  const verified = routes
    .map(restrict(configuration.property))
    .map(projects.route)
    .map(({ route, mistakes: found }) => ({ route, mistakes: [...found, ...verify(route)] }))
  const mistakes = [
    ...misplaced.map(([keys]) => misplacement(keys)),
    ...verifyAround(tree),
    ...undecided(tree).map(indecision),
    ...verified.flatMap((one) => one.mistakes),
    ...verifyXml(routes, settings),
  ]
  // a route with configuration errors has no plan and is not compared with others
  const planned = verified
    .filter((one) => one.mistakes.length === 0)
    .map(({ route }) => planOf(route))
  const { plans, links, mistakes: unlinked } = link(planned, settings['fw.http.public-url'])
  const twice = duplicates(sitesOf(plans))
  const fatal: ReadonlyArray<Mistake> = settings['fw.rest.fail-on-duplicate']
    ? [...mistakes, ...unlinked, ...twice]
    : [...mistakes, ...unlinked]
  if (fatal.length > 0) throw new MistakesError(fatal)
  const loggerOf = Category.loggers(logger, settings)
  if (twice.length > 0) loggerOf(Category.server).warn({ mistakes: twice.length }, format(twice))
  return {
    plans,
    root: projects.root(root),
    settings,
    configuration,
    loggerOf,
    links,
    omissions: () => omissions(api, settings['fw.rest.path'], allows),
  }
}

const misplacement = (keys: string): Mistake => ({
  code: 'FW-FILTER-001',
  concerns: [keys],
  remedy: 'it runs before matching, for every request: apply it to the whole tree',
})

const indecision = (keys: string): Mistake => ({
  code: 'FW-ROUTE-005',
  concerns: [keys === '' ? 'the whole tree' : keys],
  remedy: 'declared as both blocking and nonBlocking: keep one',
})
