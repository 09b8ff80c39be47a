/** From a tree to a program, or to everything that is wrong with the tree. */
import type { AnyNode } from '../endpoint/routes.ts'
import * as Category from './settings/log-category.ts'
import { restrict } from './access.ts'
import { allowing } from './conditions/condition.ts'
import { noCompressors } from '../interpreter/response/compressors.ts'
import type { Configuration } from './settings/configuration.ts'
import { settingsAlone } from './settings/configuration.ts'
import { undecided } from './verify/execution-mode.ts'
import { flatten } from './flatten.ts'
import { link } from './links/link-plan.ts'
import { included } from './conditions/conditional-routes.ts'
import type { Logger } from './settings/logger.ts'
import { silent } from './settings/logger.ts'
import type { Mistake } from '../endpoint/mistake.ts'
import { MistakesError, format } from '../endpoint/mistake.ts'
import { omissions } from './conditions/excluded-routes.ts'
import { planOf } from './plan.ts'
import type { Program } from '../interpreter/program.ts'
import { program } from '../interpreter/program.ts'
import { project } from './visibility.ts'
import type { Settings } from './settings/settings.ts'
import { defaults } from './settings/settings.ts'
import { duplicates, sitesOf } from './path-groups.ts'
import type { System } from '../interpreter/platform.ts'
import { verify } from './verify/verify-route.ts'
import { verifyAround } from './verify/verify-scopes.ts'
import { verifyXml } from '../interpreter/verify-xml.ts'

/** What a program is run in. */
export interface Environment {
  readonly logger?: Logger
  /** Aborts when the server begins to stop. */
  readonly stopping?: AbortSignal
  /** The profile `prod` and no properties but the settings by default. */
  readonly configuration?: Configuration
  /** Without it nothing is compressed, whatever the settings say. */
  readonly system?: Pick<System, 'compressors'>
}

/**
 * Decides everything that does not depend on a request. Throws a {@link MistakesError} that lists all mistakes of the tree;
 * what is left out under its conditions has none. Duplicates are only logged when `fw.rest.fail-on-duplicate` is `false`, and the first operation answers.
 */
export const compile = (
  api: AnyNode,
  settings: Settings = defaults,
  {
    logger = silent,
    stopping = new AbortController().signal,
    configuration = settingsAlone(settings),
    system: { compressors } = { compressors: noCompressors },
  }: Environment = {},
): Program => {
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
  // a route that is wrong by itself has no plan, and is not compared with others
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
  return program(plans, projects.root(root), settings, {
    loggerOf,
    stopping,
    configuration,
    compressors,
    links,
    omissions: () => omissions(api, settings['fw.rest.path'], allows),
  })
}

const misplacement = (keys: string): Mistake => ({
  code: 'FW-FILTER-001',
  concerns: [keys],
  remedy: 'it sees every request: put it around the whole tree',
})

const indecision = (keys: string): Mistake => ({
  code: 'FW-ROUTE-005',
  concerns: [keys === '' ? 'the whole tree' : keys],
  remedy: 'it is said to be blocking and nonBlocking: say one',
})
