/** From a tree to a program, or to everything that is wrong with the tree. */
import type { AnyNode } from '../endpoint/routes.ts'
import { undecided } from './execution.ts'
import { flatten } from './flatten.ts'
import type { Logger } from './logger.ts'
import { silent } from './logger.ts'
import type { Mistake } from './mistake.ts'
import { MistakesError, format } from './mistake.ts'
import { planOf } from './plan.ts'
import type { Program } from './program.ts'
import { program } from './program.ts'
import type { Settings } from './settings.ts'
import { defaults } from './settings.ts'
import { duplicates, sitesOf } from './site.ts'
import { verify } from './verify.ts'

/**
 * Decides everything that does not depend on a request. Throws a {@link MistakesError} that lists all mistakes of the tree;
 * duplicates are only logged when `fw.rest.fail-on-duplicate` is `false`, and the first operation answers.
 */
export const compile = (
  api: AnyNode,
  settings: Settings = defaults,
  logger: Logger = silent,
): Program => {
  const { routes, root, misplaced } = flatten(api, settings['fw.rest.path'])
  const verified = routes.map((route) => ({ route, mistakes: verify(route) }))
  const mistakes = [
    ...misplaced.map(([keys]) => misplacement(keys)),
    ...undecided(api).map(indecision),
    ...verified.flatMap((one) => one.mistakes),
  ]
  // a route that is wrong by itself has no plan, and is not compared with others
  const plans = verified
    .filter((one) => one.mistakes.length === 0)
    .map(({ route }) => planOf(route))
  const twice = duplicates(sitesOf(plans))
  const fatal: ReadonlyArray<Mistake> = settings['fw.rest.fail-on-duplicate']
    ? [...mistakes, ...twice]
    : mistakes
  if (fatal.length > 0) throw new MistakesError(fatal)
  if (twice.length > 0) logger.warn({ mistakes: twice.length }, format(twice))
  return program(plans, root, settings, logger)
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
