/** Finds the operations of a compiled tree by their endpoints. */
import type { Definition } from '../endpoint/endpoint.ts'
import type { Plan } from './plan.ts'

/**
 * Finds the plan for a definition. `caller` is the name of the current operation, if any. Throws a `TypeError` if there is no such
 * operation, or if the selection is ambiguous.
 */
export type FindOperation = (
  definition: Definition,
  name: string | undefined,
  caller: string | undefined,
) => Plan
/** Creates a function that finds operations. The candidates for each definition are determined once. */
export const operationFinder = (plans: ReadonlyArray<Plan>): FindOperation => {
  const candidates = new WeakMap<Definition, ReadonlyArray<Plan>>()
  const candidatesFor = (definition: Definition): ReadonlyArray<Plan> => {
    const known = candidates.get(definition)
    if (known !== undefined) return known
    const exact = plans.filter((plan) => plan.source.definition === definition)
    const found =
      exact.length > 0
        ? exact
        : plans.filter((plan) => isVariant(plan.source.definition, definition))
    candidates.set(definition, found)
    return found
  }
  return (definition, name, caller) => {
    const all = candidatesFor(definition)
    const named = name === undefined ? all : all.filter((plan) => plan.name === name)
    const nearest = nearestTo(caller ?? '', named)
    const [only, ...others] = nearest
    if (only !== undefined && others.length === 0) return only
    const { method = '(no method)', template } = definition
    const title = `${method} ${template || '/'}`
    if (only !== undefined)
      throw new TypeError(
        `${title} occurs multiple times in the tree: select one with the name option (${nearest.map((plan) => plan.name).join(', ')})`,
      )
    throw new TypeError(
      name === undefined
        ? `${title} is not an operation of the tree`
        : `${title} is not the operation ${name} of the tree`,
    )
  }
}

/**
 * Whether a definition in the tree results from another definition, or both from a third one, by combinators that only add a handler
 * or set attributes, headers or the status.
 */
const isVariant = (inTree: Definition, definition: Definition): boolean =>
  inTree.method === definition.method &&
  inTree.template === definition.template &&
  inTree.parameters === definition.parameters &&
  inTree.bodies === definition.bodies &&
  inTree.produces === definition.produces &&
  inTree.responses === definition.responses &&
  inTree.needs === definition.needs &&
  (definition.handler === undefined || inTree.handler === definition.handler)

/** Returns the operations whose names have the longest common path with the name of the caller. */
const nearestTo = (caller: string, plans: ReadonlyArray<Plan>): ReadonlyArray<Plan> => {
  if (plans.length < 2) return plans
  const keys = caller.split('.')
  const depthOf = ({ name }: Plan): number => {
    const others = name.split('.')
    const end = keys.findIndex((key, index) => key !== others[index])
    return end < 0 ? keys.length : end
  }
  const deepest = Math.max(...plans.map(depthOf))
  return plans.filter((plan) => depthOf(plan) === deepest)
}
