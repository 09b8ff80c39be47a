/** Loads what the filters of a program require, before a server listens. */
import type { Requirement } from '../endpoint/filter.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { Program } from '../interpreter/program.ts'

/** Returns the requirements that cannot be loaded, as configuration errors. */
export const loadRequirements = async ({
  plans,
}: Pick<Program, 'plans'>): Promise<ReadonlyArray<Mistake>> => {
  const operations = new Map<Requirement, string[]>()
  for (const { method, template, name, chain } of plans)
    for (const { filter } of [...chain.early, ...chain.request]) {
      const { requirement } = filter
      if (requirement === undefined) continue
      const titles = operations.get(requirement) ?? []
      operations.set(requirement, [...titles, `${method} ${template}  (${name})`])
    }
  const found = await Promise.all(
    Array.from(operations, async ([{ load }, titles]): Promise<ReadonlyArray<Mistake>> => {
      try {
        await load()
        return []
      } catch (error) {
        const remedy = error instanceof Error ? error.message : String(error)
        return [{ code: 'FW-FILTER-003', concerns: shortened(titles), remedy }]
      }
    }),
  )
  return found.flat()
}

/** Operations listed in one configuration error. */
const most = 5

const shortened = (titles: ReadonlyArray<string>): ReadonlyArray<string> =>
  titles.length <= most
    ? titles
    : [...titles.slice(0, most), `and ${titles.length - most} other operations`]
