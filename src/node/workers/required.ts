/** Which operations need workers. */
import { isBlocking } from '../../endpoint/internal/attributes.ts'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import type { Program } from '../../interpreter/program.ts'

export const needsWorkers = ({ plans }: Program): boolean =>
  plans.some(({ marks }) => isBlocking(marks))

/** The mistake of blocking operations without a module that workers can import. */
export const withoutModule = ({ plans }: Program): ReadonlyArray<Mistake> => {
  const blocking = plans.filter(({ marks }) => isBlocking(marks))
  return blocking.length === 0
    ? []
    : [
        {
          code: 'FW-WORKER-001',
          concerns: blocking.map(
            ({ method, template, name }) => `${method} ${template}  (${name})`,
          ),
          remedy:
            'name the module that exports the tree: serve(api, { module: import.meta.url, export: "api" })',
        },
      ]
}
