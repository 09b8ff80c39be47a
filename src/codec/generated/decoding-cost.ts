/** Estimates the cost of decoding a value, which determines how large values are divided into steps (`large-values.ts`). */
import { isRecord } from './runtime.ts'
import type { Schema, SchemaWithDefinitions } from './schema.ts'
import { isLeaf, isTest } from './schema.ts'

/**
 * Subtracts the cost of decoding a value from `rest` and returns the difference. The estimate ends early if the difference is
 * negative, so it takes at most as long as `rest` allows.
 *
 * The unit is the cost of a test such as `typeof`. A union costs as much as all its members together, because each of them might
 * have to be tried.
 */
export type SpendCost = (schema: Schema, value: unknown, rest: number) => number

/** The cost of a leaf whose codec has to be called. For example, a date takes 1 to 5 µs. */
const leafCost = 16

export interface DecodingCost {
  readonly spend: SpendCost
  /** Returns the cost for every value of a schema. Returns `undefined` if the cost depends on the value. */
  readonly fixedCost: (schema: Schema) => number | undefined
}

/** Creates the functions that estimate costs. The fixed costs of schemas are computed once. */
export const decodingCost = (definitions: SchemaWithDefinitions['definitions']): DecodingCost => {
  const fixedCosts = new Map<Schema, number | undefined>()
  const fixedCost = (schema: Schema): number | undefined => {
    if (fixedCosts.has(schema)) return fixedCosts.get(schema)
    const cost = computeFixedCost(schema, fixedCost)
    fixedCosts.set(schema, cost)
    return cost
  }

  const spendAll = (
    parts: Iterable<readonly [schema: Schema, value: unknown]>,
    rest: number,
  ): number => {
    let left = rest - 1
    for (const [schema, value] of parts) {
      left = spend(schema, value, left)
      if (left < 0) break
    }
    return left
  }

  const spendElements = (element: Schema, values: ReadonlyArray<unknown>, rest: number): number => {
    const fixed = fixedCost(element)
    if (fixed !== undefined) return rest - 1 - fixed * values.length
    let left = rest - 1
    for (let index = 0; index < values.length && left >= 0; index++)
      left = spend(element, values[index], left)
    return left
  }

  const spend: SpendCost = (schema, value, rest) => {
    const fixed = fixedCost(schema)
    if (fixed !== undefined) return rest - fixed
    if (typeof value !== 'object' || value === null) return rest - 1
    switch (schema._tag) {
      case 'Object': {
        if (!isRecord(value)) return rest - 1
        let left = rest - 1
        for (const { schema: member, key } of schema.members) {
          left = spend(member, value[key], left)
          if (left < 0) break
        }
        return left
      }
      case 'Record':
        return spendElements(schema.codomain, Object.values(value), rest)
      case 'List':
      case 'Set':
        return Array.isArray(value) ? spendElements(schema.element, value, rest) : rest - 1
      case 'Tuple':
        return Array.isArray(value)
          ? spendAll(
              schema.elements.map((element, index) => [element, value[index]] as const),
              rest,
            )
          : rest - 1
      case 'Union':
      case 'Intersection':
        return spendAll(
          schema.members.map((member) => [member, value] as const),
          rest,
        )
      case 'Refinement':
      case 'Default':
      case 'Attempt':
        return spend(schema.inner, value, rest - 1)
      case 'Opaque':
        return schema.decodes === undefined
          ? rest - leafCost
          : spend(schema.decodes, value, rest - 1)
      case 'Recursion': {
        const definition = definitions[schema.definition]
        return definition === undefined ? rest - leafCost : spend(definition, value, rest - 1)
      }
      default:
        return rest - 1
    }
  }
  return { spend, fixedCost }
}

const computeFixedCost = (
  schema: Schema,
  costOf: (schema: Schema) => number | undefined,
): number | undefined => {
  if (isTest(schema)) return 1
  if (isLeaf(schema)) return leafCost
  switch (schema._tag) {
    case 'Object':
      return sum(schema.members.map((member) => costOf(member.schema)))
    case 'Tuple':
      return sum(schema.elements.map(costOf))
    case 'Union':
    case 'Intersection':
      return sum(schema.members.map(costOf))
    case 'Refinement':
    case 'Default':
    case 'Attempt':
      return sum([costOf(schema.inner)])
    case 'Opaque':
      return schema.decodes && costOf(schema.decodes)
    default:
      return undefined
  }
}

/** Returns the sum of all costs, plus one for the enclosing value. Returns `undefined` if one of them is `undefined`. */
const sum = (costs: ReadonlyArray<number | undefined>): number | undefined =>
  costs.reduce((total, cost) => total && cost && total + cost, 1)
