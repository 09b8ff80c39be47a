/** Configuration errors that depend on the runtime, found before the server listens. */
import { METHODS } from 'node:http'
import { isBlocking } from '../endpoint/internal/attributes.ts'
import type { Requirement } from '../endpoint/filter.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { Program } from '../interpreter/program.ts'

type Plan = Program['plans'][number]

/** Loads the packages that filters require. Returns an error for each requirement that cannot be loaded. */
export const loadRequirements = async ({
  plans,
}: Pick<Program, 'plans'>): Promise<ReadonlyArray<Mistake>> => {
  const operations = new Map<Requirement, string[]>()
  for (const plan of plans)
    for (const { filter } of [...plan.chain.early, ...plan.chain.request]) {
      const { requirement } = filter
      if (requirement === undefined) continue
      operations.set(requirement, [...(operations.get(requirement) ?? []), titleOf(plan)])
    }
  const errors = await Promise.all(
    Array.from(operations, async ([{ load }, titles]): Promise<ReadonlyArray<Mistake>> => {
      try {
        await load()
        return []
      } catch (error) {
        const remedy = error instanceof Error ? error.message : String(error)
        return [{ code: 'FW-FILTER-003', concerns: shorten(titles), remedy }]
      }
    }),
  )
  return errors.flat()
}

/** Maximum number of operations listed in one configuration error. */
const maxTitles = 5

const shorten = (titles: ReadonlyArray<string>): ReadonlyArray<string> =>
  titles.length <= maxTitles
    ? titles
    : [...titles.slice(0, maxTitles), `and ${titles.length - maxTitles} other operations`]

/** Returns an error for each operation whose method Node's parser does not know, so that no request can reach it. */
export const unsupportedMethods = ({ plans }: Program): ReadonlyArray<Mistake> =>
  plans
    .filter(({ method }) => !METHODS.includes(method))
    .map((plan) => ({
      code: 'FW-ROUTE-006',
      concerns: [titleOf(plan)],
      remedy: `use one of the ${METHODS.length} methods in http.METHODS: node:http rejects requests with other methods, and only inMemory() accepts them`,
    }))

/** Whether a program has blocking operations, which run on workers. */
export const needsWorkers = ({ plans }: Program): boolean =>
  plans.some(({ attributes: marks }) => isBlocking(marks))

/** Returns an error if a program without a module for its workers has blocking operations. */
export const missingModule = ({ plans }: Program): ReadonlyArray<Mistake> => {
  const blocking = plans.filter(({ attributes: marks }) => isBlocking(marks))
  return blocking.length === 0
    ? []
    : [
        {
          code: 'FW-WORKER-001',
          concerns: blocking.map(titleOf),
          remedy:
            'set the module that exports the route tree: serve(api, { module: import.meta.url, export: "api" })',
        },
      ]
}

const titleOf = ({ method, template, name }: Pick<Plan, 'method' | 'template' | 'name'>): string =>
  `${method} ${template}  (${name})`
