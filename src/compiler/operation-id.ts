/** The ids of operations in documents. */
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'
import type { Plan } from './plan.ts'

/** Returns the id of an operation: the declared one, or its name in the tree. */
export const operationIdOf = ({ name, attributes }: Plan): string =>
  attributes.documentation?.operationId ?? name

/** Returns an error for each id that several operations have. */
export const duplicateIds = (plans: ReadonlyArray<Plan>): ReadonlyArray<ConfigurationIssue> => {
  // names are unique
  if (plans.every((plan) => operationIdOf(plan) === plan.name)) return []
  const byId = new Map<string, ReadonlyArray<Plan>>()
  for (const plan of plans) {
    const id = operationIdOf(plan)
    byId.set(id, [...(byId.get(id) ?? []), plan])
  }
  return [...byId].flatMap(([id, same]) =>
    same.length < 2
      ? []
      : [
          {
            code: 'FW-DOC-004',
            concerns: same.map(operationTitle),
            remedy: `the operations have the id ${id}: declare different ids with operationId(…)`,
          },
        ],
  )
}
