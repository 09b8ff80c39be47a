/** From a description to its plans, as the engine makes them. */
import type { AnyNode } from '../../src/endpoint/routes.ts'
import { compile } from '../../src/interpreter/program.ts'
import type { Plan } from '../../src/compiler/plan.ts'

/** The plans of a tree, in its order. */
export const plansOf = (api: AnyNode): ReadonlyArray<Plan> => compile(api).plans

/** The plan of an endpoint by itself. */
export const planOfOne = (endpoint: AnyNode): Plan => {
  const [plan] = plansOf({ _tag: 'Routes', children: new Map([['one', endpoint]]), wrappers: [] })
  if (plan === undefined) throw new Error('there is no plan')
  return plan
}
